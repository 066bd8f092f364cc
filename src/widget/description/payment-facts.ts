import { notFoundStatus, type PaymentView } from '../../contract/index.ts';
import type { PaymentState, State } from '../../core/state.ts';

export function missingAmount({ amount, chargedAmount }: PaymentView): number {
  return chargedAmount > 0 ? Math.max(0, amount.value - chargedAmount) : 0;
}

export function payableView(payment: PaymentView): PaymentView {
  const { amount } = payment;
  return { ...payment, amount: { ...amount, value: missingAmount(payment) || amount.value } };
}

export function receivedOnOtherPayments({ chargedAmount, orderChargedAmount = 0 }: PaymentView): number {
  return Math.max(0, orderChargedAmount - chargedAmount);
}

/** Returns what arrived on all payments of the order, where that is more than it costs and more than this payment received. */
export function overpaidTotal({
  amount,
  chargedAmount,
  orderChargedAmount = 0,
}: PaymentView): number | undefined {
  return orderChargedAmount > Math.max(amount.value, chargedAmount) ? orderChargedAmount : undefined;
}

/** Returns true where the account expired and only a part has arrived. The order gets no other account while that part is there. */
export function isExpiredPartlyPaid(state: State): boolean {
  return state.name === 'expired' && state.payment.outcome === 'expired' && state.payment.chargedAmount > 0;
}

export type PayableState = Extract<State, { name: 'awaitingTransfer' | 'partlyPaid' }>;

export const isPayable = (state: State): state is PayableState =>
  state.name === 'awaitingTransfer' || state.name === 'partlyPaid';

export const isBeingChecked = (state: State): boolean =>
  state.name === 'checking' || isExpiredPartlyPaid(state);

export const isHelpNeeded = ({ name }: State): boolean => name === 'failed' || name === 'reversed';

/** Returns why nobody should pay now, named after its messages. */
export function uncertaintyOf({
  reason,
  payment,
}: PaymentState<'checking'>): 'notFound' | 'link' | 'unclear' | undefined {
  if (payment.status === notFoundStatus) return 'notFound';
  if (reason === 'unclear') return payment.authorizationUrl ? 'link' : 'unclear';
  return undefined;
}

export function isPaymentUnknown(state: State): boolean {
  return state.name === 'unavailable' && state.code === 'session_unknown';
}
