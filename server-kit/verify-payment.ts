import { CheckoutError } from '../src/contract/index.ts';
import type { Payment } from './api/payment.ts';
import type { PaymentsClient } from './client.ts';
import type { Dialect } from './dialect.ts';
import type { Log } from './guard/log.ts';
import { adoptPayment, isNotOpenedYet, mergeUnopened } from './make-link.ts';
import { isSamePayment, markLateConfirmation, mergeObservation } from './outcome.ts';
import type { Recorder } from './recorder.ts';
import type { PaymentRecord, Store } from './stores/store.ts';
import { toCheckoutError } from './upstream-error.ts';

export type VerifyOptions = {
  payments: PaymentsClient;
  store: Store;
  recorder: Recorder;
  dialect: Readonly<Dialect>;
  log: Log;
};

/** One retry: whoever waits for this look is better served by an honest "not now" than by a long silence. */
const verifyOptions = { maxRetries: 1, timeoutMs: 10_000 };

/** Each lost write is somebody else's progress; so many in a row are a fault of the store. */
const maxMerges = 8;

/** What the service says of the payment now, merged into its record and stored. */
export async function verifyAndMerge(
  { payments, store, recorder, dialect, log }: VerifyOptions,
  known: PaymentRecord,
): Promise<PaymentRecord> {
  const payment = await payments.payments.verify(known.reference, verifyOptions).catch((cause: unknown) => {
    if (isNotOpenedYet(known, cause)) return undefined;
    throw toCheckoutError(cause);
  });
  let record: PaymentRecord = known;
  const serviceNow = payments.serviceNow();
  for (let merges = 0; merges < maxMerges; merges++) {
    const next =
      payment === undefined
        ? mergeUnopened(record, serviceNow)
        : markLateConfirmation(mergePayment(record, payment, dialect), serviceNow);
    if (next === record) return record;
    const stored = await recorder.save(next);
    if (stored !== undefined) {
      warnOfLateConfirmation(log, record, stored);
      warnOfUnreadableFees(log, stored, payment);
      return stored;
    }
    // Another write came first: merge into what it left.
    record = (await store.findByReference(known.reference)) ?? known;
  }
  throw new CheckoutError('internal_error', `The store did not take the new state of ${known.reference}.`);
}

/** By whoever has written the mark: once, however many instances look. */
function warnOfLateConfirmation(
  log: Log,
  before: PaymentRecord,
  { confirming, ...after }: PaymentRecord,
): void {
  if (!confirming?.isLate || before.confirming?.isLate) return;
  const { reference, orderId } = after;
  log({ type: 'confirmationLate', reference, orderId, since: confirming.since });
}

/** Where a change was stored, and not at each look: the fees stay unreadable for as long as the service sends them so. */
function warnOfUnreadableFees(
  log: Log,
  { reference, orderId }: PaymentRecord,
  payment: Payment | undefined,
): void {
  const fees = payment?.unreadableFees;
  if (fees !== undefined) log({ type: 'feeUnreadable', reference, orderId, fees });
}

function mergePayment(known: PaymentRecord, payment: Payment, dialect: Readonly<Dialect>): PaymentRecord {
  const record = adoptPayment(known, payment);
  if (isSamePayment(payment, record)) return mergeObservation(record, payment, dialect);
  const detail = `The service answered for ${record.reference} with another payment, currency or mode; nothing was believed.`;
  throw new CheckoutError('service_rejected', detail);
}
