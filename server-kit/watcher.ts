import { CheckoutError } from '../src/contract/index.ts';
import type { PaymentsClient } from './client.ts';
import type { Dialect } from './dialect.ts';
import { isSamePayment, isSettled, mergeObservation } from './outcome.ts';
import { createSingleFlight } from './single-flight.ts';
import type { PaymentRecord, Store } from './stores/store.ts';
import { toCheckoutError } from './upstream-error.ts';

/** Looks payments up at the service, once for all who ask. */
export type Watcher = {
  /**
   * The record of a reference after a look at the service. At most one look a reference is under way, and looks are
   * spaced: asked too early, it gives the record as it stands.
   *
   * @throws {CheckoutError} `service_unavailable` or `service_rejected` when the look failed
   */
  look: (reference: string) => Promise<PaymentRecord | undefined>;
  /** How long until the next look is due, in milliseconds; 0 when it is. */
  msUntilDue: (reference: string) => number;
};

export type WatcherOptions = {
  payments: PaymentsClient;
  store: Store;
  dialect: Readonly<Dialect>;
  now: () => number;
  /** The least time between the starts of two looks at one payment. */
  lookIntervalMs: number;
  /** Called with every record that a look has changed, before the look is answered. */
  onChange: (record: PaymentRecord) => void;
};

export function createWatcher(options: WatcherOptions): Watcher {
  const { store, now, lookIntervalMs } = options;
  const share = createSingleFlight<PaymentRecord | undefined>();
  const lastLookAt = new Map<string, number>();

  const msUntilDue = (reference: string): number => {
    const last = lastLookAt.get(reference);
    return last === undefined ? 0 : Math.max(0, last + lookIntervalMs - now());
  };

  const rememberLook = (reference: string): void => {
    // Insertion order is order of time, so that the oldest entries, long due again, are at the front.
    lastLookAt.delete(reference);
    lastLookAt.set(reference, now());
    for (const [oldest, at] of lastLookAt) {
      if (at + lookIntervalMs > now()) break;
      lastLookAt.delete(oldest);
    }
  };

  const look = async (reference: string): Promise<PaymentRecord | undefined> => {
    const record = await store.findByReference(reference);
    if (record?.opened == null || isSettled(record) || msUntilDue(reference) > 0) return record;
    rememberLook(reference);
    return verifyAndMerge(options, record);
  };

  return { msUntilDue, look: (reference) => share(reference, () => look(reference)) };
}

/** One retry: whoever waits for this look is better served by an honest "not now" than by a long silence. */
const verifyOptions = { maxRetries: 1, timeoutMs: 10_000 };

async function verifyAndMerge(options: WatcherOptions, known: PaymentRecord): Promise<PaymentRecord> {
  const { payments, store, dialect, onChange } = options;
  const payment = await payments.payments.verify(known.reference, verifyOptions).catch((cause: unknown) => {
    throw toCheckoutError(cause);
  });
  for (let record: PaymentRecord | undefined = known; record !== undefined; ) {
    if (!isSamePayment(payment, record)) {
      const detail = `The service answered for ${record.reference} with another payment, currency or mode; nothing was believed.`;
      throw new CheckoutError('service_rejected', detail);
    }
    const next = mergeObservation(record, payment, dialect);
    if (next === record) return record;
    const stored = await store.update(next);
    if (stored !== undefined) {
      onChange(stored);
      return stored;
    }
    // Another write came first: merge into what it left.
    record = await store.findByReference(known.reference);
  }
  return known;
}
