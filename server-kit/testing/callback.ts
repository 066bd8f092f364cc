import type { Currency } from '../api/fields.ts';
import {
  type NotifiedRecord,
  type NotifiedStatus,
  notifiedRecords,
} from '../sandbox/callbacks/notified-records.ts';
import { sandboxCredentials } from '../sandbox/settings/credentials.ts';
import { signCallback } from '../signing/callbacks.ts';
import { signatureHeaders, toTimestamp } from '../signing/signature.ts';
import { makeEventData, type NotifiedEvent } from './event-data.ts';

/** `payment.succeeded`, `payout.failed` and so on: a kind of record, and what it has become. */
export type CallbackEventName = {
  [Kind in NotifiedRecord]: `${Kind}.${NotifiedStatus<Kind>}`;
}[NotifiedRecord];

export type TestCallbackInput = {
  /** The address that it goes to, and that is signed: as it was registered with the payment. */
  callbackUrl: string;
  /** Default: `payment.succeeded`. */
  event?: CallbackEventName;
  /** Of the record that it tells of. Default: `order-1`. */
  reference?: string;
  /** The service's id of that record. Default: a new one, of no record. */
  id?: string;
  /** What the record is about, in minor units. Default: 1,250,000. */
  amount?: number;
  /** Default: `NGN`. */
  currency?: Currency;
  /** The whole `data`, instead of a record that is made for the event. */
  data?: object;
  /** What it is signed with; any other than yours makes it a forgery. Default: the sandbox's. */
  secret?: string;
  /** When it was signed, in milliseconds since the epoch; one of an hour ago is refused as too old. Default: now. */
  signedAtMs?: number;
};

/**
 * A callback as the service sends it: signed, with the fields of its record, in the default dialect. Each call makes a new
 * one; `clone()` it, or make it again, to send it twice.
 *
 * @example
 * const answer = await fetch(await createCallback({ callbackUrl, event: 'payment.failed', reference }));
 *
 * @throws {TypeError} for an event that does not exist, or that has no record of this amount
 */
export async function createCallback(input: TestCallbackInput): Promise<Request> {
  const { callbackUrl, event = 'payment.succeeded', secret = sandboxCredentials.apiSecret } = input;
  const { data = await makeData(event, input), signedAtMs = Date.now() } = input;
  const body = JSON.stringify({ event, data });
  const timestamp = toTimestamp(signedAtMs);
  const signature = await signCallback({ secret, callbackUrl, rawBody: body, timestamp });
  return new Request(callbackUrl, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      [signatureHeaders.signature]: signature,
      [signatureHeaders.timestamp]: timestamp,
    },
    body,
  });
}

async function makeData(event: CallbackEventName, input: TestCallbackInput): Promise<object> {
  const { callbackUrl, reference = 'order-1', amount = 1_250_000, currency = 'NGN' } = input;
  const { signedAtMs = Date.now() } = input;
  const surroundings = { now: () => signedAtMs, random: Math.random };
  const record = { reference, amount, currency, callbackUrl };
  const data = await makeEventData(readEvent(event), record, surroundings);
  if (data === undefined)
    throw new TypeError(`An amount of ${amount} has no part, so that ${event} cannot be.`);
  return { ...data, ...(input.id !== undefined && { id: input.id }) };
}

function readEvent(event: string): NotifiedEvent {
  const names = Object.entries(notifiedRecords).flatMap(([kind, { statuses }]) =>
    statuses.map((status) => `${kind}.${status}`),
  );
  if (!names.includes(event)) {
    throw new TypeError(`There is no event "${event}"; it is one of ${names.join(', ')}.`);
  }
  const [kind, status = ''] = event.split('.') as [NotifiedRecord, string];
  return { kind, status };
}
