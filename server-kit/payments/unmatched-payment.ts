import type { Dialect } from '../api/dialect.ts';
import type { Payment } from '../api/payment.ts';
import type { OpenedPayment, PaymentRecord } from '../stores/store.ts';
import { type Merged, mayHoldMoney, mergeObservation } from './outcome.ts';
import { isOpened } from './payment-view.ts';

type Identity = { id: string; liveMode: boolean };

/** What is recorded of a payment whose account nobody was shown: who it is, and since when we know of it. */
function openedUnseen({ id, liveMode }: Identity, serviceNow: number): OpenedPayment {
  const at = new Date(serviceNow).toISOString();
  const account = { number: '', name: '', bankName: '' };
  return { paymentId: id, account, openedAt: at, expiresAt: at, liveMode };
}

/**
 * The record of a payment that we did not make, or have forgotten: no order, nothing asked for, and nobody to be shown an
 * account. Its money is unexpected once it was verified.
 */
export function toUnmatchedRecord(
  reference: string,
  { currency, ...identity }: Identity & { currency: string },
  serviceNow: number,
): PaymentRecord {
  return {
    reference,
    orderId: `stray:${reference}`,
    attempt: 1,
    amount: { value: 0, currency },
    opened: openedUnseen(identity, serviceNow),
    observed: null,
    outcome: 'replaced',
    createdAt: new Date(serviceNow).toISOString(),
    version: 1,
  };
}

/** Whether the payment was closed before its account was known: its response was lost, and the service may have made it. */
export const isClosedUnseen = (record: PaymentRecord): boolean =>
  record.outcome === 'replaced' && !isOpened(record);

/**
 * Merges a response about a payment that was closed before its account was known. Without money there is nothing to record
 * of it. With money, which a link in an e-mail can bring, it is recorded as a payment that no order waits for.
 */
export function mergeClosedUnseen(
  record: PaymentRecord,
  payment: Payment,
  { dialect, serviceNow }: { dialect: Readonly<Dialect>; serviceNow: number },
): Merged {
  const merged = mergeObservation({ ...record, opened: openedUnseen(payment, serviceNow) }, payment, dialect);
  return mayHoldMoney(merged.record) ? merged : { record };
}
