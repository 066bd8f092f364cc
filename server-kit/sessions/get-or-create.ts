import { CheckoutError } from '../../src/contract/index.ts';
import { abortAfter } from '../async/wait.ts';
import { isLostTestPayment } from '../payments/not-found.ts';
import { isSameAmount, type Order } from '../payments/order.ts';
import { decidingPayment } from '../payments/order-view.ts';
import { isOver, mayHoldMoney } from '../payments/outcome.ts';
import { isOpened, type OpenedRecord } from '../payments/payment-view.ts';
import type { PaymentRecord } from '../stores/payment-record.ts';
import { verifyEarlier, verifyPatiently } from '../verification/verify-order.ts';
import { createNext, type FoundPayment, type NextPaymentOptions, openStored } from './next-payment.ts';
import type { PaymentKind } from './open-payment.ts';
import type { OrderPayment } from './session.ts';

export type GetOrCreateOptions = Omit<NextPaymentOptions, 'deadline' | 'lost' | 'kind'>;

/** `patience` aborts when a shopper whose account is known has waited long enough for its verification. */
type StepOptions = NextPaymentOptions & { patience: AbortSignal };

/** Enough for a crash, a changed cart and a lost race one after the other; more would be a fault of the store. */
const maxSteps = 8;

/** The longest that a shopper whose account is known waits for its verification. */
export const patienceMs = 4000;

/** One request to the service may take as long. */
const deadlineMs = 12_000;

/**
 * Returns the order's payment: the one that has paid it or may hold its money, the open one, or a new one.
 *
 * A new payment is created only if there is none, or if a verification made for this decision shows that no payment of the
 * order holds money, and that the latest has expired, has failed, asks for another amount than the order costs now, or is a
 * test payment that the service has lost. Payments of the last two kinds are then replaced, expired or not: late money must not
 * pay the order at an old price. `kind` applies to a new payment only; an open payment keeps its kind, because money may be on
 * its way to it.
 *
 * Several instances may run this at once. Each step reads the order's payments, and every write is a compare-and-set: the
 * instance that loses a write starts again from what is stored.
 *
 * @throws {CheckoutError} `service_unavailable`, within 15 seconds; `service_rejected`, `internal_error`; `invalid_options`
 *   as `LiveMode` does
 */
export async function getOrCreatePayment(
  options: GetOrCreateOptions,
  order: Order,
  kind: PaymentKind,
): Promise<OrderPayment> {
  const patience = abortAfter(options.wait, patienceMs);
  const deadline = abortAfter(options.wait, deadlineMs);
  const signals = { patience: patience.signal, deadline: deadline.signal };
  const stepOptions: StepOptions = { ...options, ...signals, lost: [], kind };
  try {
    for (let step = 0; step < maxSteps; step++) {
      if (signals.deadline.aborted) throw takesTooLong();
      const found = await takeStep(stepOptions, order);
      if (found !== undefined) return await withOrder(options, order, found);
    }
  } catch (error) {
    throw error === signals.deadline.reason ? takesTooLong() : error;
  } finally {
    patience.cancel();
    deadline.cancel();
  }
  throw new CheckoutError(
    'internal_error',
    `No payment could be settled on for order ${order.orderId}; try again.`,
  );
}

export const takesTooLong = (): CheckoutError =>
  new CheckoutError('service_unavailable', 'The payment takes longer than usual; try again.', {
    retryAfterSeconds: 3,
  });

/** Reads the order again: money may have arrived on another payment meanwhile, which then decides. */
async function withOrder(
  { store }: GetOrCreateOptions,
  order: Order,
  found: FoundPayment,
): Promise<OrderPayment> {
  const records = await store.listByOrder(order.orderId);
  const deciding = decidingPayment(records);
  const isAnother = deciding !== undefined && deciding.reference !== found.record.reference;
  return isAnother ? { record: deciding, created: false, records } : { ...found, records };
}

/** Takes one step towards the order's payment. Returns `undefined` where the next step must start from what is stored. */
async function takeStep(options: StepOptions, order: Order): Promise<FoundPayment | undefined> {
  const stored = await options.store.listByOrder(order.orderId);
  options.liveMode.checkRecords(stored);
  const records = await verifyEarlier(options, stored);
  const latest = records.at(-1);
  const deciding = decidingPayment(records);
  if (deciding !== undefined && deciding.reference !== latest?.reference) {
    if (latest !== undefined) await options.recorder.replaceIfPaidBy([deciding], latest);
    return { record: deciding, created: false };
  }
  if (latest === undefined || latest.outcome === 'replaced') return createNext(options, order, records);
  if (isOpened(latest)) return keepOpened(options, order, records, latest);
  return openStored(options, order, records, latest);
}

/** Returns the latest payment if the shopper should still pay it, or the next one in its place. */
async function keepOpened(
  options: StepOptions,
  order: Order,
  records: readonly PaymentRecord[],
  latest: OpenedRecord,
): Promise<FoundPayment | undefined> {
  const { payments, verifier, recorder, deadline } = options;
  const known = await verifiedRecord(options, order, latest);
  // Where the budget was used up, an account past its expiry may still be recorded as open.
  const isDecided = mayHoldMoney(known) || Date.parse(known.opened.expiresAt) > payments.serviceNow();
  if (isDecided && isRightFor(known, order)) return { record: known, created: false };
  const current = await verifier.verifyNow(latest.reference, deadline);
  if (!isOpened(current)) return undefined;
  if (isRightFor(current, order)) return { record: current, created: false };
  if (isOver(current) && isSameAmount(current.amount, order.amount))
    return createNext(options, order, records);
  await recorder.replace(current);
  return undefined;
}

/** Whether the shopper should pay this payment: it holds money, or is open and asks for what the order costs. */
function isRightFor(record: OpenedRecord, order: Order): boolean {
  const isOpen = !isOver(record) && !isLostTestPayment(record);
  return mayHoldMoney(record) || (isOpen && isSameAmount(record.amount, order.amount));
}

/**
 * Returns the latest payment after a verification, because the record may be out of date. If the payment holds money, or is
 * open and asks for the right amount, a verification that fails or takes long does not matter: the payment is kept anyway.
 */
async function verifiedRecord(
  options: StepOptions,
  order: Order,
  latest: OpenedRecord,
): Promise<OpenedRecord> {
  const isOpen = Date.parse(latest.opened.expiresAt) > options.payments.serviceNow();
  const isKept = mayHoldMoney(latest) || (isOpen && isSameAmount(latest.amount, order.amount));
  const verified = isKept
    ? await verifyPatiently(options, latest.reference)
    : await options.verifier.verify(latest.reference);
  return isOpened(verified) ? verified : latest;
}
