import type { Money } from '../../../src/contract/index.ts';
import type { PaymentsClient } from '../../core/client.ts';
import { type Wait, within } from '../../core/time.ts';
import { type Advice, adviseOn } from '../order/advice.ts';
import { type EventNames, outboxOutcomes } from '../order/event.ts';
import { formatMoney } from '../order/money.ts';
import { findPayment } from '../order/record.ts';
import type { OutcomeCounts, Store, StoreMeasures, WaitingOutboxEvent } from '../store.ts';
import { remainingMs } from '../wait.ts';
import type { Log } from './log.ts';

type Measured = { store: Store; now: () => number; wait: Wait; log: Log };

/** Gauges for a monitor. Those of the store are the same on all instances, and `null` while it does not respond. */
export type Measures = {
  /** Orders that wait for their money; at most 1,000 are counted. */
  openOrders: number | null;
  /** How long the most overdue verification has been due, in milliseconds. If it grows, the rounds are missing, or too slow. */
  oldestDueMs: number | null;
  /** Outbox events whose handlers have not succeeded yet; at most 1,000 are counted. */
  eventsWaiting: number | null;
  /** How many requests this instance holds. */
  heldRequests: number;
  /** How long the store took to respond, in milliseconds; `null` if it did not. */
  storeLatencyMs: number | null;
};

const storeTimeoutMs = 5000;

/** Returns the gauges. Never rejects. */
export async function measure({ store, now, wait, log }: Measured, heldRequests: number): Promise<Measures> {
  const askedAtMs = now();
  try {
    // Async, because a custom store may throw synchronously.
    const read = async () => store.readStatus({ mostWaiting: 0 });
    const { openOrders, checkLagMs, pendingOutboxEvents } = await within(wait, storeTimeoutMs, read);
    const storeLatencyMs = Math.max(0, now() - askedAtMs);
    return {
      openOrders,
      oldestDueMs: checkLagMs,
      eventsWaiting: pendingOutboxEvents,
      heldRequests,
      storeLatencyMs,
    };
  } catch (error) {
    log({ type: 'storeFailed', error });
    return { openOrders: null, oldestDueMs: null, eventsWaiting: null, heldRequests, storeLatencyMs: null };
  }
}

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

/** The body of `GET {base}/ready`. Only the store and a stop decide the status. */
export type ReadinessReport = {
  status: 'ready' | 'unready';
  store: 'up' | 'down';
  /** `unknown` until the first response of the service; a new instance needs requests to get one. */
  clock: 'known' | 'unknown';
  stopping: boolean;
};

/** Shorter than the interval of a load balancer's probes. */
const probeTimeoutMs = 2000;

/** Caches the result, so that a burst of probes does not reach the store. */
const rememberMs = 1000;

export type Readiness = ReturnType<typeof createReadiness>;

/**
 * Creates a function that reports whether this instance can serve requests. The store has to take a write: one that is read-only or whose
 * disk is full can open no payment, and record none that is paid.
 */
export function createReadiness({
  client,
  store,
  now,
  wait,
  log,
  stopping: { signal: stopping },
}: Measured & { client: PaymentsClient; stopping: AbortController }): () => Promise<ReadinessReport> {
  let probe: { at: number; isStoreUp: Promise<boolean> } | undefined;
  const askStore = async (): Promise<boolean> => {
    try {
      await within(wait, probeTimeoutMs, async () => store.prepare());
      return true;
    } catch (error) {
      log({ type: 'storeFailed', error });
      return false;
    }
  };
  return async () => {
    if (probe === undefined || remainingMs(probe.at, rememberMs, now()) === 0)
      probe = { at: now(), isStoreUp: askStore() };
    const isStoreUp = await probe.isStoreUp;
    return {
      status: isStoreUp && !stopping.aborted ? 'ready' : 'unready',
      store: isStoreUp ? 'up' : 'down',
      clock: client.clockOffsetMs() === undefined ? 'unknown' : 'known',
      stopping: stopping.aborted,
    };
  };
}
