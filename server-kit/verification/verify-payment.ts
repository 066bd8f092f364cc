import { CheckoutError } from '../../src/contract/index.ts';
import type { Dialect } from '../api/dialect.ts';
import type { Payment } from '../api/payment.ts';
import type { PaymentsClient } from '../client/client.ts';
import { PaymentsError } from '../errors/payments-error.ts';
import { toCheckoutError } from '../errors/to-checkout-error.ts';
import { type Merged, markLateConfirmation, mergeObservation } from '../payments/merge-observation.ts';
import { markNotFound, unmarkNotFound } from '../payments/not-found.ts';
import { hasPaid, isSamePayment } from '../payments/outcome.ts';
import type { Recorder } from '../payments/recorder.ts';
import { isClosedUnseen, mergeClosedUnseen } from '../payments/unmatched-payment.ts';
import { adoptPayment, isUnopenedLink, mergeUnopened } from '../payments/unopened-link.ts';
import type { PaymentRecord } from '../stores/payment-record.ts';
import type { Store } from '../stores/store.ts';
import type { Log } from '../telemetry/log.ts';
import type { IgnoredReason } from '../telemetry/log-event.ts';

export type VerifyOptions = {
  payments: PaymentsClient;
  store: Store;
  recorder: Recorder;
  dialect: Readonly<Dialect>;
  log: Log;
};

/** With one retry, short enough for a shopper to get a response within 15 seconds. */
const callOptions = { maxRetries: 1, timeoutMs: 5000 };

/** Each lost write is another instance's progress; this many in a row are a fault of the store. */
const maxMerges = 8;

/**
 * Asks the service for the payment, merges the response into its record, and stores the record.
 *
 * @throws {CheckoutError} `service_unavailable`, `service_rejected`; `internal_error` if the store accepts no write
 */
export async function verifyAndMerge(options: VerifyOptions, known: PaymentRecord): Promise<PaymentRecord> {
  const { store, recorder, log } = options;
  const merge = await fetchMerge(options, known);
  let record: PaymentRecord = known;
  for (let merges = 0; merges < maxMerges; merges++) {
    const { record: next, ignored, fees } = merge(record);
    if (ignored !== undefined) log({ type: 'responseIgnored', reference: record.reference, ...ignored });
    if (next === record) return closeIfOrderPaid(options, record);
    const stored = await recorder.save(await markSecondPayment(options, record, next));
    if (stored !== undefined) {
      logChanges(log, record, stored);
      const { reference, orderId } = stored;
      if (fees !== undefined) log({ type: 'feeUnreadable', reference, orderId, fees });
      return stored;
    }
    // Another write came first: merge into its result.
    record = (await store.findByReference(known.reference)) ?? known;
  }
  throw new CheckoutError('internal_error', `The store did not take the new state of ${known.reference}.`);
}

/** The first payment that is stored as paid has paid the order, because its handler was called; dates do not matter. */
async function markSecondPayment(
  { store }: VerifyOptions,
  before: PaymentRecord,
  next: PaymentRecord,
): Promise<PaymentRecord> {
  const { outcome, orderId, reference } = next;
  if ((outcome !== 'paid' && outcome !== 'amountMismatch') || before.outcome === outcome) return next;
  const order = await store.listByOrder(orderId);
  const isSecond = order.some((other) => hasPaid(other) && other.reference !== reference);
  if (!isSecond) return next;
  // Only more money than was reported before is new.
  const reported = before.isSecondPayment ? before.outcomeAmount : next.reportedAmount;
  return { ...next, isSecondPayment: true, ...(reported && { outcomeAmount: reported }) };
}

/** Closes an open payment of a paid order, in case the instance that recorded the order as paid ended before it did. */
async function closeIfOrderPaid(
  { store, recorder }: VerifyOptions,
  record: PaymentRecord,
): Promise<PaymentRecord> {
  if (record.attempt === 1 || record.outcome !== 'pending') return record;
  return recorder.replaceIfPaidBy(await store.listByOrder(record.orderId), record);
}

type Ignored = { reason: IgnoredReason; status: string; updatedAt: string };
type Merge = (record: PaymentRecord) => {
  record: PaymentRecord;
  ignored?: Ignored;
  /** The unreadable fees. */
  fees?: readonly string[] | undefined;
};

/** Sends one request to the service. Returns the function that merges its response, and can do so again after a lost write. */
async function fetchMerge({ payments, dialect }: VerifyOptions, known: PaymentRecord): Promise<Merge> {
  const sentAt = payments.serviceNow();
  try {
    const payment = await payments.payments.verify(known.reference, callOptions);
    const serviceNow = payments.serviceNow();
    return (record) => {
      const found = unmarkNotFound(record);
      const { record: merged, ignored } = mergePayment(found, payment, { dialect, serviceNow });
      const { status, updatedAt, unreadableFees: fees } = payment;
      return {
        fees,
        record: markLateConfirmation(merged, serviceNow),
        ...(ignored && { ignored: { reason: ignored, status, updatedAt } }),
      };
    };
  } catch (error) {
    const isUnknown = error instanceof PaymentsError && error.code === 'not_found';
    if (isUnknown && isClosedUnseen(known)) return (record) => ({ record });
    // A response with a wrong date must not expire a link: the estimate before it must agree.
    const serviceNow = Math.min(sentAt, payments.serviceNow());
    if (isUnknown && isUnopenedLink(known))
      return (record) => ({ record: mergeUnopened(record, serviceNow) });
    const marked = isUnknown ? markNotFound(known, serviceNow) : undefined;
    if (marked === undefined) throw toCheckoutError(error);
    return (record) => ({ record: markNotFound(record, serviceNow) ?? record });
  }
}

const notFoundAdvice =
  'The payments service does not know this payment, which it has created. Probably the sandbox was restarted without its records ' +
  '(keep them with --data), or baseUrl and the keys are of another environment. In test mode the shopper can get a new account. In ' +
  'live mode the order gets no other account: ask the service about this payment.';

/** Called only by the instance that wrote the change, so that each event is logged once. */
function logChanges(log: Log, before: PaymentRecord, after: PaymentRecord): void {
  const { reference, orderId, confirming } = after;
  if (confirming?.isLate && !before.confirming?.isLate)
    log({ type: 'confirmationLate', reference, orderId, since: confirming.since });
  if (after.isReversedUnpaid && !before.isReversedUnpaid) log({ type: 'reversedUnpaid', reference, orderId });
  if (after.notFoundSince !== undefined)
    log({ type: 'paymentNotFound', reference, orderId, advice: notFoundAdvice });
}

function mergePayment(
  known: PaymentRecord,
  payment: Payment,
  options: { dialect: Readonly<Dialect>; serviceNow: number },
): Merged {
  const { currency } = known.amount;
  if (isClosedUnseen(known) && payment.currency === currency)
    return mergeClosedUnseen(known, payment, options);
  const record = adoptPayment(known, payment);
  if (isSamePayment(payment, record)) {
    const merged = mergeObservation(record, payment, options.dialect);
    return merged.ignored === undefined ? merged : { ...merged, record: known };
  }
  if (record !== known) return { record, ignored: 'otherPayment' };
  const detail = `The service responded for ${record.reference} with another payment, currency or mode; the response was ignored.`;
  throw new CheckoutError('service_rejected', detail);
}
