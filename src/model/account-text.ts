import type { PaymentView } from '../core/index.ts';
import { formatMoney, type Text } from './text.ts';

/** What a QR code of the account says, for people and for apps that read plain text. */
export function accountAsText({ account, amount }: PaymentView, text: Text): string {
  return [
    `${text('bankName')}: ${account.bankName}`,
    `${text('accountNumber')}: ${account.number}`,
    `${text('accountName')}: ${account.name}`,
    `${text('amount')}: ${formatMoney(amount).replace(/\s/g, ' ')}`,
  ].join('\n');
}
