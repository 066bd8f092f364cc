import { describe, expect, it } from 'vitest';
import { createMemoryBus } from '../../../server-kit/buses/memory.ts';
import type { LogEvent } from '../../../server-kit/telemetry/log-event.ts';
import { type BackgroundOptions, createBackground } from '../../../server-kit/verification/background.ts';
import { createGate } from '../kit/gate.ts';
import { createTestClock } from '../kit/test-clock.ts';
import { createWiredShop, order } from '../kit/wired-shop.ts';

const nothingDue = { due: 0, failed: 0, hasMore: false };

/** Background work with nothing to do, that counts the runs of its reconciler. Rounds are four seconds apart. */
function createIdle(options: Partial<BackgroundOptions> = {}) {
  const clock = createTestClock();
  const log: LogEvent[] = [];
  const begun = { woken: 0, due: 0 };
  const background = createBackground({
    runner: { runSoon: () => {}, settled: async () => {}, stop: async () => {} },
    reconciler: {
      async begin({ isWoken = false } = {}) {
        begun[isWoken ? 'woken' : 'due']++;
        return { hasMore: false, ended: Promise.resolve(nothingDue) };
      },
    },
    purge: async () => {},
    wait: clock.wait,
    random: () => 0.5,
    log: (event) => log.push(event),
    onRound: () => {},
    stopping: new AbortController(),
    ...options,
  });
  return { ...background, clock, log, begun };
}

describe('a purge that takes long', () => {
  it('does not hold up what callbacks have named, nor the next round', async () => {
    const { open: end, opened } = createGate();
    const purge = () => opened;
    const { start, reconcileSoon, begun, clock, stop } = createIdle({ purge });
    start();
    for (const woken of [1, 2]) {
      reconcileSoon();
      await expect.poll(() => begun.woken).toBe(woken);
    }
    clock.advance(4000);
    await expect.poll(() => begun.due).toBe(2);
    end();
    await stop(1000);
  });

  it('is waited for by a single round for 20 seconds', async () => {
    const purge = () => createGate().opened;
    const { runRound, clock } = createIdle({ purge });
    const counts = runRound();
    await clock.untilWaiting(20_000);
    clock.advance(20_000);
    expect(await counts).toEqual(nothingDue);
  });

  it('is waited for by stop', async () => {
    const { open: end, opened } = createGate();
    const purge = () => opened;
    const { start, stop } = createIdle({ purge });
    start();
    let isStopped = false;
    const stopped = stop(1000).then(() => {
      isStopped = true;
    });
    await new Promise(setImmediate);
    expect(isStopped).toBe(false);
    end();
    await stopped;
  });
});

describe('a bus that fails', () => {
  it('is logged at each round, and ends no round', async () => {
    const error = new Error('The bus has no state.');
    const onRound = (): never => {
      throw error;
    };
    const { start, clock, begun, log, stop } = createIdle({ onRound });
    start();
    await clock.untilWaiting(4000);
    clock.advance(4000);
    await expect.poll(() => begun.due).toBe(2);
    expect(log).toEqual([
      { type: 'backgroundFailed', error },
      { type: 'backgroundFailed', error },
    ]);
    await stop(0);
  });

  it('is logged when it rejects a publication', async () => {
    const error = new Error('The bus is full.');
    const bus = { ...createMemoryBus(), publish: () => Promise.reject(error) };
    const { open, get, clock, sandbox, log } = createWiredShop({ bus });
    const session = await open();
    sandbox.control.transfer({ accountNumber: session.account.number, amount: order.amount.value });
    clock.advance(5000);
    expect((await get(session)).status).toBe(200);
    await expect.poll(() => log).toContainEqual({ level: 'warn', type: 'busFailed', error });
  });
});
