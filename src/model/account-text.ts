import type { PaymentView } from '../core/index.ts';
import { formatMoney, type Speech } from '../i18n/text.ts';

/** What a QR code of the account says, for people and for apps that read plain text. */
export function accountAsText({ account, amount }: PaymentView, { text }: Speech): string {
  return [
    `${text('bankName')}: ${account.bankName}`,
    `${text('accountNumber')}: ${account.number}`,
    ...(account.name ? [`${text('accountName')}: ${account.name}`] : []),
    // As in English, whatever the language: plain digits, wherever they are pasted.
    `${text('amount')}: ${formatMoney(amount).replace(/\s/g, ' ')}`,
  ].join('\n');
}
