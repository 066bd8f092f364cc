import { CheckoutError } from '../../../src/contract/index.ts';
import type { Dialect } from '../../client/api/dialect.ts';
import type { PaymentsClient } from '../../client/client.ts';
import { PaymentsError } from '../../client/errors/payments-error.ts';
import type { Verifier } from '../budget/verifier.ts';
import type { IgnoredReason } from '../order/merge.ts';
import { isLostLive, isMissing, isWhole } from '../order/money.ts';
import { observe, observeMissing } from '../order/observe.ts';
import { findPayment, isShown, type Order } from '../order/order.ts';
import { readResponse, type ServiceResponse } from '../order/response.ts';
import { observeUnmatched } from '../order/unmatched.ts';
import { isSettled, outcomeOf } from '../order/view.ts';
import type { FoundRecord, Store } from '../ports/store.ts';
import type { Log } from '../telemetry/log.ts';
import type { Records } from './records.ts';
import { toCheckoutError } from './to-checkout-error.ts';

export type VerifyOptions = {
  payments: PaymentsClient;
  store: Store;
  records: Records;
  dialect: Readonly<Dialect>;
  log: Log;
};

/** What the caller has just read, so that the verification need not read it. If it is out of date, the write finds out. */
export type Known = {
  found: FoundRecord;
  /** The claim that ends when the verification is written; `null` for none. */
  claim: number | null;
};

export type PaymentVerifier = Verifier<Verified, Known>;

/** What is stored after a verification. */
export type Verified = {
  /** `undefined` for an unknown reference. */
  found: FoundRecord | undefined;
  /** Whether it has found money that was not known before. */
  hasMoreMoney: boolean;
  /** Whether the service has said how the payment stands. An ignored response, or one about a lost live payment, is no evidence. */
  isEvidence: boolean;
  /** The claim that has ended with its write; `null` for none. */
  endedClaim: number | null;
};

/** With one retry, short enough for a shopper to get a response in time. */
const callOptions = { maxRetries: 1, timeoutMs: 5000 };

/** Each lost write is another instance's progress; this many in a row are a fault of the store. */
const maxMerges = 8;

/**
 * Asks the service about a payment, merges the response into its record, and stores the record.
 *
 * @throws {CheckoutError} `service_unavailable`, `service_rejected`; `internal_error` if the store accepts no write
 */
export async function verifyPayment(
  options: VerifyOptions,
  reference: string,
  known?: Known,
): Promise<Verified> {
  let found = known?.found ?? (await options.store.find(reference));
  if (!isVerifiable(found, reference)) return { ...unchanged(found, false), hasMoreMoney: false };
  const amount = chargedAmountOf(found, reference);
  const response = await ask(options, reference);
  for (let merges = 0; merges < maxMerges; merges++) {
    const merged = await merge(options, { found, claim: known?.claim ?? null }, reference, response);
    if (merged !== undefined) {
      return { ...merged, hasMoreMoney: chargedAmountOf(merged.found, reference) > amount };
    }
    // Another write came first: merge into its result.
    found = await options.store.find(reference);
  }
  throw new CheckoutError('internal_error', `The store did not take the new state of ${reference}.`);
}

/** While an instance opens a payment, its account is not recorded yet. */
const isVerifiable = (found: FoundRecord | undefined, reference: string): boolean =>
  found?.kind === 'unmatched' ||
  (found?.kind === 'order' && findPayment(found.record, reference)?.state !== 'opening');

type Merged = Omit<Verified, 'hasMoreMoney'>;

const unchanged = (found: FoundRecord | undefined, isEvidence: boolean): Merged => ({
  ...{ found, isEvidence, endedClaim: null },
});

type Response =
  | { payment: ServiceResponse; fees: readonly string[] | undefined; serviceNow: number }
  | { missing: unknown; serviceNow: number };

async function ask({ payments, dialect }: VerifyOptions, reference: string): Promise<Response> {
  const sentAt = payments.serviceNow();
  try {
    const payment = await payments.payments.verify(reference, callOptions);
    const fees = payment.unreadableFees;
    return { payment: readResponse(payment, dialect), fees, serviceNow: payments.serviceNow() };
  } catch (error) {
    if (!(error instanceof PaymentsError) || error.code !== 'not_found') throw toCheckoutError(error);
    // A response with a wrong date must not expire a link: the estimate before it must agree.
    return { missing: error, serviceNow: Math.min(sentAt, payments.serviceNow()) };
  }
}

/** What a response is merged into, and the claim that ends with the write. */
type Base<Found> = { found: Found; claim: Known['claim'] };

/** Returns `undefined` if another write came first. */
async function merge(
  options: VerifyOptions,
  { found, claim }: Base<FoundRecord | undefined>,
  reference: string,
  response: Response,
): Promise<Merged | undefined> {
  if (found?.kind === 'order') return mergeIntoOrder(options, { found, claim }, reference, response);
  if (found?.kind !== 'unmatched') return unchanged(found, false);
  if ('missing' in response) return unchanged(found, true);
  const { payment, ignored } = observeUnmatched(found.record, response.payment);
  logIgnored(options, response.payment, ignored);
  if (payment === found.record) return unchanged(found, ignored === null);
  const stored = await options.records.saveUnmatched(found, payment, claim);
  return stored && { found: { kind: 'unmatched', ...stored }, isEvidence: true, endedClaim: claim };
}

async function mergeIntoOrder(
  options: VerifyOptions,
  { found, claim }: Base<Extract<FoundRecord, { kind: 'order' }>>,
  reference: string,
  response: Response,
): Promise<Merged | undefined> {
  const { order, ignored } = apply(found.record, reference, response);
  if ('payment' in response) logIgnored(options, response.payment, ignored);
  const payment = findPayment(order, reference);
  const isEvidence = ignored === null && !(isShown(payment) && isLostLive(payment));
  logLateConfirmation(options, order, response.serviceNow);
  if (order === found.record) {
    if (ignored === 'otherPayment') refuseOtherPayment(order, reference);
    return unchanged(found, isEvidence);
  }
  const stored = await options.records.saveOrder(found, order, claim);
  if (stored === undefined) return undefined;
  logChanges(options, reference, { before: found.record, after: stored.record, response });
  return { found: { kind: 'order', ...stored }, isEvidence, endedClaim: claim };
}

function apply(
  order: Order,
  reference: string,
  response: Response,
): { order: Order; ignored: IgnoredReason | null } {
  if ('payment' in response) return observe(order, reference, response.payment);
  const marked = observeMissing(order, reference, response.serviceNow);
  if (marked === null) throw toCheckoutError(response.missing);
  return { order: marked, ignored: null };
}

/** A link may get another payment; an account never does. */
function refuseOtherPayment(order: Order, reference: string): void {
  const payment = findPayment(order, reference);
  if (!isShown(payment) || payment.opened.kind === 'link') return;
  const detail = `The service responded for ${reference} with another payment, currency or mode; the response was ignored.`;
  throw new CheckoutError('service_rejected', detail);
}

function logIgnored({ log }: VerifyOptions, response: ServiceResponse, reason: IgnoredReason | null): void {
  const { reference, status, updatedAt } = response;
  if (reason !== null) log({ type: 'responseIgnored', reference, reason, status, updatedAt });
}

const notFoundAdvice =
  'The payments service does not know this payment, which it has created. Probably the sandbox was restarted without its records ' +
  '(keep them with --data), or baseUrl and the keys are of another environment. In test mode the shopper can get a new account. In ' +
  'live mode the order gets no other account: ask the service about this payment.';

type Change = { before: Order; after: Order; response: Response };

/** Called only by the instance that wrote the change, so that each event is logged once. */
function logChanges({ log }: VerifyOptions, reference: string, { before, after, response }: Change): void {
  const { orderId } = after;
  const [known, next] = [findPayment(before, reference), findPayment(after, reference)];
  if (!isShown(known) || !isShown(next)) return;
  const { observed } = next;
  if (
    observed?.status === 'reversed' &&
    observed.confirmedAt === undefined &&
    known.observed?.status !== 'reversed'
  )
    log({ type: 'reversedUnpaid', reference, orderId });
  if (next.missingSince !== null)
    log({ type: 'paymentNotFound', reference, orderId, advice: notFoundAdvice });
  if ('fees' in response && response.fees !== undefined)
    log({ type: 'feeUnreadable', reference, orderId, fees: response.fees });
}

/** The service usually confirms money within seconds; after this time the merchant is warned. */
const lateConfirmationMs = 15 * 60_000;

/** Logs money that has waited long for its confirmation; the log keeps one entry a payment. */
function logLateConfirmation({ log }: VerifyOptions, { orderId, payments }: Order, serviceNow: number): void {
  for (const payment of payments) {
    const since = isShown(payment) ? payment.observed?.confirmingSince : undefined;
    if (payment.state !== 'open' || since === undefined) continue;
    if (serviceNow - Date.parse(since) < lateConfirmationMs) continue;
    log({ type: 'confirmationLate', reference: payment.reference, orderId, since });
  }
}

/** How often a payment is worth verifying while a shopper waits for it. */
export type Pace = 'waiting' | 'settled' | 'missing';

export function paceOf({ found }: Merged, reference: string): Pace {
  if (found?.kind !== 'order') return 'settled';
  const payment = findPayment(found.record, reference);
  if (!isShown(payment)) return 'settled';
  const { observed, amount } = payment;
  const isOver =
    isSettled(outcomeOf(found.record, payment)) || (observed !== null && isWhole(observed, amount));
  if (isOver) return 'settled';
  return isMissing(payment) ? 'missing' : 'waiting';
}

/** Returns the money on the payment, in minor units. */
function chargedAmountOf(found: FoundRecord | undefined, reference: string): number {
  if (found?.kind === 'unmatched') return found.record.observed?.chargedAmount ?? 0;
  if (found?.kind !== 'order') return 0;
  const payment = findPayment(found.record, reference);
  return payment === undefined || payment.state === 'opening' ? 0 : (payment.observed?.chargedAmount ?? 0);
}
