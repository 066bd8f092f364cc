import { describe, expect, it } from 'vitest';
import type { Wait } from '../../../server-kit/async/wait.ts';
import { createHandlerLanes } from '../../../server-kit/outbox/lanes.ts';
import { createTestClock, nextTurn } from '../kit/test-clock.ts';

type Run = { end: () => void; fail: (error: Error) => void };

/** Lanes over a queue of numbers, each of which runs until the test ends it. */
function startLanes({ maxRuns = 100, change = (wait: Wait): Wait => wait } = {}) {
  const clock = createTestClock();
  const queue: number[] = [];
  const runs = new Map<number, Run>();
  const log: unknown[] = [];
  let claims = 0;
  let broken: Error | undefined;
  const lanes = createHandlerLanes<number>({
    async claim() {
      claims++;
      if (broken !== undefined) throw broken;
      return queue.shift();
    },
    run: (item) => new Promise((end, fail) => runs.set(item, { end, fail })),
    maxRuns,
    wait: change(clock.wait),
    log: (event) => void log.push(event),
  });
  const take = (item: number): Run => {
    const run = runs.get(item);
    if (run === undefined) throw new Error(`${item} does not run.`);
    runs.delete(item);
    return run;
  };
  const breakClaims = (error?: Error): void => {
    broken = error;
  };
  const bring = async (...items: number[]): Promise<void> => {
    queue.push(...items);
    lanes.runSoon();
    await nextTurn();
  };
  const end = async (item: number): Promise<void> => {
    take(item).end();
    await nextTurn();
  };
  const pass = async (ms: number): Promise<void> => {
    clock.advance(ms);
    await nextTurn();
  };
  const running = (): number[] => [...runs.keys()];
  return { ...lanes, clock, queue, log, take, breakClaims, bring, end, pass, running, claims: () => claims };
}

describe('the lanes of handlers', () => {
  it('run four items at once, each next one when one ends, and claim nothing more while all are taken', async () => {
    const { bring, end, running, runSoon, claims } = startLanes();
    await bring(1, 2, 3, 4, 5, 6);
    expect([running(), claims()]).toEqual([[1, 2, 3, 4], 4]);
    runSoon();
    await nextTurn();
    expect(claims()).toBe(4);
    await end(3);
    expect(running()).toEqual([1, 2, 4, 5]);
    await end(1);
    expect(running()).toEqual([2, 4, 5, 6]);
  });

  it('are left by an item that has run for three seconds, which goes on beside them', async () => {
    const { bring, pass, end, running, clock } = startLanes();
    await bring(1, 2, 3, 4, 5, 6, 7, 8, 9);
    await pass(2999);
    expect(running()).toEqual([1, 2, 3, 4]);
    await end(4);
    await pass(1);
    expect(running()).toEqual([1, 2, 3, 5, 6, 7, 8]);
    for (const item of [1, 2, 3]) await end(item);
    expect(running()).toEqual([5, 6, 7, 8]);
    for (const item of [5, 6, 7, 8]) await end(item);
    await end(9);
    expect(clock.pending()).toBe(0);
  });

  it.each([1, 3, 4, 5, 8, 13])('run %i items at most, and fill each free place at once', async (maxRuns) => {
    const { bring, pass, end, running } = startLanes({ maxRuns });
    await bring(...Array.from({ length: 2 * maxRuns }, (_, index) => index));
    for (let started = 0; started < maxRuns; started += 4) await pass(3000);
    expect(running()).toHaveLength(maxRuns);
    for (let left = 2 * maxRuns; left > 0; left--) {
      await end(2 * maxRuns - left);
      expect(running()).toHaveLength(Math.min(maxRuns, left - 1));
      await pass(3000);
    }
    await bring(1, 2, 3, 4, 5);
    expect(running()).toHaveLength(Math.min(maxRuns, 4));
  });

  it('are left once by an item that ends in its last moment', async () => {
    const late: Wait = (...wait) =>
      new Promise((resolve, reject) => {
        clock.wait(...wait).then(() => setImmediate(resolve), reject);
      });
    const { bring, end, pass, running, take, ...lanes } = startLanes({ change: () => late });
    const { clock } = lanes;
    await bring(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
    clock.advance(3000);
    for (const item of [1, 2, 3, 4]) take(item).end();
    await pass(0);
    await pass(0);
    expect(running()).toEqual([5, 6, 7, 8]);
    await end(5);
    expect(running()).toEqual([6, 7, 8, 9]);
  });

  it('run an item that is added while a lane finds none', async () => {
    const found: (number | undefined)[] = [];
    const replies: ((item: number | undefined) => void)[] = [];
    const lanes = createHandlerLanes<number>({
      claim: () => new Promise((resolve) => replies.push(resolve)),
      run: async (item) => void found.push(item),
      maxRuns: 1,
      wait: createTestClock().wait,
      log: () => {},
    });
    lanes.runSoon();
    lanes.runSoon();
    replies.shift()?.(undefined);
    await nextTurn();
    replies.shift()?.(7);
    await nextTurn();
    replies.shift()?.(undefined);
    await lanes.settled();
    expect([found, replies]).toEqual([[7], []]);
  });

  it('start nothing more once they are closed, and settle when the last item has ended', async () => {
    const { bring, end, running, runSoon, close, settled, claims } = startLanes();
    let isSettled = false;
    await bring(1, 2, 3, 4, 5);
    close();
    settled().then(() => {
      isSettled = true;
    });
    for (const item of [1, 2, 3]) await end(item);
    runSoon();
    await nextTurn();
    expect([running(), isSettled, claims()]).toEqual([[4], false, 4]);
    await end(4);
    expect([running(), isSettled, claims()]).toEqual([[], true, 4]);
  });

  it('settle only when what has been started meanwhile has ended as well', async () => {
    const { bring, end, settled } = startLanes();
    await settled();
    let isSettled = false;
    await bring(1);
    settled().then(() => {
      isSettled = true;
    });
    await bring(2);
    await end(1);
    expect(isSettled).toBe(false);
    await end(2);
    expect(isSettled).toBe(true);
  });

  it('log an item that cannot be claimed or run, and go on with the next', async () => {
    const { bring, pass, take, running, log, breakClaims, settled } = startLanes({ maxRuns: 5 });
    const [noStore, noResult, lateResult] = [new Error('store'), new Error('result'), new Error('late')];
    breakClaims(noStore);
    await bring();
    await settled();
    breakClaims();
    for (let failure = 0; failure < 5; failure++) {
      await bring(1);
      take(1).fail(noResult);
      await nextTurn();
    }
    await bring(1, 2, 3, 4, 5, 6, 7, 8);
    await pass(3000);
    expect(running()).toEqual([1, 2, 3, 4, 5]);
    take(1).fail(lateResult);
    await nextTurn();
    expect(running()).toEqual([2, 3, 4, 5, 6]);
    expect(log).toEqual(
      [noStore, ...Array<Error>(5).fill(noResult), lateResult].map((error) => ({
        type: 'backgroundFailed',
        error,
      })),
    );
  });

  it('do not keep the process alive by their timers', async () => {
    const waits: unknown[] = [];
    const recording =
      (wait: Wait): Wait =>
      (ms, signal, isInBackground) => {
        waits.push(isInBackground);
        return wait(ms, signal, isInBackground);
      };
    const { bring } = startLanes({ change: recording });
    await bring(1);
    expect(waits).toEqual([true]);
  });
});
