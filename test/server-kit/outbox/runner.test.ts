import { describe, expect, it } from 'vitest';
import type { OutcomeEvent, OutcomeHandlers } from '../../../server-kit/outbox/handlers.ts';
import { createOutboxRunner } from '../../../server-kit/outbox/runner.ts';
import { createMemoryStore } from '../../../server-kit/stores/memory.ts';
import type { Store } from '../../../server-kit/stores/store.ts';
import type { LogEvent } from '../../../server-kit/telemetry/log-event.ts';
import { createTestClock, nextTurn } from '../kit/test-clock.ts';
import { openRecord } from '../payments/records.ts';

const noStock = new Error('no stock');
const key = 'order-1:paid';
const names = { key, orderId: 'order-1', outcome: 'paid', reference: 'tc_1' };

/** A runner on a store with this many paid orders. */
async function startRunner(
  handlers: OutcomeHandlers,
  change: (store: Store) => Partial<Store> = () => ({}),
  orders = 1,
) {
  const clock = createTestClock();
  const inner = createMemoryStore({ now: clock.now });
  for (let n = 1; n <= orders; n++) {
    const record = { ...openRecord, reference: `tc_${n}`, orderId: `order-${n}` };
    await inner.insert(record, { checkAfterMs: null });
    await inner.update(record, { checkAfterMs: null, outcomes: ['paid'] });
  }
  const log: LogEvent[] = [];
  const foregroundWaits: number[] = [];
  const runner = createOutboxRunner({
    store: { ...inner, ...change(inner) },
    wait(ms, signal, isInBackground) {
      if (!isInBackground) foregroundWaits.push(ms);
      return clock.wait(ms, signal);
    },
    leaseMs: 30_000,
    handlers,
    maxTries: 2,
    random: () => 0,
    log: (event) => void log.push(event),
  });
  runner.runSoon();
  await nextTurn();
  const pass = async (ms: number): Promise<void> => {
    clock.advance(ms);
    await nextTurn();
  };
  return { ...runner, clock, inner, log, foregroundWaits, pass };
}

const fail = (): never => {
  throw noStock;
};

describe('the runner of the outbox logs', () => {
  it('a handler that has succeeded', async () => {
    const { log } = await startRunner({ onPaid: () => {} });
    expect(log).toEqual([{ type: 'handlerSucceeded', ...names, token: 1 }]);
  });

  it('nothing about an outcome without a handler, for which it does not read the payment', async () => {
    let reads = 0;
    const { log, inner } = await startRunner({ onFailed: () => {} }, (store) => ({
      findByReference(reference) {
        reads++;
        return store.findByReference(reference);
      },
    }));
    expect([log, reads]).toEqual([[], 0]);
    expect(await inner.measure()).toMatchObject({ pendingOutboxEvents: 0 });
  });

  it('each failure with the pause after it, and the dead letter with its cause', async () => {
    const { log, pass, clock } = await startRunner({ onPaid: fail });
    // Half a second, with this jitter, and the margin for the store's clock.
    await pass(599);
    expect(log).toEqual([{ type: 'handlerFailed', ...names, token: 1, retryAfterMs: 500, error: noStock }]);
    await pass(1);
    const message = expect.stringContaining("retry('order-1:paid')");
    expect(log.slice(1)).toEqual([
      { type: 'handlerFailed', ...names, token: 2, retryAfterMs: null, error: noStock },
      {
        type: 'deadLettered',
        ...names,
        token: 2,
        error: expect.objectContaining({ code: 'internal_error', cause: noStock, message }),
      },
    ]);
    expect(clock.pending()).toBe(0);
  });

  it.each([1, 2])(
    'a failure whose lease was lost, and leaves the event to others, on try %i',
    async (token) => {
      const { log, clock } = await startRunner({ onPaid: fail }, (store) => ({
        async claimOutboxEvent(options) {
          const event = await store.claimOutboxEvent(options);
          return event && { ...event, token };
        },
        failOutboxEvent: async () => false,
      }));
      expect(log).toMatchObject([
        { type: 'handlerFailed', key },
        { type: 'leaseLost', key },
      ]);
      expect(log[1]).toEqual({ type: 'leaseLost', ...names, token });
      expect(clock.pending()).toBe(0);
    },
  );
});

describe('the runner of the outbox', () => {
  it.each<[string, Partial<Store>, number]>([
    ['four, in transactions', {}, 4],
    ['as many as the store has transactions', { maxTransactions: 6 }, 6],
  ])('runs at most %s', async (_what, change, most) => {
    let calls = 0;
    const onPaid = () => {
      calls++;
      return new Promise(() => {});
    };
    const withTransactions = (): Partial<Store> => ({
      transact: (_run, work) => work('the transaction').then(() => true),
      ...change,
    });
    const { pass } = await startRunner({ onPaid }, withTransactions, 10);
    for (let passes = 0; passes < 3; passes++) await pass(3000);
    expect(calls).toBe(most);
  });

  it('does not keep the process alive while it waits for a retry, and forgets the retry when it stops', async () => {
    const { foregroundWaits, clock, stop, runSoon, pass, log } = await startRunner({ onPaid: fail });
    expect([foregroundWaits, clock.pending()]).toEqual([[], 1]);
    await stop(new AbortController().signal);
    expect(clock.pending()).toBe(0);
    runSoon();
    await pass(3_600_000);
    expect(log).toHaveLength(1);
  });

  it('releases the events of handlers that it interrupts, and logs them', async () => {
    const reasons: unknown[] = [];
    const failures: unknown[] = [];
    const onPaid = ({ signal }: OutcomeEvent) => {
      signal.addEventListener('abort', () => reasons.push(signal.reason));
      return new Promise(() => {});
    };
    const { log, stop, inner, clock } = await startRunner({ onPaid }, (store) => ({
      failOutboxEvent(run, failure) {
        failures.push(failure);
        return store.failOutboxEvent(run, failure);
      },
    }));
    await stop(AbortSignal.abort());
    const stopped = expect.stringContaining('was stopped');
    expect(reasons).toEqual([expect.objectContaining({ message: stopped })]);
    expect(failures).toEqual([{ retryAfterMs: 0, failure: stopped }]);
    expect(log).toEqual([{ type: 'handlerInterrupted', ...names, token: 1 }]);
    expect(await inner.claimOutboxEvent({ leaseMs: 1 })).toMatchObject({ key, token: 2, wasLost: false });
    expect(clock.pending()).toBe(0);
  });

  it('schedules no retry for a handler that fails while it stops', async () => {
    let failNow = (_error: Error): void => {};
    const onPaid = () =>
      new Promise((_, reject) => {
        failNow = reject;
      });
    const { stop, clock, inner } = await startRunner({ onPaid });
    const stopped = stop(new AbortController().signal);
    failNow(noStock);
    await stopped;
    await nextTurn();
    expect(clock.pending()).toBe(0);
    expect(await inner.measure()).toMatchObject({ pendingOutboxEvents: 1 });
  });

  it('releases the event of a handler that ignores its signal: cuts it off after five seconds, and waits for the store', async () => {
    const { stop, pass, inner, log } = await startRunner(
      { onPaid: () => new Promise(() => {}) },
      (store) => ({
        transact: (_run, _work, signal) =>
          new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
        async failOutboxEvent(run, failure) {
          await nextTurn();
          return store.failOutboxEvent(run, failure);
        },
      }),
    );
    const stopped = stop(AbortSignal.abort());
    await nextTurn();
    await pass(5000);
    await stopped;
    expect(log).toEqual([{ type: 'handlerInterrupted', ...names, token: 1 }]);
    expect(await inner.claimOutboxEvent({ leaseMs: 1 })).toMatchObject({ key, token: 2, wasLost: false });
  });

  it('stops with a failure when a handler still runs two seconds after it was cut off', async () => {
    const { stop, pass } = await startRunner({ onPaid: () => new Promise(() => {}) }, () => ({
      transact: (_run, work) => work('the transaction').then(() => true),
    }));
    let failure: unknown;
    stop(AbortSignal.abort()).catch((error: unknown) => {
      failure = error;
    });
    await nextTurn();
    await pass(6999);
    expect(failure).toBeUndefined();
    await pass(1);
    expect(failure).toBeInstanceOf(Error);
  });
});
