import { expect, it } from 'vitest';
import { renewUntilLost } from '../../../../server-kit/engine/outbox/lease.ts';
import type { Store } from '../../../../server-kit/engine/store.ts';
import { createTestClock, nextTurn } from '../../kit/test-clock.ts';
import { hang, leaseMs } from './outbox-kit.ts';

const run = { recordId: 'order:order-1', key: 'order-1:paid', outcome: 'paid', token: 1, open: 1 } as const;
const renewals = {
  done: async () => ({ nextAfterMs: leaseMs }),
  taken: async () => undefined,
  fails: () => Promise.reject(new Error('The store is down.')),
  hangs: hang,
};

/** A lease of half a minute whose renewals go as listed, and then well. Notes the seconds at which each thing happens. */
function startLease(listed: string) {
  const clock = createTestClock();
  const startMs = clock.now();
  const times: Record<string, number[]> = {};
  const note = (what: string): void => {
    times[what] = [...(times[what] ?? []), (clock.now() - startMs) / 1000];
  };
  const left = listed.split(' ') as (keyof typeof renewals)[];
  const store: Partial<Store> = {
    updateOutboxEvent(...call) {
      expect(call).toEqual([run, { state: 'running', leaseMs }]);
      note('renewed');
      return renewals[left.shift() || 'done']();
    },
  };
  const wait: typeof clock.wait = (ms, signal, isInBackground) => {
    // It would keep the process alive.
    if (!isInBackground) note('waited in the foreground');
    return clock.wait(ms, signal);
  };
  const log = (event: unknown) => {
    expect(event).toEqual({ type: 'leaseNotRenewed', key: run.key, error: expect.any(Error) });
    note('failed');
  };
  const released = new AbortController();
  const options = { store: store as Store, wait, leaseMs, log };
  const lost = renewUntilLost(options, run, () => note('long'), released.signal);
  lost.then(() => note('ended')).catch(() => {});
  const pass = async (seconds: number): Promise<void> => {
    for (let passed = 0; passed < seconds; passed += 2.5, clock.advance(2500)) await nextTurn();
    await nextTurn();
  };
  return { lost, released, clock, pass, times };
}

const all = Array.from({ length: 30 }, (_, index) => 10 * (index + 1));
const lasting = { renewed: all, long: all.slice(2), ended: [300] };
const hanging = { renewed: [10, 22.5], failed: [12.5, 25], ended: [25] };
const failing = { renewed: [10, 20, 30, 40], failed: [10, 30, 40], long: [30, 40], ended: [40] };

it.each([
  ['another instance takes it over', 'done taken', { renewed: [10, 20], ended: [20] }, 'was lost'],
  ['two renewals in a row fail', 'fails done fails fails', failing, 'not be renewed'],
  ['two hang', 'hangs hangs', hanging, 'could not be renewed'],
  ['it has lasted ten times its length', '', lasting, 'longer than 300 seconds'],
])('A lease ends when %s', async (_when, listed, expected, message) => {
  const { pass, lost, clock, times } = startLease(listed);
  await pass(400);
  expect([times, clock.pending()]).toEqual([expected, 0]);
  expect(await lost).toMatchObject({ message: expect.stringMatching(`order-1:paid.*${message}`) });
});

it.each([
  ['before a renewal', '', 5, {}],
  ['while a renewal hangs', 'hangs', 10, { renewed: [10] }],
])('A lease that is released %s ends silently', async (_when, listed, seconds, expected) => {
  const { pass, released, lost, clock, times } = startLease(listed);
  await pass(seconds);
  released.abort();
  await expect(lost).rejects.toBe(released.signal.reason);
  expect([times, clock.pending()]).toEqual([expected, 0]);
});
