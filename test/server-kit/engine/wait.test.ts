import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import { joinSignals, noLongerNeeded, raceAbort, resolveWithin } from '../../../server-kit/engine/wait.ts';
import { createTestClient, payment } from '../kit/client-kit.ts';
import { createTestClock } from '../kit/test-clock.ts';

const listenersOf = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length;
const reason = new Error('enough');

it('Joined signals abort when they end, and leave no listeners', () => {
  const outer = new AbortController();
  const { signal, end } = joinSignals(outer.signal);
  expect(listenersOf(outer.signal)).toBe(1);
  end();
  expect([listenersOf(outer.signal), signal.reason]).toEqual([0, noLongerNeeded]);
});

it('A race with a signal leaves no listener on it when the work is done', async () => {
  const { signal } = new AbortController();
  expect(await raceAbort(Promise.resolve(7), signal)).toBe(7);
  await Promise.resolve();
  expect(listenersOf(signal)).toBe(0);
});

it('work within a time gives its result or its error, nothing once the time is over, and leaves no timer', async () => {
  const clock = createTestClock();
  const { signal } = new AbortController();
  const within = (work: Promise<unknown>, aborts = signal) => resolveWithin(clock.wait, 1000, work, aborts);
  expect(await within(Promise.resolve(7))).toBe(7);
  await expect(within(Promise.reject(reason))).rejects.toBe(reason);
  const hanging = new Promise(() => {});
  const late = within(hanging);
  clock.advance(1000);
  expect([await late, clock.pending(), listenersOf(signal)]).toEqual([undefined, 0, 0]);
  await expect(within(hanging, AbortSignal.abort(reason))).rejects.toBe(reason);
});

it.each([
  ['succeeded', async () => Response.json(payment)],
  ['failed', () => Promise.reject(new TypeError('fetch failed'))],
])('a long-lived signal keeps no listeners of calls that have %s', async (_name, fetch) => {
  const { signal } = new AbortController();
  const { client } = createTestClient('http://service.test', { fetch });
  for (let call = 0; call < 3; call++) await client.payments.verify('ord_1', { signal }).catch(() => {});
  expect(listenersOf(signal)).toBe(0);
});
