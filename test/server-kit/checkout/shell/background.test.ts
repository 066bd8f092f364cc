import { describe, expect, it } from 'vitest';
import type { DueRecord } from '../../../../server-kit/checkout/ports/store.ts';
import {
  type BackgroundOptions,
  createBackground,
} from '../../../../server-kit/checkout/shell/background.ts';
import type { LogEvent } from '../../../../server-kit/checkout/telemetry/log-event.ts';
import { createMemoryBus } from '../../../../server-kit/drivers/memory/bus.ts';
import { createGate } from '../../kit/gate.ts';
import { createNotifiedShop } from '../../kit/notified-shop.ts';
import { createTestClock, nextTurn } from '../../kit/test-clock.ts';

const nothingDue = { due: 0, failed: 0, hasMore: false };

/** Background work with nothing to do, that counts the runs of its parts. Rounds are four seconds apart. */
function createIdle(options: Partial<BackgroundOptions> = {}) {
  const clock = createTestClock();
  const log: LogEvent[] = [];
  const begun = { woken: 0, due: 0, handlers: 0 };
  const woken = {} as DueRecord;
  const background = createBackground({
    runner: { runSoon: () => begun.handlers++, settled: async () => {}, stop: async () => {} },
    reconciler: {
      async begin() {
        begun.due++;
        return { hasMore: false, ended: Promise.resolve(nothingDue) };
      },
      async verify() {
        begun.woken++;
        return { hasMore: false, ended: Promise.resolve(nothingDue) };
      },
    },
    housekeeping: async () => {},
    wait: clock.wait,
    random: () => 0.5,
    log: (event) => log.push(event),
    onRound: () => {},
    stopping: new AbortController(),
    ...options,
  });
  return { ...background, verifyWoken: () => background.verifyWoken(woken), clock, log, begun };
}

describe('rounds', () => {
  it('run handlers and the reconciler, of one start only, until the stop', async () => {
    const { start, stop, clock, begun } = createIdle();
    start();
    start();
    await clock.untilWaiting(4000);
    clock.advance(4000);
    await clock.untilWaiting(4000);
    await nextTurn();
    expect([begun, clock.pending()]).toEqual([{ woken: 0, due: 2, handlers: 2 }, 1]);
    await stop(1000);
    await nextTurn();
    expect([begun, clock.pending()]).toEqual([{ woken: 0, due: 2, handlers: 2 }, 0]);
  });

  it.each([0, 0.25, 0.99])('are spread by a half of their period: %s', async (random) => {
    const { start, stop, clock } = createIdle({ random: () => random });
    start();
    await clock.untilWaiting(4000 * (0.5 + random));
    await stop(0);
  });
});

describe('housekeeping that takes long', () => {
  it('does not hold up what callbacks have named, nor the next round, but the stop', async () => {
    const { open: end, opened } = createGate();
    const { start, verifyWoken, begun, clock, stop } = createIdle({ housekeeping: () => opened });
    start();
    for (const woken of [1, 2]) {
      verifyWoken();
      await expect.poll(() => begun.woken).toBe(woken);
    }
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

  it('is waited for by a single round for 20 seconds', async () => {
    const { runRound, clock, begun } = createIdle({ housekeeping: () => new Promise(() => {}) });
    const counts = runRound();
    await clock.untilWaiting(20_000);
    clock.advance(20_000);
    expect([await counts, begun.handlers]).toEqual([nothingDue, 1]);
  });
});

describe('a round of the background work', () => {
  const error = new Error('It is down.');
  const fail = (): never => {
    throw error;
  };

  it.each<[string, Partial<BackgroundOptions>]>([
    ['the bus', { onRound: fail }],
    ['the store', { reconciler: { begin: async () => fail(), verify: fail } }],
  ])('is logged when %s fails, and is followed by the next', async (_what, options) => {
    const { start, clock, begun, log, stop } = createIdle(options);
    start();
    await clock.untilWaiting(4000);
    clock.advance(4000);
    await expect.poll(() => log).toEqual(Array(2).fill({ type: 'backgroundFailed', error }));
    expect(begun.handlers).toBe(2);
    await stop(0);
  });
});

it('A single round calls the handlers that are due, and waits for them, also if nothing can be verified', async () => {
  const down = new Error('It is down.');
  const done: string[] = [];
  const { runRound } = createIdle({
    reconciler: { begin: () => Promise.reject(down), verify: () => Promise.reject(down) },
    runner: {
      runSoon: () => done.push('begun'),
      settled: async () => void done.push('settled'),
      stop: async () => {},
    },
  });
  await expect(runRound()).rejects.toBe(down);
  expect(done).toEqual(['begun', 'settled']);
});

describe('a bus', () => {
  it.each([
    ['is logged when it rejects a publication', () => Promise.reject(new Error('The bus is full.'))],
    ['delays nothing when it never takes a publication', () => new Promise<void>(() => {})],
  ])('%s', async (name, publish) => {
    const bus = { ...createMemoryBus(), publish };
    const { open, viewAfter, pay, log, loseCallbacks } = createNotifiedShop({ bus });
    loseCallbacks();
    const session = await open();
    pay(session.account.number);
    expect(await viewAfter(5000, session)).toMatchObject({ outcome: 'paid' });
    const isLogged = () => log.some(({ type }) => type === 'busFailed');
    await expect.poll(isLogged).toBe(name.startsWith('is logged'));
  });
});
