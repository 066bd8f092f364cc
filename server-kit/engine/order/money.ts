import type { Money } from '../../../src/contract/index.ts';
import { holdsMoney } from '../../core/payment.ts';
import {
  isShown,
  type KnownPayment,
  type Observation,
  type OpenPayment,
  type Order,
  type Payment,
  type ShownPayment,
} from './record.ts';

/** The service usually confirms money within seconds; after this time a person is told. */
export const lateConfirmationMs = 15 * 60_000;

/**
 * Returns the money that the service has confirmed, in minor units; `null` if this status says nothing about it. `expired` is the
 * last word about a part that arrived before; a full amount is still to be confirmed. `failed` confirms nothing new: the service has given
 * the charge up.
 */
export function confirmedAmount({ status, chargedAmount, expectedAmount }: Observation): number | null {
  switch (status) {
    case 'succeeded':
      return chargedAmount;
    case 'expired':
      return chargedAmount < expectedAmount ? chargedAmount : null;
    case 'reversed':
      return 0;
    default:
      return null;
  }
}

/** Whether a reversal, or a failure, has left no money on the payment: what was confirmed before has been taken back. */
export const isEmptied = (observed: Observation): boolean =>
  (observed.status === 'reversed' || observed.status === 'failed') && !holdsMoney(observed);

/** Whether money is on the payment that the service has neither confirmed nor given up. */
export const isUnconfirmed = (observed: Observation): boolean =>
  holdsMoney(observed) && observed.status !== 'failed' && confirmedAmount(observed) === null;

/** Whether money is on the payment that the service has neither confirmed nor given back. */
export const holdsUnconfirmed = (observed: Observation): boolean =>
  isUnconfirmed(observed) || (observed.status === 'failed' && holdsMoney(observed));

/** Returns the confirmed money of a payment of which the merchant was notified, in minor units. */
export const reportedAmount = ({ reported }: Order, reference: string): number =>
  reported.money[reference]?.amount ?? 0;

/** Returns the confirmed money of an order. */
export const keptMoney = (order: Order, currency: string): Money => ({
  currency,
  value: order.payments
    .filter(({ amount }) => amount.currency === currency)
    .reduce((sum, { reference }) => sum + reportedAmount(order, reference), 0),
});

/** Whether a shopper who may still pay must be told that the service does not know the payment. */
export const isMissing = ({ state, missingSince, observed }: KnownPayment): boolean =>
  state === 'open' &&
  missingSince !== null &&
  (observed === null || !isEnded(observed) || observed.status === 'expired');

type Losable = Partial<Pick<KnownPayment, 'missingSince' | 'opened'>>;

/** Whether the service has lost a test payment: no real money can be on it, so that another may take its place. */
export const isLostTest = ({ missingSince, opened }: Losable): boolean =>
  typeof missingSince === 'string' && opened?.liveMode === false;

/** Whether the service has lost a live payment: nobody can say whether money is on it. */
export const isLostLive = ({ missingSince, opened }: Losable): boolean =>
  typeof missingSince === 'string' && opened?.liveMode === true;

/** Whether a shopper's money may be on this payment. Such a payment is never replaced. */
export const mayHoldMoney = (payment: Losable & { observed: Observation | null }): boolean =>
  payment.observed !== null && holdsMoney(payment.observed) && !isLostTest(payment);

export const countsForOrder = (payment: Payment): payment is OpenPayment => payment.state === 'open';

/**
 * Returns the payment that decides what the shopper sees, whichever payment of the order the browser knows: the one that has paid
 * the order, or else one that may hold its money. A reversed order stays decided: the merchant is notified of what comes after it.
 */
export function decidingPayment(order: Order): ShownPayment | undefined {
  const paid = order.payments.find(({ reference }) => reference === order.reported.paid?.by);
  if (isShown(paid)) return paid;
  const funded = order.payments.filter(countsForOrder).filter(mayHoldMoney);
  return (
    funded.findLast(({ observed }) => observed?.confirmingSince !== undefined) ??
    funded.findLast(({ observed }) => observed !== null && !isEnded(observed)) ??
    funded.at(-1)
  );
}

/** Whether the payment has ended, as far as the service has said. Money may still arrive. */
export const isEnded = ({ status }: Observation): boolean =>
  status === 'expired' || status === 'failed' || status === 'reversed' || status === 'succeeded';

/** Returns the money that was reported on the order's other payments, in the currency of this one. */
export const reportedOnOthers = (
  order: Order,
  { reference, amount: { currency } }: Pick<Payment, 'reference' | 'amount'>,
): number =>
  order.payments
    .filter((payment) => payment.reference !== reference && payment.amount.currency === currency)
    .reduce((sum, payment) => sum + reportedAmount(order, payment.reference), 0);

/** What an unpaid order waits for, for the gauges; `null` if nothing more is expected. */
export function awaitedBy({ payments, reported }: Order): 'money' | 'confirmation' | null {
  if (reported.paid !== null) return null;
  const isConfirming = payments.some(
    (payment) => countsForOrder(payment) && payment.observed?.confirmingSince !== undefined,
  );
  if (isConfirming) return 'confirmation';
  const isPending = (payment: Payment): boolean =>
    payment.state === 'opening' ||
    (payment.state === 'open' && (payment.observed === null || !isEnded(payment.observed)));
  return payments.some(isPending) ? 'money' : null;
}
