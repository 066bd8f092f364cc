import type { PaymentView } from '../../contract/index.ts';
import { referenceOf } from '../../core/state.ts';
import { formatMoney, groupAccountNumber } from '../../i18n/format-money.ts';
import { formatDateTime } from '../../i18n/format-time.ts';
import type { Messages } from '../../i18n/messages.ts';
import type { Translator } from '../../i18n/translator.ts';
import { overpaidTotal } from './payment-facts.ts';

export function accountAsText(payment: PaymentView, translator: Translator): string {
  const { account, amount, expiresAt } = payment;
  const { text, currencyDisplay } = translator;
  return [
    `${text('bankName')}: ${account.bankName}`,
    `${text('accountNumber')}: ${account.number}`,
    ...(account.name ? [`${text('accountName')}: ${account.name}`] : []),
    // English digits in every language: the text is pasted into other apps.
    `${text('amount')}: ${formatMoney(amount, { locale: 'en', currencyDisplay })}`,
    text('payBy', { time: formatDateTime(expiresAt, translator) }),
    `${text('reference')}: ${referenceOf(payment)}`,
  ]
    .join('\n')
    .replace(/[^\S\n]/g, ' ');
}

export function receiptAsText(payment: PaymentView, translator: Translator, merchantName = ''): string {
  const { text } = translator;
  return [
    [text('receipt'), merchantName].filter(Boolean).join(' – '),
    ...(payment.liveMode ? [] : [text('testMode')]),
    ...receiptLines(payment, translator).map(([key, value]) => `${text(key)}: ${value}`),
  ].join('\n');
}

/** Returns the lines of a receipt, each a label's message key and a value. Unknown values are left out. */
export function receiptLines(
  payment: PaymentView,
  translator: Translator,
): readonly (readonly [keyof Messages, string])[] {
  const { account, amount, chargedAmount, orderId = '', paidAt } = payment;
  const total = overpaidTotal(payment);
  const excess = (total ?? chargedAmount) - amount.value;
  const format = (value: number): string => formatMoney({ ...amount, value }, translator);
  const lines = [
    ['received', format(chargedAmount || amount.value)],
    ['receivedInAll', total === undefined ? '' : format(total)],
    ['orderTotal', excess > 0 ? format(amount.value) : ''],
    ['excess', excess > 0 ? format(excess) : ''],
    ['paidAt', paidAt ? formatDateTime(paidAt, translator) : ''],
    // A page of the service knows no order, only the payment.
    ['orderNumber', orderId === payment.reference ? '' : orderId],
    ['paidTo', account.name],
    ['bankName', account.bankName],
    ['accountNumber', groupAccountNumber(account.number)],
    ['reference', referenceOf(payment)],
  ] as const;
  return lines.filter(([, value]) => value !== '');
}
