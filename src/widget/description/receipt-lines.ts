import type { PaymentView } from '../../contract/index.ts';
import { referenceOf } from '../../core/machine/state.ts';
import { formatMoney, groupAccountNumber } from '../../i18n/format-money.ts';
import { formatDateTime } from '../../i18n/format-time.ts';
import type { Messages } from '../../i18n/messages.ts';
import type { Translator } from '../../i18n/translator.ts';
import { overpaidTotal } from './payment-facts.ts';

/** A receipt as plain text. */
export type Receipt = {
  readonly title: string;
  readonly shop: string;
  /** "Test mode" where no real money moved; otherwise empty. */
  readonly mark: string;
  readonly lines: readonly (readonly [label: string, value: string])[];
  /** Distinguishes it from the shop's other receipts: the order's number, or else the payment's reference. */
  readonly number: string;
  readonly lang: string;
  readonly dir: string;
};

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
