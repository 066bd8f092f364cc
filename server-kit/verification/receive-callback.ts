import * as v from 'valibot';
import { Identifier } from '../api/fields.ts';
import type { PaymentsClient } from '../client/client.ts';
import { PaymentsError } from '../errors/payments-error.ts';
import type { Recorder } from '../payments/recorder.ts';
import { toUnmatchedRecord } from '../payments/unmatched-payment.ts';
import type { Callback } from '../signing/callbacks.ts';
import { SignatureError } from '../signing/signature.ts';
import type { PaymentRecord, Store } from '../stores/store.ts';
import type { CallbackEvent } from '../telemetry/log-event.ts';

export type ReceiveCallbackOptions = {
  payments: PaymentsClient;
  store: Store;
  recorder: Recorder;
  /** The address that new payments are registered with. */
  callbackUrl: string;
};

export type SignedCallback = {
  rawBody: string;
  signature: string | undefined;
  timestamp: string | undefined;
  /** Called for each that is not signed, before anything is read of the store. What it throws ends the matter. */
  countFailure: () => Promise<void>;
};

/**
 * Believes nothing that a callback says of money. It makes the payment due for a look, durably, so that the callback may
 * be acknowledged; the look itself is for the reconciler. One that comes twice, late or out of order costs a look.
 *
 * @throws {SignatureError} for a callback that the service has not signed
 * @throws what `countFailure` throws
 * @throws what the client throws where the service has to be asked for the reference, or for a payment that is not
 *   recorded, and whatever the store throws: the service will send the callback again
 */
export async function receiveCallback(
  options: ReceiveCallbackOptions,
  signed: SignedCallback,
): Promise<CallbackEvent> {
  const { kind, event, data } = await parse(options, signed);
  const reference = await referenceOf(options, kind, data);
  const named = { kind, event, reference };
  const isOurs = kind === 'payment' || kind === 'unknown';
  if (!isOurs || reference === undefined) return { ...named, action: 'ignored' };
  if (await options.store.wake(reference)) return { ...named, action: 'verify' };
  const unmatched = await unmatchedRecordOf(options, reference, kind === 'payment' ? data : {});
  if (unmatched === undefined) return { ...named, action: 'ignored' };
  await options.recorder.insert(unmatched);
  await options.store.wake(reference);
  return { ...named, action: 'unmatched' };
}

/**
 * Verifies it by the address that we register, and, where that has changed, by the one that the payment was registered
 * with. The body only says where to look for that address: it is believed once the signature is right.
 */
async function parse(
  options: ReceiveCallbackOptions,
  { countFailure, ...signed }: SignedCallback,
): Promise<Callback> {
  const { payments, store, callbackUrl } = options;
  try {
    return await payments.parseCallback({ ...signed, callbackUrl });
  } catch (error) {
    if (!(error instanceof SignatureError)) throw error;
    await countFailure();
    if (error.code !== 'signature_mismatch') throw error;
    const reference = readReference((JSON.parse(signed.rawBody) as { data?: unknown }).data);
    const record = reference === undefined ? undefined : await store.findByReference(reference);
    const registered = record?.opened?.callbackUrl;
    if (registered === undefined || registered === callbackUrl) throw error;
    return payments.parseCallback({ ...signed, callbackUrl: registered });
  }
}

/** Where a payment is named by its id alone, the service knows the reference. */
async function referenceOf(
  { payments }: ReceiveCallbackOptions,
  kind: Callback['kind'],
  data: Callback['data'],
): Promise<string | undefined> {
  const reference = readReference(data);
  if (reference !== undefined || kind !== 'payment' || typeof data.id !== 'string') return reference;
  return (await payments.payments.retrieve(data.id)).reference;
}

/** What a database can look up. Anybody can send a callback, and its text is looked up before it is believed. */
const Reference = v.pipe(
  Identifier,
  v.maxLength(500),
  v.check((text) => !/\p{Cc}/u.test(text)),
);

function readReference(data: unknown): string | undefined {
  const reference = (data as { reference?: unknown } | null | undefined)?.reference;
  return v.is(Reference, reference) ? reference : undefined;
}

/** Once: where it fails, the service calls back again. */
const verifyOptions = { maxRetries: 0, timeoutMs: 10_000 };

/** A callback may say too little to record its payment, or to tell that it is one: then the service is asked. */
async function unmatchedRecordOf(
  { payments }: ReceiveCallbackOptions,
  reference: string,
  data: Callback['data'],
): Promise<PaymentRecord | undefined> {
  const known = toUnmatched(reference, data, payments.serviceNow());
  if (known !== undefined) return known;
  const payment = await payments.payments.verify(reference, verifyOptions).catch((error: unknown) => {
    // It is of a payout, or of something else that bears a reference.
    if (error instanceof PaymentsError && error.code === 'not_found') return {};
    throw error;
  });
  return toUnmatched(reference, payment, payments.serviceNow());
}

function toUnmatched(
  reference: string,
  { id, currency, liveMode }: Callback['data'],
  serviceNow: number,
): PaymentRecord | undefined {
  if (typeof id !== 'string' || typeof currency !== 'string' || typeof liveMode !== 'boolean') {
    return undefined;
  }
  return toUnmatchedRecord(reference, { id, currency, liveMode }, serviceNow);
}
