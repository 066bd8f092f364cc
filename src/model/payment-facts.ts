import type { PaymentView, State } from '../core/index.ts';

/** What is still to be sent when a part has arrived, in minor units; 0 otherwise. */
export function missingAmount({ amount, chargedAmount }: PaymentView): number {
  return chargedAmount > 0 ? Math.max(0, amount.value - chargedAmount) : 0;
}

/** The payment as it has to be paid now: with what is missing as its amount, where a part has arrived. */
export function viewToPay(payment: PaymentView): PaymentView {
  const { amount } = payment;
  return { ...payment, amount: { ...amount, value: missingAmount(payment) || amount.value } };
}

/** What has arrived on other payments of the order, in minor units. */
export function receivedElsewhere({ chargedAmount, orderChargedAmount = 0 }: PaymentView): number {
  return Math.max(0, orderChargedAmount - chargedAmount);
}

/**
 * Of an order that is paid, what has arrived on all its payments, in minor units; undefined where that is not more than it costs, or
 * than this payment alone has brought.
 */
export function paidInAll({
  amount,
  chargedAmount,
  orderChargedAmount = 0,
}: PaymentView): number | undefined {
  return orderChargedAmount > Math.max(amount.value, chargedAmount) ? orderChargedAmount : undefined;
}

/** True where money has arrived before the time was up, but not all of it: there is no other account as long as it lies there. */
export function isExpiredPart(state: State): boolean {
  return state.name === 'expired' && state.payment.outcome === 'expired' && state.payment.chargedAmount > 0;
}

/** A state in which there is an account to pay into. */
export type ToPay = Extract<State, { name: 'awaitingTransfer' | 'partlyPaid' }>;

export const isToPay = (state: State): state is ToPay =>
  state.name === 'awaitingTransfer' || state.name === 'partlyPaid';

/** True while the page looks for money of which the shopper wants to hear. */
export const isLookedFor = (state: State): boolean => state.name === 'checking' || isExpiredPart(state);

/** True where the shopper has come back in a browser that does not know the payment. */
export function isElsewhere(state: State): boolean {
  return state.name === 'unavailable' && state.code === 'session_unknown';
}
