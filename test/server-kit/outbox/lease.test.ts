import { describe, expect, it } from 'vitest';
import { holdLease } from '../../../server-kit/outbox/lease.ts';
import { createMemoryStore } from '../../../server-kit/stores/memory.ts';
import type { Store } from '../../../server-kit/stores/store.ts';
import type { LogEvent } from '../../../server-kit/telemetry/log-event.ts';
import { createTestClock, nextTurn } from '../kit/test-clock.ts';

const run = { key: 'order-1:paid', token: 1 };
const leaseMs = 30_000;

/** What becomes of a renewal. */
const renewals = {
  done: async () => true,
  taken: async () => false,
  fails: () => Promise.reject(new Error('The store is down.')),
  hangs: () => new Promise<boolean>(() => {}),
};

type Renewal = keyof typeof renewals;

/** A lease whose renewals go as listed, and then well. Notes the second of each event. */
function startLease(listed: readonly Renewal[], change: Partial<Store> = {}) {
  const clock = createTestClock();
  const startMs = clock.now();
  const secondsNow = (): number => (clock.now() - startMs) / 1000;
  const asked: number[] = [];
  const notRenewed: number[] = [];
  const log: LogEvent[] = [];
  const calls: unknown[] = [];
  const foregroundWaits: number[] = [];
  const lease = holdLease(
    {
      store: {
        ...createMemoryStore(),
        renewOutboxEvent(...call) {
          calls.push(call);
          return renewals[listed[asked.push(secondsNow()) - 1] ?? 'done']();
        },
        ...change,
      },
      wait(ms, signal, isInBackground) {
        if (!isInBackground) foregroundWaits.push(ms);
        return clock.wait(ms, signal);
      },
      leaseMs,
      log(event) {
        log.push(event);
        notRenewed.push(secondsNow());
      },
    },
    run,
  );
  const ended: number[] = [];
  lease.signal.addEventListener('abort', () => ended.push(secondsNow()));
  const pass = async (seconds: number): Promise<void> => {
    for (let passed = 0; passed < seconds; passed += 5) {
      await nextTurn();
      clock.advance(5000);
    }
    await nextTurn();
  };
  return { ...lease, clock, pass, calls, log, foregroundWaits, times: { asked, notRenewed, ended } };
}

describe('a lease', () => {
  const everyTenSeconds = Array.from({ length: 30 }, (_, index) => 10 * (index + 1));

  it.each<[string, Renewal[], { asked: number[]; notRenewed: number[]; ended: number[] }, string]>([
    [
      'when another instance has taken it over',
      ['done', 'taken'],
      { asked: [10, 20], notRenewed: [], ended: [20] },
      'was lost',
    ],
    [
      'when two renewals in a row fail',
      ['fails', 'done', 'fails', 'fails'],
      { asked: [10, 20, 30, 40], notRenewed: [10, 30, 40], ended: [40] },
      'could not be renewed',
    ],
    [
      'when two renewals in a row hang',
      ['hangs', 'hangs'],
      { asked: [10, 30], notRenewed: [20, 40], ended: [40] },
      'could not be renewed',
    ],
    [
      'after ten times its length',
      [],
      { asked: everyTenSeconds, notRenewed: [], ended: [300] },
      'longer than 300 seconds',
    ],
  ])('ends %s', async (_when, listed, expected, message) => {
    const { pass, signal, calls, log, clock, times } = startLease(listed);
    await pass(400);
    expect(times).toEqual(expected);
    expect(signal.reason).toMatchObject({ message: expect.stringMatching(`order-1:paid.*${message}`) });
    expect(calls).toEqual(expected.asked.map(() => [run, { leaseMs }]));
    const notRenewed = { type: 'leaseNotRenewed', key: 'order-1:paid', error: expect.any(Error) };
    expect(log).toEqual(expected.notRenewed.map(() => notRenewed));
    expect(clock.pending()).toBe(0);
  });

  it('of a store with transactions is not renewed, ends as well, and does not keep the process alive', async () => {
    const { pass, times, foregroundWaits } = startLease([], { transact: async () => true });
    await pass(400);
    expect(times).toEqual({ asked: [], notRenewed: [], ended: [300] });
    expect(foregroundWaits).toEqual([]);
  });

  it.each<[string, Renewal[], number]>([
    ['before a renewal', [], 5],
    ['while a renewal hangs', ['hangs'], 15],
    ['after a failure', ['fails'], 15],
  ])('that is released %s ends silently', async (_when, listed, seconds) => {
    const { pass, release, clock, times } = startLease(listed);
    await pass(seconds);
    const notRenewed = [...times.notRenewed];
    release();
    await nextTurn();
    expect(clock.pending()).toBe(0);
    await pass(400);
    expect(times).toMatchObject({ notRenewed, ended: [] });
  });
});
