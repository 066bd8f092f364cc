import { CheckoutError } from '../../../src/contract/index.ts';
import { awaitedBy } from '../order/money.ts';
import { type DueFacts, nextDue, type WatchTimes } from '../order/next-due.ts';
import { type Order, referencesOf } from '../order/order.ts';
import { report } from '../order/report.ts';
import type { Store, Stored } from '../ports/store.ts';

export type Records = ReturnType<typeof createRecords>;

export type RecordsOptions = {
  store: Store;
  /** Called with each reference of a record that was written. */
  onChange: (reference: string) => void;
  serviceNow: () => number;
  now: () => number;
  times: WatchTimes;
  /** Called when the store may hold undelivered events. */
  onOutboxEvents: () => void;
};

/** Each lost write is another request's or instance's progress; this many are a fault of the store. */
export const maxLostWrites = 8;

/** Only a claim ends a watch, because it verifies all payments: after any other write the record is claimed once more. */
const unclaimedMs = 60_000;

export const writesAreLost = (what: string): CheckoutError =>
  new CheckoutError('internal_error', `The store did not take the new state of ${what}.`);

/** Returns the newest of several readings of one record. */
export const newestOf = <T>(first: Stored<T>, others: readonly (Stored<T> | undefined)[]): Stored<T> =>
  others.reduce<Stored<T>>((newest, one) => (one && one.version > newest.version ? one : newest), first);

/** Creates the only writer of records, so that no write forgets its events, its references, or the next verification. */
export function createRecords(options: RecordsOptions) {
  const { store, onChange, serviceNow, now, times, onOutboxEvents } = options;
  /** Returns the facts that decide when a record is due. */
  const dueFacts = (storeNow: number): DueFacts => ({
    ...times,
    serviceNow: serviceNow(),
    now: now(),
    storeNow,
  });
  /**
   * Writes a record in place of the stored one, with the outbox events that are missing. Wakes the waiters of its payments on all
   * instances, and delivers the events soon. Returns `undefined` if another write came first: decide again from what is stored.
   * A claim ends with the write.
   */
  async function save(
    { record: before, version, storeNow }: Stored<Order | null>,
    changed: Order,
    claim: number | null = null,
  ): Promise<Stored<Order> | undefined> {
    const { record, events } = report(changed);
    const known = new Set(before === null ? [] : referencesOf(before));
    const references = referencesOf(record);
    const isWritten = await store.write({
      id: record.orderId,
      record,
      version,
      events,
      claim,
      references: references.filter((reference) => !known.has(reference)),
      dueAfterMs: nextDue(record, dueFacts(storeNow)).afterMs ?? (claim === null ? unclaimedMs : null),
      awaits: awaitedBy(record),
    });
    if (!isWritten) return undefined;
    for (const reference of references) onChange(reference);
    if (events.length > 0) onOutboxEvents();
    return { record, version: version + 1, storeNow };
  }
  /**
   * Writes what `change` makes of a stored record; if another write came first, what it makes of the result of that one. Writes nothing
   * if it returns the same object. Returns what is stored then; `undefined` if the record is gone.
   *
   * @throws {CheckoutError} `internal_error` if the store accepts no write; what `change` throws
   */
  async function update(
    stored: Stored<Order>,
    change: (record: Order) => Order,
    claim?: number | null,
  ): Promise<Stored<Order> | undefined> {
    const id = stored.record.orderId;
    let current = stored;
    for (let writes = 0; writes < maxLostWrites; writes++) {
      const changed = change(current.record);
      const saved = changed === current.record ? current : await save(current, changed, claim);
      if (saved !== undefined) return saved;
      const read = await store.find({ orderId: id });
      if (read.record === null) return undefined;
      current = read;
    }
    throw writesAreLost(id);
  }
  return { save, update, dueFacts };
}
