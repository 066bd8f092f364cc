import type { PaymentPreference } from '../../src/contract/index.ts';
import { abortAfter, type Wait } from '../async/wait.ts';
import type { LiveMode } from '../payments/live-mode.ts';
import { isLostTestPayment } from '../payments/not-found.ts';
import { isSameAmount, type Order } from '../payments/order.ts';
import { countsForOrder, decidingPayment } from '../payments/order-view.ts';
import type { OpenedRecord } from '../payments/payment-view.ts';
import type { PaymentRecord } from '../stores/payment-record.ts';
import type { Store } from '../stores/store.ts';
import type { Log } from '../telemetry/log.ts';
import type { Verifier } from '../verification/verifier.ts';
import { verifyPatiently } from '../verification/verify-order.ts';
import { patienceMs } from './get-or-create.ts';
import type { OrderPayment } from './session.ts';

/** Which payment of an order a page gets. */
export type PaymentChoice = {
  /** The references that the page names, because its browser has stored them; of any order, and not trusted. */
  named: ReadonlySet<string>;
  preference: PaymentPreference | undefined;
};

export type NamedPaymentOptions = {
  store: Store;
  liveMode: LiveMode;
  verifier: Verifier;
  wait: Wait;
  log: Log;
};

/**
 * Returns the payment that a page shows again: the newest of those that it names and that belong to the order, expired and failed
 * ones included, after a verification. So a reload never opens a second account. If another payment of the order has paid it, or
 * may hold its money, the view describes that one, under the reference that the page knows. Creates and replaces nothing.
 *
 * Returns `undefined` if the page names no payment of the order, or only such that nobody should pay any more: replaced, lost by the
 * service in test mode, or for another amount than the order costs now.
 *
 * @throws {CheckoutError} `invalid_options` as `LiveMode` does
 */
export async function findNamedPayment(
  options: NamedPaymentOptions,
  order: Order,
  named: ReadonlySet<string>,
): Promise<OrderPayment | undefined> {
  if (named.size === 0) return undefined;
  const stored = await options.store.listByOrder(order.orderId);
  if (!stored.some(({ reference }) => named.has(reference))) return undefined;
  options.liveMode.checkRecords(stored);
  await verifyForReload(options, stored);
  // Again: while the service was asked, money may have come, or the payment may have been replaced.
  const records = await options.store.listByOrder(order.orderId);
  const deciding = decidingPayment(records);
  const isShownAgain = (record: PaymentRecord): record is OpenedRecord =>
    named.has(record.reference) && (deciding ? countsForOrder(record) : isStillRight(record, order));
  const record = records.findLast(isShownAgain) ?? deciding;
  return record && { record, created: false, records };
}

/** Verifies the payments that count for the order, as far as the service responds in time. */
async function verifyForReload(
  options: NamedPaymentOptions,
  records: readonly PaymentRecord[],
): Promise<void> {
  const { signal: patience, cancel } = abortAfter(options.wait, patienceMs);
  const counting = records.filter(countsForOrder);
  await Promise.all(
    counting.map(({ reference }) => verifyPatiently({ ...options, patience }, reference)),
  ).finally(cancel);
}

const isStillRight = (record: PaymentRecord, { amount }: Order): boolean =>
  countsForOrder(record) && !isLostTestPayment(record) && isSameAmount(record.amount, amount);
