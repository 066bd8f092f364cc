import { CheckoutError } from '../../../src/contract/index.ts';
import { needsPerson } from '../order/advice.ts';
import { awaitedBy } from '../order/money.ts';
import { type DueFacts, nextDue, type WatchTimes } from '../order/next-due.ts';
import { accountNumbersOf, type Order, referencesOf } from '../order/record.ts';
import { report } from '../order/report.ts';
import type { OnChange, Store, Stored } from '../store.ts';
import type { Log } from '../telemetry/log.ts';

export type Records = ReturnType<typeof createRecords>;

/** Each lost write is another request's or instance's progress; this many are a fault of the store. */
export const maxLostWrites = 8;

/** Only a claim ends a watch, because it verifies all payments: after any other write the record is claimed once more. */
const unclaimedMs = 60_000;

export const writesAreLost = (what: string): CheckoutError =>
  new CheckoutError('internal_error', `The store did not accept the new state of ${what}.`);

/** Returns the newest of several readings of one record. */
export const newestOf = <T>(first: Stored<T>, others: readonly (Stored<T> | undefined)[]): Stored<T> =>
  others.reduce<Stored<T>>((newest, one) => (one && one.version > newest.version ? one : newest), first);

type Parts = {
  store: Store;
  /** Called with each reference of a record that was written. */
  onChange: OnChange;
  serviceNow: () => number;
  now: () => number;
  times: WatchTimes;
  /** Called when the store may hold undelivered events. */
  onOutboxEvents: () => void;
};

/** Creates the only writer of records, so that no write forgets its events, its references, or the next verification. */
export function createRecords({ store, onChange, serviceNow, now, times, onOutboxEvents }: Parts) {
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
    const knownNumbers = new Set(before === null ? [] : accountNumbersOf(before));
    const isWritten = await store.write({
      id: record.orderId,
      record,
      version,
      events,
      claim,
      references: references.filter((reference) => !known.has(reference)),
      accountNumbers: accountNumbersOf(record).filter((number) => !knownNumbers.has(number)),
      dueAfterMs: nextDue(record, dueFacts(storeNow)).afterMs ?? (claim === null ? unclaimedMs : null),
      awaits: awaitedBy(record),
      needsPerson: needsPerson(record),
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

export type Changes = ReturnType<typeof createChanges>;

/**
 * Creates the notifications of changed records: those that this instance writes, and those of other instances that the store hears of.
 * It listens to the store from the first subscription on.
 */
export function createChanges(store: Pick<Store, 'subscribe'>, log: Log) {
  const listeners = new Set<OnChange>();
  const emit: OnChange = (reference) => {
    for (const listener of listeners) listener(reference);
  };
  let unsubscribe: (() => void) | undefined;
  return {
    emit,
    /** Returns what ends the subscription. */
    subscribe(listener: OnChange): () => void {
      unsubscribe ??= store.subscribe?.(emit, (error) => log({ type: 'changesMissed', error }));
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /** Stops listening to the store. */
    end: (): void => unsubscribe?.(),
  };
}
