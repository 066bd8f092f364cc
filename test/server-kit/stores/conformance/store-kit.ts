import type { NewEvent, OrderOutcome } from '../../../../server-kit/engine/order/event.ts';
import { newOrder } from '../../../../server-kit/engine/order/record.ts';
import type { RecordWrite, RunChange, Store } from '../../../../server-kit/engine/store.ts';
import { createTestClock, type TestClock } from '../../kit/test-clock.ts';

/** Creates an empty store on the test's clock; each `open` returns another instance on it. */
export type MakeStore = (clock: Pick<TestClock, 'now'>) => Promise<{ open: () => Store }>;

/** Returns a first write of an order that is never due. */
export const orderWrite = (change: Partial<RecordWrite> = {}): RecordWrite => {
  const { id = 'order-1' } = change;
  const nothing = { references: [], accountNumbers: [], events: [], needsPerson: false };
  const never = { dueAfterMs: null, claim: null, awaits: null };
  return { id, record: newOrder(id), version: 0, ...nothing, ...never, ...change };
};

/** Returns the events of an order with these outcomes, as a write adds them. Their keys are `order-1:0:paid`, for example. */
export const eventsOf = (orderId: string, outcomes: readonly OrderOutcome[], from = 0): NewEvent[] =>
  outcomes.map((outcome, index) => {
    const position = from + index;
    const names = { key: `${orderId}:${position}:${outcome}`, position, reference: 'tc_1', amount: 1000 };
    switch (outcome) {
      case 'paid':
        return { ...names, orderId, outcome, isLate: false };
      case 'unexpectedMoney':
        return { ...names, orderId, outcome, reason: 'surplus' };
      default:
        return { ...names, orderId, outcome };
    }
  });

/** Two instances that share a store, and the clock that the store goes by. */
export async function openStores(makeStore: MakeStore) {
  const clock = createTestClock();
  const { open } = await makeStore(clock);
  const [store, other] = [open(), open()];
  const many = <T>(count: number, work: (store: Store, index: number) => Promise<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: count }, (_, index) => work(index % 2 === 0 ? store : other, index)));
  const readStatus = (mostWaiting = 0) => other.readStatus({ mostWaiting });
  return { store, other, clock, many, readStatus, ...helpersFor(store) };
}

export function helpersFor(store: Store) {
  const write = async (id: string, change: Partial<RecordWrite> = {}): Promise<boolean> => {
    const { version } = await store.find({ orderId: id });
    return store.write(orderWrite({ id, version, ...change }));
  };
  const counts = new Map<string, number>();
  const add = async (id: string, ...outcomes: OrderOutcome[]): Promise<void> => {
    const from = counts.get(id) ?? 0;
    counts.set(id, from + outcomes.length);
    await write(id, { events: eventsOf(id, outcomes, from) });
  };
  const claimNext = () => store.claimOutboxEvent({ leaseMs: 1000 });
  /** Finishes all events that can be claimed, and returns their keys in that order. */
  const runAll = async (): Promise<string[]> => {
    const keys: string[] = [];
    for (let event = await claimNext(); event !== undefined; event = await claimNext()) {
      await store.updateOutboxEvent(event, { state: 'done' });
      keys.push(event.key);
    }
    return keys;
  };
  /** Claims the next event, which must be this one. */
  const claim = async (key: string) => {
    const event = await claimNext();
    if (event?.key !== key) throw new Error(`Not ${key} was next, but ${event?.key}.`);
    return event;
  };
  /** Claims the next event, which must be this one, and ends its run. */
  const end = async (key: string, how: RunChange) => store.updateOutboxEvent(await claim(key), how);
  return { write, add, claimNext, runAll, claim, end };
}
