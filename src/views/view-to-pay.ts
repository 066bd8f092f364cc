import { missingAmount, type PaymentView } from '../model/index.ts';

/** The payment as it has to be paid now: with what is missing as its amount, where a part has arrived. */
export function viewToPay(payment: PaymentView): PaymentView {
  const { amount } = payment;
  return { ...payment, amount: { ...amount, value: missingAmount(payment) || amount.value } };
}
