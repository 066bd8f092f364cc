import type { Money } from '../../../src/contract/index.ts';
import { settleWithin, type Wait } from '../../client/async/wait.ts';
import type { EventNames } from '../order/event.ts';
import { findPayment } from '../order/order.ts';
import type { Bus } from '../ports/bus.ts';
import type { OutcomeCounts, Store, StoreMeasures, WaitingOutboxEvent } from '../ports/store.ts';
import type { UnknownPayments } from '../shell/unknown-payments.ts';
import type { Counters } from './counters.ts';
import type { Log } from './log.ts';

/** The current state. Times in milliseconds; 1 for yes and 0 for no; `null` for unknown. */
export type Gauges = {
  /** Whether the store responded. The next six gauges come from the store, and are `null` if it did not. */
  storeUp: 0 | 1;
  /** How long the oldest pending payment has waited for its money; `null` also if there is none. */
  oldestUnpaidMs: number | null;
  /**
   * How long the oldest payment whose money has arrived has waited for the service to confirm it; `null` also if there is
   * none. Usually seconds; if it takes minutes, ask the service.
   */
  oldestConfirmingMs: number | null;
  /** The reconciler's lag: how long the most overdue verification has been due. */
  checkLagMs: number | null;
  /** Outbox events whose handlers have not succeeded yet; at most 1,000 are counted. */
  pendingOutboxEvents: number | null;
  /** Outbox events about money that wait for a handler, because no instance has one; at most 1,000 are counted. */
  parkedEvents: number | null;
  /** How far the service's clock is ahead of the local one; `null` until the first response of the service. */
  clockOffsetMs: number | null;
  busUp: 0 | 1;
  /** The share of `maxVerificationsPerSecond` that this instance uses, from 0 to 1. Near 1, verifications wait for each other. */
  verificationLoad: number;
  /**
   * The share of `maxVerificationsPerSecond` that the payments of this instance will need in the background, if they continue to be opened
   * as in the last ten minutes, and none is paid. Add up all instances: from 0.5 on, raise the ceiling, or shorten `lateWatchSeconds`.
   */
  verificationForecast: number;
  /** How many requests this instance holds. */
  waiters: number;
};

/** Numbers for a monitor. The store's gauges are the same on all instances; the counters belong to this instance. */
export type Measures = { gauges: Gauges; counters: Counters };

export type MeasuresOptions = { store: Store; bus: Bus; counters: Counters; wait: Wait; log: Log };

const storeTimeoutMs = 5000;

const notMeasured = {
  oldestUnpaidMs: null,
  oldestConfirmingMs: null,
  checkLagMs: null,
  pendingOutboxEvents: null,
  parkedEvents: null,
} as const satisfies { [Name in keyof StoreMeasures]: null };

/**
 * Returns the gauges and counters. Never rejects.
 *
 * @param own the gauges of this instance
 */
export async function measure(
  { store, bus, counters, wait, log }: MeasuresOptions,
  own: Omit<Gauges, keyof StoreMeasures | 'storeUp' | 'busUp'>,
): Promise<Measures> {
  // Async, because a custom store may throw synchronously.
  const measureStore = async () => store.measure();
  const measured = await settleWithin(wait, storeTimeoutMs, measureStore()).catch((error: unknown) => {
    log({ type: 'storeFailed', error });
    return undefined;
  });
  return {
    gauges: {
      storeUp: measured === undefined ? 0 : 1,
      ...(measured ?? notMeasured),
      busUp: bus.state() === 'up' ? 1 : 0,
      ...own,
    },
    counters: { ...counters },
  };
}

/** What an operator needs to know: the same on all instances. Ages in milliseconds on the store's clock. */
export type CheckoutStatus = StoreMeasures & {
  /** The number of events of each outcome, and of late payments. `paid` also counts those that were reversed later. */
  outcomes: OutcomeCounts;
  /** The latest payment of the order that `oldestUnpaidMs` is about. */
  oldestUnpaid: { orderId: string; reference: string } | null;
  /** The events that are parked, or whose handlers have failed; at most a hundred. */
  waiting: WaitingEvent[];
  /** The references of the last payments of no order that a callback has named to this instance, where `onUnknownPayment` is not given. */
  unknownPayments: string[];
};

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

/** Reads the status from the store. Rejects if the store does. */
export async function readStatus({
  store,
  unknownPayments,
}: {
  store: Store;
  unknownPayments: UnknownPayments;
}): Promise<CheckoutStatus> {
  const [measures, outcomes, oldest, waiting] = await Promise.all([
    store.measure(),
    store.countOutcomes(),
    store.findOldestUnpaid(),
    store.listWaiting(),
  ]);
  const reference = oldest?.payments.at(-1)?.reference;
  const oldestUnpaid = oldest && reference !== undefined ? { orderId: oldest.orderId, reference } : null;
  return {
    ...measures,
    outcomes,
    oldestUnpaid,
    waiting: waiting.map(toWaitingEvent),
    unknownPayments: unknownPayments.list(),
  };
}

function toWaitingEvent(event: WaitingOutboxEvent): WaitingEvent {
  const { key, orderId, outcome, reference, amount, record, isParked, token: tries, failure } = event;
  const currency = record === null ? undefined : findPayment(record, reference)?.amount.currency;
  const money = currency === undefined ? null : { value: amount, currency };
  const state = isParked ? 'parked' : 'failing';
  return { key, orderId, outcome, reference, amount: money, state, tries, failure };
}
