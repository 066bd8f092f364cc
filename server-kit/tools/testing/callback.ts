import * as v from 'valibot';
import type { Currency } from '../../client/api/fields.ts';
import { splitCredentials } from '../../client/http/url-credentials.ts';
import { parseOptions } from '../../client/options/parse-options.ts';
import { signCallback } from '../../client/signing/callbacks.ts';
import { sandboxCredentials } from '../../client/signing/guessable-keys.ts';
import { signatureHeaders, toTimestamp } from '../../client/signing/signature.ts';
import type { NotifiedRecord, NotifiedStatus } from '../sandbox/callbacks/notified-records.ts';
import { createEventData, parseEventName } from './event-data.ts';

/** An event such as `payment.succeeded`: a kind of record and its new status. */
export type CallbackEventName = {
  [Kind in NotifiedRecord]: `${Kind}.${NotifiedStatus<Kind>}`;
}[NotifiedRecord];

const aText = v.string('must be a text');

const TestCallbackInput = v.strictObject({
  /** The signed destination, as it is registered with the payment. */
  callbackUrl: aText,
  /** Default: `payment.succeeded`. */
  event: v.optional(aText as v.GenericSchema<CallbackEventName>, 'payment.succeeded'),
  /** The reference of the record. Default: `order-1`. */
  reference: v.optional(aText, 'order-1'),
  /** The service's id of the record. Default: a new id of no record. */
  id: v.optional(aText),
  /** The amount of the record, in minor units. Default: 1,250,000. */
  amount: v.optional(v.number('must be a number'), 1_250_000),
  /** Default: `NGN`. */
  currency: v.optional(aText as v.GenericSchema<Currency>, 'NGN'),
  /** Replaces `data`, which is otherwise a record for the event. */
  data: v.optional(
    v.custom<object>((value) => typeof value === 'object' && value !== null, 'must be an object'),
  ),
  /** The signing secret; a wrong one makes a forgery. Default: the sandbox's. */
  secret: v.optional(aText, sandboxCredentials.apiSecret),
  /** When it was signed, in milliseconds since the epoch; an hour ago is refused as too old. Default: now. */
  signedAtMs: v.optional(v.number('must be a number'), () => Date.now()),
});
export type TestCallbackInput = v.InferInput<typeof TestCallbackInput>;

/**
 * Creates a signed callback as the service sends it, with the fields of its record, in the default dialect. To send it
 * twice, `clone()` it or create another one.
 *
 * @example
 * const response = await fetch(await createCallback({ callbackUrl, event: 'payment.failed', reference }));
 *
 * @throws {CheckoutError} `invalid_options`, for an unknown event, or naming each invalid field
 * @throws {RangeError} for an amount that is too small for the event
 */
export async function createCallback(input: TestCallbackInput): Promise<Request> {
  const settings = parseOptions(TestCallbackInput, input, 'createCallback');
  const { callbackUrl, event, secret, signedAtMs } = settings;
  const data = settings.data ?? (await createData(settings));
  const body = JSON.stringify({ event, data });
  const timestamp = toTimestamp(signedAtMs);
  const signature = await signCallback({ secret, callbackUrl, rawBody: body, timestamp });
  const { url, headers } = splitCredentials(callbackUrl);
  return new Request(url, {
    method: 'POST',
    headers: {
      ...headers,
      'content-type': 'application/json',
      [signatureHeaders.signature]: signature,
      [signatureHeaders.timestamp]: timestamp,
    },
    body,
  });
}

async function createData({ event, id, signedAtMs, ...record }: v.InferOutput<typeof TestCallbackInput>) {
  const times = { now: () => signedAtMs, random: Math.random };
  const data = await createEventData(parseEventName(event), record, times);
  return { ...data, ...(id !== undefined && { id }) };
}
