import type { OutboxOutcome } from '../../../server-kit/stores/outbox-event.ts';
import type { PaymentRecord } from '../../../server-kit/stores/payment-record.ts';
import type { BudgetState, RecordChange, Store } from '../../../server-kit/stores/store.ts';
import { createTestClock, type TestClock } from '../kit/test-clock.ts';

/** Creates an empty store on the test's clock; each `open` returns another instance on it. */
export type MakeStore = (clock: TestClock) => Promise<{ open: () => Store }>;

/** No further verification, and no event. */
export const nothingFollows: RecordChange = { checkAfterMs: null, outcomes: [] };

export const record: PaymentRecord = {
  reference: 'tc_1',
  orderId: 'order-1',
  attempt: 1,
  amount: { value: 1000, currency: 'NGN' },
  opened: null,
  observed: null,
  outcome: 'pending',
  createdAt: '2026-03-01T12:00:00.000Z',
  version: 1,
};

export const budget: BudgetState = {
  ratePerSecond: 10,
  permits: 0,
  atMs: 0,
  isShort: false,
  limitPerSecond: null,
  isLimitSure: false,
  decreasedAtMs: null,
  pausedUntilMs: 0,
};

/** Two instances that share a store, and the clock that the store goes by. */
export async function openStores(makeStore: MakeStore) {
  const clock = createTestClock();
  const { open } = await makeStore(clock);
  const [store, other] = [open(), open()];
  return { store, other, clock, ...helpersFor(store) };
}

export function helpersFor(store: Store) {
  /** Records a payment, the n-th of its order, that is never due. */
  const insert = (reference: string, { orderId = 'order-1', attempt = 1 } = {}): Promise<boolean> =>
    store.insert({ ...record, reference, orderId, attempt }, { checkAfterMs: null });
  /** Writes the payment's record again, with these outcomes. */
  const bring = async (reference: string, ...outcomes: OutboxOutcome[]): Promise<void> => {
    const current = await store.findByReference(reference);
    if (current === undefined) throw new Error(`There is no payment ${reference}.`);
    await store.update(current, { checkAfterMs: null, outcomes });
  };
  /** Runs all that can be run, well, and gives the keys in their order. */
  const runAll = async (): Promise<string[]> => {
    const keys: string[] = [];
    for (;;) {
      const event = await store.claimOutboxEvent({ leaseMs: 1000 });
      if (event === undefined) return keys;
      await store.finishOutboxEvent(event);
      keys.push(event.key);
    }
  };
  /** Runs the next event, which must be this one, and returns its run. */
  const claim = async (key: string) => {
    const event = await store.claimOutboxEvent({ leaseMs: 1000 });
    if (event?.key !== key) throw new Error(`Not ${key} was next, but ${event?.key}.`);
    return event;
  };
  const setAside = async (key: string): Promise<void> => {
    await store.failOutboxEvent(await claim(key), { retryAfterMs: null, failure: 'no' });
  };
  return { insert, bring, runAll, claim, setAside };
}
