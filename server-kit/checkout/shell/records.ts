import { awaitedBy } from '../order/money.ts';
import { type DueFacts, nextDue, type WatchTimes } from '../order/next-due.ts';
import type { Order } from '../order/order.ts';
import { report } from '../order/report.ts';
import { reportUnmatched, type UnmatchedPayment } from '../order/unmatched.ts';
import type { Bus } from '../ports/bus.ts';
import type { Store, Stored } from '../ports/store.ts';

/** The only writer of records, so that no write forgets its events, its references, or the next verification. */
export type Records = {
  /**
   * Writes an order in place of the stored one, with the outbox events that are missing. Wakes the waiters of its payments on all
   * instances, and delivers the events soon. Returns `undefined` if another write came first: decide again from what is stored. A claim
   * ends with the write.
   */
  saveOrder: Save<Order>;
  /** Writes an unmatched payment, in the same way. */
  saveUnmatched: Save<UnmatchedPayment>;
  /** Returns the facts that decide when a record is due. */
  dueFacts: (storeNow: number) => DueFacts;
};

type Save<T> = (stored: Stored<unknown>, changed: T, claim?: number | null) => Promise<Stored<T> | undefined>;

export type RecordsOptions = {
  store: Store;
  bus: Bus;
  serviceNow: () => number;
  /** The local clock. */
  now: () => number;
  times: WatchTimes;
  doCallbacksArrive: () => boolean;
  /** Called when the store may hold undelivered events. */
  onOutboxEvents: () => void;
};

export function createRecords(options: RecordsOptions): Records {
  const { store, bus, serviceNow, now, times, doCallbacksArrive, onOutboxEvents } = options;
  const dueFacts = (storeNow: number): DueFacts => ({
    ...times,
    serviceNow: serviceNow(),
    now: now(),
    storeNow,
    doCallbacksArrive: doCallbacksArrive(),
  });
  return {
    dueFacts,
    async saveOrder({ record: before, version, storeNow }, changed, claim = null) {
      const { order, events } = report(changed);
      const known = new Set((before as Order | null)?.payments.map(({ reference }) => reference));
      const references = order.payments.map(({ reference }) => reference);
      const isWritten = await store.orders.write({
        ...{ id: order.orderId, record: order, version, events, claim },
        references: references.filter((reference) => !known.has(reference)),
        dueAfterMs: nextDue(order, dueFacts(storeNow)).afterMs,
        awaits: awaitedBy(order),
      });
      if (!isWritten) return undefined;
      // Not awaited: a slow bus must not delay a shopper's response, and `publish` never rejects.
      for (const reference of references) bus.publish(reference);
      if (events.length > 0) onOutboxEvents();
      return { record: order, version: version + 1, storeNow };
    },
    async saveUnmatched({ version, storeNow }, changed, claim = null) {
      const { payment, events } = reportUnmatched(changed);
      const { reference } = payment;
      const isWritten = await store.unmatched.write({
        ...{ id: reference, record: payment, version, events, claim, awaits: null },
        references: version === 0 ? [reference] : [],
        dueAfterMs: nextDue(payment, dueFacts(storeNow)).afterMs,
      });
      if (!isWritten) return undefined;
      if (events.length > 0) onOutboxEvents();
      return { record: payment, version: version + 1, storeNow };
    },
  };
}
