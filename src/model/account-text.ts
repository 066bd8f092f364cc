import type { PaymentView } from '../core/index.ts';
import { formatMoney } from '../i18n/format-money.ts';
import type { Translator } from '../i18n/translator.ts';

/** Returns the account details as plain text, for QR codes and sharing. */
export function accountAsText(
  { account, amount }: PaymentView,
  { text, currencyDisplay }: Translator,
): string {
  return [
    `${text('bankName')}: ${account.bankName}`,
    `${text('accountNumber')}: ${account.number}`,
    ...(account.name ? [`${text('accountName')}: ${account.name}`] : []),
    // English digits in every language: the text is pasted into other apps.
    `${text('amount')}: ${formatMoney(amount, { locale: 'en', currencyDisplay }).replace(/\s/g, ' ')}`,
  ].join('\n');
}
