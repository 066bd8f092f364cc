import { type PaymentView, referenceOf } from '../core/index.ts';
import type { Messages } from '../locales/messages.ts';
import { formatMoment } from './moments.ts';
import { paidInAll } from './payment-facts.ts';
import { formatMoney, groupAccountNumber, type Speech } from './text.ts';

/** What a receipt says of a payment: the key of what it is, and its value. What is not known is left out. */
export function receiptLines(
  payment: PaymentView,
  speech: Speech,
): readonly (readonly [keyof Messages, string])[] {
  const { account, amount, chargedAmount, paidAt } = payment;
  const inAll = paidInAll(payment);
  const format = (value: number): string => formatMoney({ ...amount, value }, speech.locale);
  const lines = [
    ['received', format(chargedAmount || amount.value)],
    ['receivedInAll', inAll === undefined ? '' : format(inAll)],
    ['paidAt', paidAt ? formatMoment(paidAt, speech) : ''],
    ['bankName', account.bankName],
    ['accountNumber', groupAccountNumber(account.number)],
    ['reference', referenceOf(payment)],
  ] as const;
  return lines.filter(([, value]) => value !== '');
}
