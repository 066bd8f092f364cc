import fc from 'fast-check';
import { expect, it } from 'vitest';
import { outboxOutcomes } from '../../../../server-kit/engine/order/event.ts';
import type { ClaimedOutboxEvent, DueRecord, RunEnd, Store } from '../../../../server-kit/engine/store.ts';
import { createMemoryStore } from '../../../../server-kit/stores/memory.ts';
import { createTestClock } from '../../kit/test-clock.ts';
import { eventsOf, type MakeStore, orderWrite } from './store-kit.ts';

const ids = ['a', 'b'] as const;
const id = fc.constantFrom(...ids);
const reference = fc.constantFrom('tc_1', 'tc_2', 'tc_3');
const dueAfterMs = fc.constantFrom(null, 0, 1000, 5000);
const isStale = fc.nat(4).map((number) => number === 0);
/** The claim that the order was claimed with last, or one before. */
const claimAge = fc.constantFrom(null, 0, 0, 1);
const failure = 'no';
const end = fc.constantFrom<RunEnd>(
  { state: 'done' },
  { state: 'done' },
  { state: 'withdrawn' },
  { state: 'parked', failure },
  { state: 'parked' },
  { state: 'deferred', afterMs: 5000, failure },
  { state: 'waiting', afterMs: 0, failure },
  { state: 'waiting', afterMs: 5000, failure },
);

const step = <Do extends string, T>(name: Do, fields: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record(fields).map((made) => ({ ...made, do: name }));
const often = <T>(weight: number, arbitrary: fc.Arbitrary<T>) => ({ weight, arbitrary });

const write = step('write', {
  id,
  isStale,
  claimAge,
  dueAfterMs,
  references: fc.array(reference, { maxLength: 1 }),
  outcomes: fc.array(fc.constantFrom(...outboxOutcomes), { maxLength: 3 }),
  awaits: fc.constantFrom('money', 'confirmation', null),
  needsPerson: fc.boolean(),
  accountNumbers: fc.array(fc.constantFrom('98', '99'), { maxLength: 2 }),
});
const some = fc.shuffledSubarray([...outboxOutcomes], { minLength: 1 });
const steps = fc.array(
  fc.oneof(
    often(4, write),
    step('reschedule', { id, isStale, claimAge, dueAfterMs, isServed: fc.boolean() }),
    step('wake', { reference, leaseMs: fc.constantFrom(0, 2000) }),
    step('claimDue', {}),
    often(3, step('claimEvents', {})),
    often(3, step('end', { run: fc.nat(5), how: fc.oneof(end, fc.constant('renew' as const)) })),
    step('resume', { isStart: fc.boolean(), outcomes: some }),
    often(2, step('pass', { ms: fc.constantFrom(1000, 5000, 60_000) })),
  ),
  { maxLength: 60, size: 'max' },
);
type Step = typeof steps extends fc.Arbitrary<(infer One)[]> ? One : never;
type Planned = Pick<Extract<Step, { do: 'reschedule' }>, 'id' | 'isStale' | 'claimAge' | 'dueAfterMs'>;

const idOf = ({ record }: Pick<DueRecord, 'record'>): 'a' | 'b' => record.orderId as 'a' | 'b';

/** Of what began at the same moment, a store may return any first. */
const byId = <T extends Pick<DueRecord, 'record'>>(found: T[]): T[] =>
  found.sort((left, right) => idOf(left).localeCompare(idOf(right)));
const byKey = <T extends { key: string }>(events: T[]): T[] =>
  events.sort((left, right) => left.key.localeCompare(right.key));

/** One store, and what its callers remember. Two of them that take the same steps return the same. */
function createCaller(store: Store, advance: (ms: number) => void) {
  const positions = { a: 0, b: 0 };
  const claims = { a: 0, b: 0 };
  let runs: ClaimedOutboxEvent[] = [];

  const changeOf = async ({ id, isStale, claimAge, dueAfterMs }: Planned) => {
    const version = ((await store.find({ orderId: id }))?.version ?? 0) - (isStale ? 1 : 0);
    const claim = claimAge === null || claims[id] === 0 ? null : Math.max(1, claims[id] - claimAge);
    return { id, version, claim, dueAfterMs };
  };
  const claimEvents = async () => {
    const claimed: ClaimedOutboxEvent[] = [];
    const claimOne = () => store.claimOutboxEvent({ leaseMs: 2000 });
    // A store may believe that there is more.
    for (let event = await claimOne(); event !== undefined; event = await claimOne())
      claimed.push({ ...event, hasMore: true });
    runs = [...byKey(claimed), ...runs].slice(0, 6);
    return claimed;
  };
  const endRun = (run: ClaimedOutboxEvent | undefined, how: RunEnd | 'renew') =>
    run && store.updateOutboxEvent(run, how === 'renew' ? { state: 'running', leaseMs: 2000 } : how);
  const claim = async (options: Parameters<Store['claimOrders']>[0]) => {
    const claimed = byId(await store.claimOrders(options));
    for (const one of claimed) claims[idOf(one)] = one.claim;
    return claimed;
  };
  const readStatus = async () => {
    const status = await store.readStatus({ mostWaiting: 1000 });
    const counted = Object.entries(status.outcomes).filter(([, number]) => number !== 0);
    return {
      ...status,
      oldestUnpaid: undefined,
      outcomes: Object.fromEntries(counted),
      needingPerson: byId(status.needingPerson),
      waiting: byKey(status.waiting),
    };
  };

  const take = async (step: Step): Promise<unknown> => {
    switch (step.do) {
      case 'write': {
        const { do: _, outcomes, isStale: __, claimAge: ___, ...change } = step;
        const events = eventsOf(step.id, outcomes, positions[step.id]);
        positions[step.id] += outcomes.length;
        return store.write(orderWrite({ ...change, ...(await changeOf(step)), events }));
      }
      case 'reschedule': {
        const { isServed, claimAge } = step;
        const claim = claims[step.id] - (claimAge ?? 0);
        return store.reschedule({ ...(await changeOf(step)), claim, isServed });
      }
      case 'claimDue':
        return claim({ limit: 5, leaseMs: 2000 });
      case 'wake':
        return claim({ reference: step.reference, leaseMs: step.leaseMs });
      case 'claimEvents':
        return claimEvents();
      case 'end':
        return endRun(runs[step.run], step.how);
      case 'resume':
        // At once, because the order of the queues is not defined.
        return store.resumeOutboxEvents({ outcomes: step.outcomes, withinMs: 0, isStart: step.isStart });
      case 'pass':
        return advance(step.ms);
    }
  };
  const look = () =>
    Promise.all([
      ...ids.map((id) => store.find({ orderId: id })),
      ...['tc_1', 'tc_2', 'tc_3'].map((reference) => store.find({ reference })),
      store.findOrders('99').then(byId),
      readStatus(),
    ]);
  return { take, look };
}

/** Compares a store with the memory store, in random use by one caller. */
export function compareWithMemory(name: string, makeStore: MakeStore): void {
  it(`does in the ${name} store what the memory store does`, { timeout: 120_000 }, async () => {
    const same = fc.asyncProperty(steps, async (taken) => {
      const clocks = [createTestClock(), createTestClock()] as const;
      const store = (await makeStore(clocks[0])).open();
      const caller = createCaller(store, clocks[0].advance);
      const model = createCaller(createMemoryStore({ now: clocks[1].now }), clocks[1].advance);
      for (const step of taken) {
        expect([await caller.take(step), await caller.look()], JSON.stringify(step)).toEqual([
          await model.take(step),
          await model.look(),
        ]);
      }
    });
    await fc.assert(same, { numRuns: 10 });
  });
}
