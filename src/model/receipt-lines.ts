import type { PaymentView } from '../core/index.ts';
import type { Messages } from '../locales/messages.ts';
import { formatMoment } from './moments.ts';
import { formatMoney, groupAccountNumber, type Speech } from './text.ts';

/** What a receipt says of a payment: the key of what it is, and its value. What is not known is left out. */
export function receiptLines(
  { account, amount, chargedAmount, paidAt, reference }: PaymentView,
  speech: Speech,
): readonly (readonly [keyof Messages, string])[] {
  const received = { ...amount, value: chargedAmount || amount.value };
  const lines = [
    ['received', formatMoney(received, speech.locale)],
    ['paidAt', paidAt ? formatMoment(paidAt, speech) : ''],
    ['bankName', account.bankName],
    ['accountNumber', groupAccountNumber(account.number)],
    ['reference', reference],
  ] as const;
  return lines.filter(([, value]) => value !== '');
}
