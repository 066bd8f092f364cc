import type { ControlPayment, ControlTransfer } from 'transfer-checkout/sandbox';
import { formatMoney } from '../money.ts';

const dateAndTime = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });
const time = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });

/** `21 Nov 2025, 10:32:05`, where this computer is. */
export const formatMoment = (moment: number | string): string => dateAndTime.format(new Date(moment));

/** `10:32:05`, where this computer is. */
export const formatTime = (moment: number | string): string => time.format(new Date(moment));

/** `1 day 2 h 5 min`; seconds only below a minute. */
export function formatDuration(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  const days = Math.floor(seconds / 86_400);
  const hours = Math.floor((seconds % 86_400) / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  return [
    days > 0 && `${days} ${days === 1 ? 'day' : 'days'}`,
    hours > 0 && `${hours} h`,
    minutes > 0 && `${minutes} min`,
  ]
    .filter((part) => part !== false)
    .join(' ');
}

/** `29:41`; from an hour on `1:02:09`. */
export function formatCountdown(seconds: number): string {
  const two = (part: number): string => String(part).padStart(2, '0');
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** Ten digits in the groups people read them in: `9012 345 678`. */
export const formatAccountNumber = (number: string): string =>
  number.replace(/^(\d{4})(\d{3})(\d{3})$/, '$1 $2 $3');

/** What time means for a payment. */
export function formatExpiry({ status, expiresAt }: ControlPayment, nowSeconds: number): string {
  const left = Math.floor(Date.parse(expiresAt) / 1000 - nowSeconds);
  const isWaiting = status === 'initiated' || status === 'awaiting_charge';
  return isWaiting && left > 0
    ? `${formatCountdown(left)} left, at ${formatTime(expiresAt)}`
    : formatMoment(expiresAt);
}

/** What the bank has done with a transfer, for the line that reports on actions. */
export function describeTransfer(transfer: ControlTransfer, payment: ControlPayment): string {
  const amount = formatMoney({ value: transfer.amount, currency: payment.amount.currency });
  return transfer.status === 'returned'
    ? `Returned by the bank: ${amount}. ${transfer.reason}`
    : `${amount} arrived at ${formatAccountNumber(payment.accountNumber)}. The payment is ${payment.status}.`;
}
