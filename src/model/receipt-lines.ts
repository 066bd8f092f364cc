import { type PaymentView, referenceOf } from '../core/index.ts';
import type { Messages } from '../i18n/messages.ts';
import { formatMoment } from '../i18n/moments.ts';
import { formatMoney, groupAccountNumber, type Speech } from '../i18n/text.ts';
import { paidInAll } from './payment-facts.ts';

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
