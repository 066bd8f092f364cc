import type { ControlPayment, ControlTransfer } from 'transfer-checkout/sandbox';
import { formatMoney } from './money.ts';
import { formatAccountNumber, formatWord } from './text.ts';

/** How much of a payment has arrived. */
export const formatArrived = ({ chargedAmount, amount }: ControlPayment): string =>
  `${formatMoney({ value: chargedAmount, currency: amount.currency })} of ${formatMoney(amount)}`;

/** Until when an account waits for money; `undefined` if it no longer does. */
export const waitsUntil = ({ status, expiresAt }: ControlPayment): string | undefined =>
  ['initiated', 'awaiting_charge'].includes(status) ? expiresAt : undefined;

/** Describes the result of a transfer. */
export function describeTransfer(
  transfer: ControlTransfer,
  payment: ControlPayment | null | undefined,
): string {
  const amount = formatMoney({ value: transfer.amount, currency: transfer.currency });
  if (transfer.status === 'returned') return `Returned by the bank: ${amount}. ${transfer.reason}`;
  const whatNow = payment ? ` The payment is ${formatWord(payment.status)}.` : '';
  return `${amount} arrived at ${formatAccountNumber(transfer.accountNumber)}.${whatNow}`;
}

/** What each amount policy of the sandbox means to a person. */
export const policyLabels: Readonly<Record<string, string>> = {
  ACCEPTED_AMOUNT_POLICY_FIXED: 'Fixed: exactly this amount',
  ACCEPTED_AMOUNT_POLICY_ALLOW_PARTIAL: 'Allow partial: less, in parts',
  ACCEPTED_AMOUNT_POLICY_ALLOW_EXCESS: 'Allow excess: this or more',
  ACCEPTED_AMOUNT_POLICY_ALLOW_ANY: 'Allow any amount',
};
