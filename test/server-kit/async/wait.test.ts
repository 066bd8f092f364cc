import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { abortAfter, joinSignals, raceAbort, waitWithTimer } from '../../../server-kit/async/wait.ts';
import { createTestClient, payment } from '../kit/client-kit.ts';

const listenersOf = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length;
const reason = new Error('enough');

describe('a wait with a timer', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('ends after its time, and leaves the signal alone', async () => {
    const { signal } = new AbortController();
    const waited = waitWithTimer(1000, signal);
    expect(listenersOf(signal)).toBe(1);
    vi.advanceTimersByTime(1000);
    await waited;
    expect(listenersOf(signal)).toBe(0);
  });

  it('ends with its signal, for its reason, and leaves no timer', async () => {
    const controller = new AbortController();
    const waited = waitWithTimer(1000, controller.signal);
    controller.abort(reason);
    await expect(waited).rejects.toBe(reason);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('does not begin for a signal that has aborted', async () => {
    await expect(waitWithTimer(1000, AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('that is cancelled aborts nothing, and leaves no timer', async () => {
    const { signal, cancel } = abortAfter(waitWithTimer, 1000);
    expect(vi.getTimerCount()).toBe(1);
    cancel();
    await Promise.resolve();
    expect([vi.getTimerCount(), signal.aborted]).toEqual([0, false]);
  });
});

describe('signals that are joined', () => {
  it.each([0, 1])('abort with signal %i, for its reason', (index) => {
    const controllers = [new AbortController(), new AbortController()] as const;
    const { signal } = joinSignals(...controllers.map((controller) => controller.signal));
    expect(signal.aborted).toBe(false);
    controllers[index]?.abort(reason);
    expect(signal.reason).toBe(reason);
  });

  it('have aborted where one of them has', () => {
    expect(joinSignals(new AbortController().signal, AbortSignal.abort(reason)).signal.reason).toBe(reason);
  });

  it('are let go of', () => {
    const { signal } = new AbortController();
    const { release } = joinSignals(signal);
    expect(listenersOf(signal)).toBe(1);
    release();
    expect(listenersOf(signal)).toBe(0);
  });
});

describe('a race with a signal', () => {
  it('leaves the signal alone when the work is done', async () => {
    const { signal } = new AbortController();
    expect(await raceAbort(Promise.resolve(7), signal)).toBe(7);
    await Promise.resolve();
    expect(listenersOf(signal)).toBe(0);
  });
});

it.each([
  ['answered', async () => Response.json(payment)],
  ['lost', () => Promise.reject(new TypeError('fetch failed'))],
])('a signal that lives long has nothing left on it by calls that were %s', async (_name, fetch) => {
  const { signal } = new AbortController();
  const { client } = createTestClient('http://service.test', { fetch });
  for (let call = 0; call < 3; call++) await client.payments.verify('ord_1', { signal }).catch(() => {});
  expect(listenersOf(signal)).toBe(0);
});
