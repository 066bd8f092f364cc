import * as v from 'valibot';
import { CheckoutError } from '../../../src/contract/index.ts';
import type { Payment } from '../../core/endpoints.ts';
import { PaymentsError } from '../../core/errors.ts';
import { Identifier } from '../../core/fields.ts';
import { type Callback, SignatureError } from '../../core/signature.ts';
import { within } from '../../core/time.ts';
import { findPayment, isShown } from '../order/record.ts';
import type { CallbackEvent, CallbackKind } from '../telemetry/log-event.ts';
import type { Engine, UnknownPayment } from './engine.ts';
import { leaseMs } from './reconciler.ts';

export type SignedCallback = {
  rawBody: string;
  signature: string | undefined;
  timestamp: string | undefined;
  /** Called for each invalid signature, before the store is read. Its errors are thrown. */
  countFailure: () => void;
};

/**
 * Receives a callback, and trusts nothing that it says about money: it only makes the payment due for a verification, durably,
 * so that the callback can be acknowledged, and begins that verification. A repeated, late or reordered callback costs one verification.
 * If this process ends first, another one makes it.
 *
 * @throws {SignatureError} for a callback that the service has not signed
 * @throws what `countFailure`, the client and the store throw; {CheckoutError} `internal_error` if `onUnknownPayment` fails: the service
 *   then sends the callback again
 */
export async function receiveCallback(engine: Engine, signed: SignedCallback): Promise<CallbackEvent> {
  const callback = await parse(engine, signed);
  const { event, data } = callback;
  const kind = kindOf(data);
  const isOurs = kind === 'payment' || kind === 'unknown';
  const reference = readName(data, 'reference') ?? (isOurs ? await referenceOfId(engine, data) : undefined);
  const named = { kind, event, reference };
  if (!isOurs || reference === undefined) return { ...named, action: 'ignored' };
  const [woken] = await engine.store.claimOrders({ reference, leaseMs });
  if (woken === undefined) {
    await receiveUnknown(engine, { ...callback, reference });
    return { ...named, action: 'unknown' };
  }
  engine.reconciler.verifyWoken(woken);
  return { ...named, action: 'verify' };
}

/** Fields that only records of one kind have (interface, sections 2.5 to 2.8). */
const distinctiveFields = {
  payment: ['expectedAmount', 'chargedAmount', 'paymentMethod', 'paymentChannel'],
  payout: ['destinationAccountNumber', 'destinationBankId', 'requiresConfirmation', 'confirmationState'],
  invoice: ['amountDue', 'amountPaid', 'amountRemaining', 'daysUntilDue'],
  dedicated_account: ['accountRequestCode'],
} as const;

/** Returns the kind of record, by the fields of `data`: the event's name is not signed. */
function kindOf(data: Callback['data']): CallbackKind {
  const has = (field: string): boolean => Object.hasOwn(data, field) && data[field] !== null;
  for (const [kind, fields] of Object.entries(distinctiveFields))
    if (fields.some(has)) return kind as CallbackKind;
  // A payment's account has a reference; a customer's does not.
  return has('accountNumber') && !has('reference') ? 'dedicated_account' : 'unknown';
}

type SignedText = Omit<SignedCallback, 'countFailure'>;

/** @throws {SignatureError} after what else may make the callback valid has been tried */
async function parse(engine: Engine, { countFailure, ...signed }: SignedCallback): Promise<Callback> {
  const { client, callbackUrl } = engine;
  try {
    return await client.parseCallback({ ...signed, callbackUrl });
  } catch (error) {
    if (!(error instanceof SignatureError)) throw error;
    countFailure();
    if (error.code === 'signature_mismatch') return parseForEarlierAddress(engine, signed, error);
    if (error.code === 'timestamp_out_of_tolerance') return parseAtCurrentTime(engine, signed, error);
    throw error;
  }
}

/** Verifies the signature with the address that the payment was registered with. The unverified body serves only to find it. */
async function parseForEarlierAddress(
  { client, store, callbackUrl }: Engine,
  signed: SignedText,
  mismatch: SignatureError,
): Promise<Callback> {
  const reference = readName((JSON.parse(signed.rawBody) as { data?: unknown }).data, 'reference');
  const { record } = await store.find({ reference: reference ?? '' });
  const payment = record === null ? undefined : findPayment(record, reference ?? '');
  const registered = isShown(payment) ? payment.opened.callbackUrl : undefined;
  if (registered === undefined || registered === callbackUrl) throw mismatch;
  return client.parseCallback({ ...signed, callbackUrl: registered });
}

/** Shorter than a sender waits for its response. */
const clockPatienceMs = 4000;

/** Checks the timestamp again after a verification, whose response brings the service's time. Only a signed callback, however old, causes it. */
async function parseAtCurrentTime(
  { client, verifier, callbackUrl, wait, log }: Engine,
  signed: SignedText,
  outOfTolerance: SignatureError,
): Promise<Callback> {
  const signedAtMs = Number(signed.timestamp) * 1000;
  const { data } = await client.parseCallback({ ...signed, callbackUrl, now: signedAtMs }).catch(() => {
    throw outOfTolerance;
  });
  const reference = readName(data, 'reference');
  if (reference === undefined) throw outOfTolerance;
  const ended = verifier.verifyQueued(reference, 'callback').then(({ work }) => work);
  await within(wait, clockPatienceMs, () => ended).catch((error: unknown) =>
    log({ type: 'verificationFailed', reference, error }),
  );
  return client.parseCallback({ ...signed, callbackUrl });
}

/** Asks the service for the reference of a payment that the callback names only by its id. */
async function referenceOfId({ client }: Engine, data: Callback['data']): Promise<string | undefined> {
  const id = readName(data, 'id');
  if (id === undefined) return undefined;
  return (await ifFound(client.payments.retrieve(id, verifyOptions))).reference;
}

/** Safe to use in a database query: the text is used before its signature is verified. */
const Name = v.pipe(
  Identifier,
  v.maxLength(500),
  v.check((text) => !/\p{Cc}/u.test(text)),
);

function readName(data: unknown, field: 'reference' | 'id'): string | undefined {
  const name = (data as Record<string, unknown> | null | undefined)?.[field];
  return v.is(Name, name) ? name : undefined;
}

/** No retry: after a failure, the service sends the callback again. */
const verifyOptions = { maxRetries: 0, timeoutMs: 10_000 };

/** Returns no field if the callback names a payout, or something else. */
const ifFound = (response: Promise<Payment>): Promise<Partial<Payment>> =>
  response.catch((error: unknown) => {
    if (error instanceof PaymentsError && error.code === 'not_found') return {};
    throw error;
  });

/** As many as a person reads. */
const maxListed = 20;

/** @throws {CheckoutError} `internal_error` with what the handler throws as its cause */
async function receiveUnknown(
  { onUnknownPayment, unknownPayments, log }: Engine,
  payment: UnknownPayment,
): Promise<void> {
  const { reference } = payment;
  try {
    await onUnknownPayment?.(payment);
  } catch (cause) {
    throw new CheckoutError('internal_error', `onUnknownPayment has failed for ${reference}.`, { cause });
  }
  if (onUnknownPayment !== undefined) return;
  log({ type: 'unknownPayment', reference, message });
  unknownPayments.delete(reference);
  unknownPayments.add(reference);
  for (const oldest of unknownPayments) if (unknownPayments.size > maxListed) unknownPayments.delete(oldest);
}

const message =
  'The service has sent a callback about a payment of no order here. Pass onUnknownPayment to createCheckout to receive such callbacks.';
