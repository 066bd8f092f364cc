import { describe, expect, it } from 'vitest';
import { createBackground } from '../../../../server-kit/engine/shell/background.ts';
import { createReconciler } from '../../../../server-kit/engine/shell/reconciler.ts';
import type { Records } from '../../../../server-kit/engine/shell/records.ts';
import type { Store } from '../../../../server-kit/engine/store.ts';
import type { LogEvent } from '../../../../server-kit/engine/telemetry/log-event.ts';
import type { Verifier } from '../../../../server-kit/engine/verification/verifier.ts';
import { createMemoryStore } from '../../../../server-kit/stores/memory.ts';
import { createGate } from '../../kit/gate.ts';
import { createNotifiedShop } from '../../kit/notified-shop.ts';
import { createTestClock, nextTurn } from '../../kit/test-clock.ts';

/** Background work with nothing to do, that counts the runs of its parts. Rounds are four seconds apart. */
function createIdle(changes: Partial<Store> = {}) {
  const clock = createTestClock();
  const log: LogEvent[] = [];
  const begun = { due: 0, handlers: 0 };
  const claimOrders = async () => {
    begun.due++;
    return [];
  };
  const store: Store = { ...createMemoryStore(), claimOrders, ...changes };
  const common = { store, log: (event: LogEvent) => void log.push(event), stopping: new AbortController() };
  const background = createBackground({
    ...common,
    ...clock,
    runner: { runSoon: () => begun.handlers++, settled: async () => {}, stop: async () => {} },
    reconciler: createReconciler({ ...common, records: {} as Records, verifier: {} as Verifier }),
    handlers: { onPaid: () => {} },
    random: () => 0.5,
  });
  return { ...background, clock, log, begun };
}

const down = new Error('It is down.');
const fails = { claimOrders: () => Promise.reject(down) };

describe('rounds', () => {
  it('run handlers and the reconciler, of one start only, until the stop', async () => {
    const { start, stop, clock, begun } = createIdle();
    start();
    start();
    await clock.untilWaiting(4000);
    clock.advance(4000);
    await clock.untilWaiting(4000);
    await nextTurn();
    expect([begun, clock.pending()]).toEqual([{ due: 2, handlers: 2 }, 1]);
    await stop(1000);
    await nextTurn();
    expect([begun, clock.pending()]).toEqual([{ due: 2, handlers: 2 }, 0]);
  });

  it('whose store fails are logged, and go on', async () => {
    const { start, clock, begun, log, stop } = createIdle(fails);
    start();
    await clock.untilWaiting(4000);
    clock.advance(4000);
    await expect.poll(() => log).toEqual(Array(2).fill({ type: 'backgroundFailed', error: down }));
    expect(begun.handlers).toBe(2);
    await stop(0);
  });

  it('are not held up by housekeeping that takes long, but the stop is', async () => {
    const { open: end, opened } = createGate();
    const { start, begun, clock, stop } = createIdle({ resumeOutboxEvents: () => opened });
    start();
    await clock.untilWaiting(4000);
    clock.advance(4000);
    await expect.poll(() => begun.due).toBe(2);
    let isStopped = false;
    const stopped = stop(1000).then(() => {
      isStopped = true;
    });
    await nextTurn();
    expect(isStopped).toBe(false);
    end();
    await stopped;
  });

  it('that are single call handlers, and wait 20 seconds for housekeeping, even if nothing can be verified', async () => {
    const resumeOutboxEvents = () => new Promise<never>(() => {});
    const { runRound, clock, begun } = createIdle({ ...fails, resumeOutboxEvents });
    const ended = runRound().catch((error: unknown) => error);
    await clock.untilWaiting(20_000);
    clock.advance(20_000);
    expect([await ended, begun.handlers]).toEqual([down, 1]);
  });
});

describe('a checkout without rounds', () => {
  const minuteMs = 60_000;
  /** An order whose page is closed, and a shop that gets a request after each of these times. */
  async function warningsAfter(times: readonly number[], shop = createNotifiedShop()) {
    await shop.open();
    for (const ms of times) {
      shop.clock.advance(ms);
      await shop.checkout.handler(new Request('https://shop.example/checkout/health'));
      await shop.checkout.settled();
    }
    return shop.log.filter(({ type }) => type === 'roundsMissing');
  }

  it('is logged once, when a verification has been due for a minute', async () => {
    const message = expect.stringMatching(/start\(\).*reconcile/);
    const warning = { level: 'warn', type: 'roundsMissing', checkLagMs: minuteMs, message };
    expect(await warningsAfter([minuteMs, 59_000])).toEqual([]);
    expect(await warningsAfter([2 * minuteMs, minuteMs, minuteMs])).toEqual([warning]);
  });

  it('is not, once a round has run in this process, or another process runs them', async () => {
    const started = createNotifiedShop();
    started.checkout.start();
    expect(await warningsAfter([minuteMs, 3 * minuteMs], started)).toEqual([]);
    await started.checkout.stop();
    const scheduled = createNotifiedShop();
    await scheduled.checkout.reconcile();
    expect(await warningsAfter([3 * minuteMs, 3 * minuteMs], scheduled)).toEqual([]);
    const { store } = createNotifiedShop();
    const status = { ...(await store.readStatus({ mostWaiting: 0 })), checkLagMs: 900 };
    const elsewhere = createNotifiedShop({ store: { ...store, readStatus: async () => status } });
    expect(await warningsAfter([3 * minuteMs], elsewhere)).toEqual([]);
  });

  it('costs one measurement a minute, and no response if the store fails', async () => {
    const { store } = createNotifiedShop();
    let measured = 0;
    const readStatus = () => {
      measured++;
      return Promise.reject(new Error('It is down.'));
    };
    const shop = createNotifiedShop({ store: { ...store, readStatus } });
    expect(await warningsAfter([minuteMs, 1000, 1000, minuteMs], shop)).toEqual([]);
    expect(measured).toBe(2);
    expect(shop.log.filter(({ type }) => type === 'storeFailed')).toHaveLength(2);
  });
});
