import { toMajorUnits } from '../../../src/contract/fields.ts';
import type { Money } from '../../../src/contract/index.ts';
import type { PaymentsClient } from '../../core/client.ts';
import { type Advice, adviseOn } from '../order/advice.ts';
import { type EventNames, outboxOutcomes } from '../order/event.ts';
import { findPayment } from '../order/record.ts';
import type { OutcomeCounts, Store, StoreMeasures, WaitingOutboxEvent } from '../store.ts';

/** What an operator needs to know: the same on all instances. Ages in milliseconds on the store's clock. */
export type CheckoutStatus = StoreMeasures & {
  /** The number of events of each outcome, and of late payments. `paid` also counts those that were reversed later. */
  outcomes: OutcomeCounts;
  /** The latest payment of the order that `oldestUnpaidMs` is about. */
  oldestUnpaid: { orderId: string; reference: string } | null;
  /** The orders that need a person, those that wait longest first; at most a hundred. */
  needingPerson: OrderNeedingPerson[];
  /** The events that are parked, or whose handlers have failed; at most a hundred. */
  waiting: WaitingEvent[];
  /** The references of the last payments of no order that a callback has named to this instance, where `onUnknownPayment` is not given. */
  unknownPayments: string[];
};

/** An order that only a person can help, as it was recorded. Note what was done about it, and it is no longer listed. */
export type OrderNeedingPerson = Advice & { orderId: string; sinceMs: number };

/** An event that waits for a handler. */
export type WaitingEvent = EventNames & {
  /** What has come or gone; `null` only after a fault of the store. */
  amount: Money | null;
  /** `parked`: until the next start, because there is no handler, or because it has ended its process. `failing`: it is called again. */
  state: 'parked' | 'failing';
  /** How often the handler was called. */
  tries: number;
  /** Why the last call failed; `null` where there is no handler. */
  failure: string | null;
};

/** More waiting events than this are not listed. */
const mostWaiting = 100;

/** Formats money for people: `₦12,500.00`. */
export function formatMoney(money: Money): string {
  const { currency } = money;
  const format = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
  });
  return format.format(toMajorUnits(money) as Intl.StringNumericLiteral);
}

/** Returns what formats a time of the service for people in a time zone: `3 Dec 2026, 14:03`. */
export function formatTimeIn(timeZone: string): (iso: string) => string {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'medium', timeStyle: 'short' });
  return (iso) => format.format(new Date(iso));
}

const formats = { formatMoney, formatTime: formatTimeIn('UTC') };

export async function readStatus({
  store,
  client,
  unknownPayments,
}: {
  store: Store;
  client: Pick<PaymentsClient, 'serviceNow'>;
  unknownPayments: ReadonlySet<string>;
}): Promise<CheckoutStatus> {
  const stored = await store.readStatus({ mostWaiting });
  const { oldestUnpaid: oldest, waiting, needingPerson, outcomes, ...measures } = stored;
  const none = Object.fromEntries([...outboxOutcomes, 'late'].map((name) => [name, 0]));
  const reference = oldest?.payments.at(-1)?.reference;
  const oldestUnpaid = oldest && reference !== undefined ? { orderId: oldest.orderId, reference } : null;
  return {
    ...measures,
    outcomes: { ...none, ...outcomes } as OutcomeCounts,
    oldestUnpaid,
    needingPerson: needingPerson.map(({ record, sinceMs }) => {
      const advice = adviseOn(record, { now: client.serviceNow(), isAsked: true, untaken: [], ...formats });
      return { orderId: record.orderId, sinceMs, ...advice };
    }),
    waiting: waiting.map(toWaitingEvent),
    unknownPayments: [...unknownPayments],
  };
}

function toWaitingEvent(event: WaitingOutboxEvent): WaitingEvent {
  const { key, orderId, outcome, reference, amount, record, isParked, token: tries, failure } = event;
  const currency = record === null ? undefined : findPayment(record, reference)?.amount.currency;
  const money = currency === undefined ? null : { value: amount, currency };
  const state = isParked ? 'parked' : 'failing';
  return { key, orderId, outcome, reference, amount: money, state, tries, failure };
}
