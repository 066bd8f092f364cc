import { type PaymentView, referenceOf } from '../core/index.ts';
import { formatMoney, groupAccountNumber } from '../i18n/format-money.ts';
import { formatDateTime } from '../i18n/format-time.ts';
import type { Messages } from '../i18n/messages.ts';
import type { Translator } from '../i18n/translator.ts';
import { overpaidTotal } from './payment-facts.ts';

/** Returns the lines of a receipt, each a label's message key and a value. Unknown values are left out. */
export function receiptLines(
  payment: PaymentView,
  translator: Translator,
): readonly (readonly [keyof Messages, string])[] {
  const { account, amount, chargedAmount, paidAt } = payment;
  const total = overpaidTotal(payment);
  const format = (value: number): string => formatMoney({ ...amount, value }, translator);
  const lines = [
    ['received', format(chargedAmount || amount.value)],
    ['receivedInAll', total === undefined ? '' : format(total)],
    ['paidAt', paidAt ? formatDateTime(paidAt, translator) : ''],
    ['bankName', account.bankName],
    ['accountNumber', groupAccountNumber(account.number)],
    ['reference', referenceOf(payment)],
  ] as const;
  return lines.filter(([, value]) => value !== '');
}
