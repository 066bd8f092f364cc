import * as v from 'valibot';
import { CheckoutError } from '../../../src/contract/index.ts';
import { createPaymentsClient } from '../../core/client.ts';
import type { Currency } from '../../core/fields.ts';
import { parseOptions } from '../../core/options.ts';
import { signatureHeaders, toTimestamp } from '../../core/signature.ts';
import { sandboxCredentials } from '../../engine/published-keys.ts';
import { signCallback } from '../../service/signatures.ts';
import type { NotifiedRecord } from '../sandbox/callbacks/attempts.ts';
import { type NotifiedStatus, notifiedRecords } from '../sandbox/callbacks/record-change.ts';
import { splitCredentials } from '../sandbox/callbacks/url-credentials.ts';
import { createSandbox } from '../sandbox/index.ts';
import { createRecord, type NotifiedEvent, type RecordInput } from './create-record.ts';

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
  const { callbackUrl, event, id, reference, amount, currency, secret, signedAtMs } = settings;
  const record = { reference, amount, currency, callbackUrl };
  const times = { now: () => signedAtMs, random: Math.random };
  const data = settings.data ?? {
    ...(await createEventData(parseEventName(event), record, times)),
    ...(id !== undefined && { id }),
  };
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

const events = Object.entries(notifiedRecords).flatMap(([kind, { statuses }]) =>
  statuses.map((status) => ({ kind: kind as NotifiedRecord, status, name: `${kind}.${status}` })),
);

/** @throws {CheckoutError} `invalid_options` for a name that is not of an event, with all that are */
export function parseEventName(name: string): NotifiedEvent {
  const event = events.find((one) => one.name === name);
  if (event !== undefined) return event;
  const all = events.map((one) => one.name).join(', ');
  throw new CheckoutError('invalid_options', `There is no event "${name}"; use one of ${all}.`);
}

/**
 * Returns the `data` of an event, from the callback of a sandbox in this process, with amounts in minor units.
 *
 * @throws {RangeError} for an amount that is too small for the event: an amount of 1 cannot be paid in part
 * @throws {PaymentsError | SandboxError} for input that the sandbox refuses, such as a callback URL with a backslash
 */
export async function createEventData(
  event: NotifiedEvent,
  input: RecordInput,
  { now, random }: { now: () => number; random: () => number },
): Promise<object> {
  const sandbox = createSandbox({ now, random });
  const { fetch, control } = sandbox;
  // Logged but not sent, because the caller sends the callback itself.
  control.setCallbackDelivery({ drop: true });
  const baseUrl = 'http://sandbox.invalid';
  const client = createPaymentsClient({ ...sandboxCredentials, baseUrl, fetch, now });
  try {
    await createRecord(event, input, { client, control });
    const name = `${event.kind}.${event.status}`;
    const callback = control.listCallbacks().find((one) => one.event === name);
    if (callback === undefined) throw new Error(`The sandbox has made no callback for ${name}.`);
    return JSON.parse(callback.body).data;
  } finally {
    await sandbox.close();
  }
}
