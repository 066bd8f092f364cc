import type { Dialect } from '../api/dialect.ts';
import type { Payment } from '../api/payment.ts';
import type { OpenedPayment, PaymentRecord } from '../stores/payment-record.ts';
import { type Merged, mergeObservation } from './merge-observation.ts';
import { mayHoldMoney } from './outcome.ts';
import { isOpened } from './payment-view.ts';

type Identity = { id: string; liveMode: boolean };

/** Returns the identity of a payment whose account was never shown. */
function openedUnseen({ id, liveMode }: Identity, serviceNow: number): OpenedPayment {
  const at = new Date(serviceNow).toISOString();
  const account = { number: '', name: '', bankName: '' };
  return { paymentId: id, account, openedAt: at, expiresAt: at, liveMode };
}

/**
 * Returns the record of a payment that we did not create, or have deleted: it has no order, no amount and no account to show.
 * Money on it is unexpected.
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

/** Whether the payment was closed before its account was known: the service may have created it. */
export const isClosedUnseen = (record: PaymentRecord): boolean =>
  record.outcome === 'replaced' && !isOpened(record);

/**
 * Merges a response about a payment that was closed before its account was known. A payment without money is not recorded.
 * One with money, which a link in an e-mail can bring, is recorded as an unmatched payment.
 */
export function mergeClosedUnseen(
  record: PaymentRecord,
  payment: Payment,
  { dialect, serviceNow }: { dialect: Readonly<Dialect>; serviceNow: number },
): Merged {
  const merged = mergeObservation({ ...record, opened: openedUnseen(payment, serviceNow) }, payment, dialect);
  return mayHoldMoney(merged.record) ? merged : { record };
}
