import type { Currency } from '../../client/api/fields.ts';
import { signCallback } from '../../client/signing/callbacks.ts';
import { sandboxCredentials } from '../../client/signing/guessable-keys.ts';
import { signatureHeaders, toTimestamp } from '../../client/signing/signature.ts';
import { splitCredentials } from '../../http/url-credentials.ts';
import type { NotifiedRecord, NotifiedStatus } from '../sandbox/callbacks/notified-records.ts';
import { checkNames } from './check-input.ts';
import { createEventData, parseEventName } from './event-data.ts';

/** An event such as `payment.succeeded`: a kind of record and its new status. */
export type CallbackEventName = {
  [Kind in NotifiedRecord]: `${Kind}.${NotifiedStatus<Kind>}`;
}[NotifiedRecord];

export type TestCallbackInput = {
  /** The signed destination, as it is registered with the payment. */
  callbackUrl: string;
  /** Default: `payment.succeeded`. */
  event?: CallbackEventName;
  /** The reference of the record. Default: `order-1`. */
  reference?: string;
  /** The service's id of the record. Default: a new id of no record. */
  id?: string;
  /** The amount of the record, in minor units. Default: 1,250,000. */
  amount?: number;
  /** Default: `NGN`. */
  currency?: Currency;
  /** Replaces `data`, which is otherwise a record for the event. */
  data?: object;
  /** The signing secret; a wrong one makes a forgery. Default: the sandbox's. */
  secret?: string;
  /** When it was signed, in milliseconds since the epoch; an hour ago is refused as too old. Default: now. */
  signedAtMs?: number;
};

const inputNames = Object.keys({
  callbackUrl: 0,
  event: 0,
  reference: 0,
  id: 0,
  amount: 0,
  currency: 0,
  data: 0,
  secret: 0,
  signedAtMs: 0,
} satisfies Record<keyof TestCallbackInput, 0>);

/**
 * Creates a signed callback as the service sends it, with the fields of its record, in the default dialect. To send it
 * twice, `clone()` it or create another one.
 *
 * @example
 * const response = await fetch(await createCallback({ callbackUrl, event: 'payment.failed', reference }));
 *
 * @throws {TypeError} for an unknown event or field
 * @throws {RangeError} for an amount that is too small for the event
 */
export async function createCallback(input: TestCallbackInput): Promise<Request> {
  checkNames('createCallback', input, inputNames);
  const { callbackUrl, event = 'payment.succeeded', secret = sandboxCredentials.apiSecret } = input;
  const { data = await createData(event, input), signedAtMs = Date.now() } = input;
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

async function createData(event: CallbackEventName, input: TestCallbackInput): Promise<object> {
  const { callbackUrl, reference = 'order-1', amount = 1_250_000, currency = 'NGN' } = input;
  const { signedAtMs = Date.now() } = input;
  const record = { reference, amount, currency, callbackUrl };
  const data = await createEventData(parseEventName(event), record, {
    now: () => signedAtMs,
    random: Math.random,
  });
  return { ...data, ...(input.id !== undefined && { id: input.id }) };
}
