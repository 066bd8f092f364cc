import type { PaymentView } from '../../contract/index.ts';
import { referenceOf } from '../../core/machine/state.ts';
import { formatMoney } from '../../i18n/format-money.ts';
import { formatDateTime } from '../../i18n/format-time.ts';
import type { Translator } from '../../i18n/translator.ts';

/** Returns what another payer has to know, as plain text for QR codes, copying and sharing. */
export function accountAsText(payment: PaymentView, translator: Translator): string {
  const { account, amount, expiresAt } = payment;
  const { text, currencyDisplay } = translator;
  return [
    `${text('bankName')}: ${account.bankName}`,
    `${text('accountNumber')}: ${account.number}`,
    ...(account.name ? [`${text('accountName')}: ${account.name}`] : []),
    // English digits in every language: the text is pasted into other apps.
    `${text('amount')}: ${formatMoney(amount, { locale: 'en', currencyDisplay })}`,
    // With its date: the text may be read on another day.
    text('payBy', { time: formatDateTime(expiresAt, translator) }),
    `${text('reference')}: ${referenceOf(payment)}`,
  ]
    .join('\n')
    .replace(/[^\S\n]/g, ' ');
}
