import type { CheckoutStatus, WaitingEvent } from '../../checkout/telemetry/measures.ts';
import { formatMoney } from './format-money.ts';

export type StatusRow = {
  name: string;
  value: string;
  /** A person has to do something. */
  needsPerson?: boolean;
};

/** Describes a status for people. */
export function statusRows({ outcomes, oldestUnpaid, waiting, ...measures }: CheckoutStatus): StatusRow[] {
  const { oldestUnpaidMs, oldestConfirmingMs, checkLagMs, pendingOutboxEvents, parkedEvents } = measures;
  const count = (name: string, number: number): StatusRow => ({ name, value: String(number) });
  const alarm = (name: string, number: number): StatusRow => ({
    ...count(name, number),
    needsPerson: number > 0,
  });
  const which: StatusRow[] = oldestUnpaid
    ? [
        { name: 'its order', value: oldestUnpaid.orderId },
        { name: 'its reference', value: oldestUnpaid.reference },
      ]
    : [];
  return [
    count('paid orders', outcomes.paid),
    count('paid late', outcomes.late),
    count('expired', outcomes.expired),
    count('failed', outcomes.failed),
    count('amount mismatches', outcomes.amountMismatch),
    count('unexpected money', outcomes.unexpectedMoney),
    count('reversed', outcomes.reversed),
    count('unexpected money taken back', outcomes.unexpectedMoneyReversed),
    alarm('without a handler', parkedEvents),
    ...waiting.map(toWaitingRow),
    count('handlers to call', pendingOutboxEvents),
    { name: 'oldest unpaid payment', value: formatAge(oldestUnpaidMs) },
    ...which,
    { name: 'oldest unconfirmed money', value: formatAge(oldestConfirmingMs) },
    { name: 'verifications are behind', value: formatAge(checkLagMs) },
  ];
}

const toWaitingRow = ({ orderId, outcome, amount, failure }: WaitingEvent): StatusRow => ({
  name: outcome,
  value: [
    orderId,
    ...(amount ? [formatMoney(amount.value, amount.currency)] : []),
    ...(failure === null ? [] : [failure]),
  ].join(', '),
  needsPerson: true,
});

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** Formats an age: `40 s`, `12 min`, `3 h 5 min`, `2 days 4 h`; `none` for `null`. */
export function formatAge(ms: number | null): string {
  if (ms === null) return 'none';
  if (ms < minuteMs) return `${Math.floor(ms / 1000)} s`;
  if (ms < hourMs) return `${Math.floor(ms / minuteMs)} min`;
  if (ms < dayMs) return `${Math.floor(ms / hourMs)} h ${Math.floor((ms % hourMs) / minuteMs)} min`;
  const days = Math.floor(ms / dayMs);
  return `${days} ${days === 1 ? 'day' : 'days'} ${Math.floor((ms % dayMs) / hourMs)} h`;
}
