import { CheckoutError } from '../../../src/contract/index.ts';
import { PaymentsError, toCheckoutError } from '../../core/errors.ts';
import { isWhole } from '../../core/payment.ts';
import type { IgnoredReason, Observed } from '../order/merge.ts';
import { isMissing, lateConfirmationMs, reportedAmount } from '../order/money.ts';
import { observe, observeMissing, readResponse, type ServiceResponse } from '../order/observe.ts';
import { findPayment, isShown, type Order, type ShownPayment } from '../order/record.ts';
import { isSettled, outcomeOf } from '../order/view.ts';
import type { Log } from '../telemetry/log.ts';
import { isLimited } from '../verification/bucket.ts';
import type { Known, Pace, Verified } from '../verification/verifier.ts';
import type { Engine } from './engine.ts';

type Verifying = Pick<Engine, 'client' | 'store' | 'records' | 'log'>;

/** With one retry, short enough for a shopper to get a response in time. After a 429, it waits for a permit instead. */
const callOptions = { maxRetries: 1, timeoutMs: 5000, shouldRetry: (error: unknown) => !isLimited(error) };

type Response = { payment: ServiceResponse; serviceNow: number } | { missing: unknown; serviceNow: number };

/**
 * Returns what asks the service about a payment, merges the response into its record, and stores it.
 *
 * @throws {CheckoutError} `service_unavailable`, `service_rejected`; `internal_error` if the store accepts no write
 */
export const verifyPaymentWith =
  (engine: Verifying) =>
  async (reference: string, known?: Known): Promise<Verified> => {
    const { stored: found = await engine.store.find({ reference }), claim = null } = known ?? {};
    const nothing = { isEvidence: false, endedClaim: null, pace: paceOf(found.record, reference) };
    if (found.record === null) return { ...nothing, stored: undefined };
    // While an instance opens a payment, its account is not recorded yet.
    if (isOpening(found.record, reference)) return { ...nothing, stored: found };
    const response = await ask(engine, reference, found.storeNow);
    let merged: Observed<Order> = { record: found.record, ignored: null };
    let before: Order = found.record;
    const change = (record: Order): Order => {
      before = record;
      merged = merge(record, reference, response);
      return merged.record;
    };
    const stored = await engine.records.update(found, change, claim);
    if (stored === undefined) return { ...nothing, stored };
    const { record } = stored;
    logVerified(engine, reference, { before, after: record, response, ignored: merged.ignored });
    if (record === before && merged.ignored === 'otherPayment') refuseOtherPayment(record, reference);
    return {
      stored,
      pace: paceOf(record, reference),
      isEvidence: merged.ignored === null,
      endedClaim: record === before ? null : claim,
    };
  };

const isOpening = (record: Order, reference: string): boolean =>
  findPayment(record, reference)?.state === 'opening';

async function ask({ client }: Verifying, reference: string, storeNow: number): Promise<Response> {
  const sentAt = client.serviceNow();
  try {
    const payment = await client.payments.verify(reference, callOptions);
    return { payment: readResponse(payment), serviceNow: client.serviceNow() };
  } catch (error) {
    if (!(error instanceof PaymentsError) || error.code !== 'not_found') throw toCheckoutError(error);
    // A response with a wrong date must not expire a link: the estimate before it, and the store's clock, must agree.
    return { missing: error, serviceNow: Math.min(sentAt, client.serviceNow(), storeNow) };
  }
}

/** @throws {CheckoutError} if the service does not know a payment that it may have created seconds ago */
function merge(record: Order, reference: string, response: Response): Observed<Order> {
  if ('missing' in response) {
    const marked = observeMissing(record, reference, response.serviceNow);
    if (marked === null) throw notKnownYet(response.missing);
    return { record: marked, ignored: null };
  }
  return observe(record, reference, response.payment);
}

function notKnownYet(cause: unknown): CheckoutError {
  const message = 'The payments service may not know the payment yet; try again.';
  return new CheckoutError('service_unavailable', message, { cause, retryAfterSeconds: 3 });
}

/** A link may get another payment; an account never does. */
function refuseOtherPayment(record: Order, reference: string): void {
  const payment = findPayment(record, reference);
  if (!isShown(payment) || payment.opened.kind === 'link') return;
  const detail = `The service responded for ${reference} with another payment, currency or mode; the response was ignored.`;
  throw new CheckoutError('service_rejected', detail);
}

const notFoundAdvice =
  'The payments service does not know this payment, which it has created. Probably the sandbox was restarted without its records ' +
  '(keep them with --data), or baseUrl and the keys are of another environment. In test mode the shopper can get a new account. In ' +
  'live mode the order gets no other account: ask the service about this payment.';

type Change = { before: Order; after: Order; response: Response; ignored: IgnoredReason | null };

function logVerified({ log }: Verifying, reference: string, change: Change): void {
  const { before, after, response, ignored } = change;
  if (ignored !== null && 'payment' in response) {
    const { status, updatedAt } = response.payment;
    log({ type: 'responseIgnored', reference, reason: ignored, status, updatedAt });
  }
  logLateConfirmation(log, after, response.serviceNow);
  // Only the instance that wrote a change logs it, so that each is logged once.
  if (after === before) return;
  const [known, next] = [findPayment(before, reference), findPayment(after, reference)];
  if (!isShown(known) || !isShown(next)) return;
  const { orderId } = after;
  if (isReversedUnpaid(before, known, next)) log({ type: 'reversedUnpaid', reference, orderId });
  if (next.missingSince !== null)
    log({ type: 'paymentNotFound', reference, orderId, advice: notFoundAdvice });
}

/** Whether a reversal has taken back money that was never confirmed. */
const isReversedUnpaid = (before: Order, known: ShownPayment, next: ShownPayment): boolean =>
  next.observed?.status === 'reversed' &&
  known.observed?.status !== 'reversed' &&
  reportedAmount(before, next.reference) === 0;

/** Logs money that has waited long for its confirmation; the log keeps one entry per payment. */
function logLateConfirmation(log: Log, { orderId, payments }: Order, serviceNow: number): void {
  for (const payment of payments) {
    const since = isShown(payment) ? payment.observed?.confirmingSince : undefined;
    if (payment.state !== 'open' || since === undefined) continue;
    if (serviceNow - Date.parse(since) < lateConfirmationMs) continue;
    log({ type: 'confirmationLate', reference: payment.reference, orderId, since });
  }
}

/** Returns how often a payment is worth verifying while a shopper waits for it. */
function paceOf(record: Order | null, reference: string): Pace {
  const payment = record === null ? undefined : findPayment(record, reference);
  if (record === null || !isShown(payment)) return 'settled';
  const { observed, amount } = payment;
  if (isSettled(outcomeOf(record, payment)) || (observed && isWhole(observed, amount))) return 'settled';
  return isMissing(payment) ? 'missing' : 'waiting';
}
