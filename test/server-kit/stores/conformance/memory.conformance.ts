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

const steps = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant('write'),
        id,
        isStale,
        claimAge,
        dueAfterMs,
        references: fc.array(reference, { maxLength: 1 }),
        outcomes: fc.array(fc.constantFrom(...outboxOutcomes), { maxLength: 3 }),
        awaits: fc.constantFrom('money', 'confirmation', null),
        needsPerson: fc.boolean(),
        accountNumbers: fc.array(fc.constantFrom('98', '99'), { maxLength: 2 }),
      }),
    },
    fc.record({ do: fc.constant('reschedule'), id, isStale, claimAge, dueAfterMs, isServed: fc.boolean() }),
    fc.record({ do: fc.constant('wake'), reference, leaseMs: fc.constantFrom(0, 2000) }),
    fc.record({ do: fc.constant('claimDue') }),
    { weight: 3, arbitrary: fc.record({ do: fc.constant('claimEvents') }) },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant('end'),
        run: fc.nat(5),
        how: fc.oneof(end, fc.constant('renew')),
      }),
    },
    fc.record({
      do: fc.constant('resume'),
      isStart: fc.boolean(),
      outcomes: fc.shuffledSubarray([...outboxOutcomes], { minLength: 1 }),
    }),
    { weight: 2, arbitrary: fc.record({ do: fc.constant('pass'), ms: fc.constantFrom(1000, 5000, 60_000) }) },
  ),
  { maxLength: 60, size: 'max' },
);
type Step = typeof steps extends fc.Arbitrary<(infer One)[]> ? One : never;

const idOf = ({ record }: Pick<DueRecord, 'record'>): 'a' | 'b' => record.orderId as 'a' | 'b';

/** One store, and what its callers remember. Two of them that take the same steps return the same. */
function createCaller(store: Store, advance: (ms: number) => void) {
  const positions = { a: 0, b: 0 };
  const claims = { a: 0, b: 0 };
  let runs: ClaimedOutboxEvent[] = [];

  const changeOf = async (of: {
    id: 'a' | 'b';
    isStale: boolean;
    claimAge: number | null;
    dueAfterMs: number | null;
  }) => {
    const version = ((await store.find({ orderId: of.id }))?.version ?? 0) - (of.isStale ? 1 : 0);
    const claim =
      of.claimAge === null || claims[of.id] === 0 ? null : Math.max(1, claims[of.id] - of.claimAge);
    return { id: of.id, version, claim, dueAfterMs: of.dueAfterMs };
  };
  const claimEvents = async () => {
    const claimed: ClaimedOutboxEvent[] = [];
    // A store may believe that there is more.
    for (let event = await claimOne(); event !== undefined; event = await claimOne())
      claimed.push({ ...event, hasMore: true });
    claimed.sort((left, right) => (left.key < right.key ? -1 : 1));
    runs = [...claimed, ...runs].slice(0, 6);
    return claimed;
  };
  const claimOne = () => store.claimOutboxEvent({ leaseMs: 2000 });
  const endRun = (run: ClaimedOutboxEvent | undefined, how: RunEnd | 'renew') => {
    if (run === undefined) return undefined;
    return store.updateOutboxEvent(run, how === 'renew' ? { state: 'running', leaseMs: 2000 } : how);
  };

  /** Of what began at the same moment, a store may return any first. */
  const readStatus = async () => {
    const { waiting, oldestUnpaid, outcomes, needingPerson, ...status } = await store.readStatus({
      mostWaiting: 1000,
    });
    const counted = Object.entries(outcomes).filter(([, number]) => number !== 0);
    return {
      ...status,
      outcomes: Object.fromEntries(counted),
      needingPerson: needingPerson.sort((left, right) => (idOf(left) < idOf(right) ? -1 : 1)),
      waiting: waiting.sort((left, right) => (left.key < right.key ? -1 : 1)),
    };
  };

  const take = async (step: Step): Promise<unknown> => {
    switch (step.do) {
      case 'write': {
        const { outcomes, references, awaits, needsPerson, accountNumbers } = step;
        const events = eventsOf(step.id, outcomes, positions[step.id]);
        positions[step.id] += outcomes.length;
        return store.write(
          orderWrite({ ...(await changeOf(step)), references, awaits, events, needsPerson, accountNumbers }),
        );
      }
      case 'reschedule':
        return store.reschedule({
          ...(await changeOf(step)),
          claim: claims[step.id] - (step.claimAge ?? 0),
          isServed: step.isServed,
        });
      case 'claimDue': {
        const due = await store.claimOrders({ limit: 5, leaseMs: 2000 });
        for (const one of due) claims[idOf(one)] = one.claim;
        return due.sort((left, right) => (idOf(left) < idOf(right) ? -1 : 1));
      }
      case 'wake': {
        const woken = await store.claimOrders({ reference: step.reference, leaseMs: step.leaseMs });
        for (const one of woken) claims[idOf(one)] = one.claim;
        return woken;
      }
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
      store
        .findOrders('99')
        .then((found) => found.sort((left, right) => (idOf(left) < idOf(right) ? -1 : 1))),
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
