import { describe, expect, it } from 'vitest';
import type { PaymentsClient } from '../../../../server-kit/core/client.ts';
import { PaymentsError } from '../../../../server-kit/core/errors.ts';
import type { LogEvent } from '../../../../server-kit/engine/telemetry/log-event.ts';
import { createPermits } from '../../../../server-kit/engine/verification/bucket.ts';

type Created = { maxPerSecond?: number; isBusy?: boolean; retryAfterSeconds?: number | undefined };

/** Permits of an instance, and a service that takes all requests, or refuses them while it is busy. */
function create({ maxPerSecond = 100, isBusy = false, retryAfterSeconds }: Created = {}) {
  let nowMs = 1_000_000;
  const service = { isBusy };
  const counts = { taken: 0, refused: 0 };
  const log: LogEvent[] = [];
  const permits = createPermits(maxPerSecond, { now: () => nowMs, log: (event) => void log.push(event) });
  const verify = async (): Promise<object> => {
    counts[service.isBusy ? 'refused' : 'taken']++;
    if (service.isBusy) throw new PaymentsError('rate_limited', 'Too many requests.', { retryAfterSeconds });
    return {};
  };
  const client = permits.watch({ payments: { verify }, checkout: {} } as unknown as PaymentsClient);
  const call = () => client.payments.verify('tc_1').catch(() => {});
  /** Verifies as often as the permits allow. */
  const run = async (seconds: number) => {
    Object.assign(counts, { taken: 0, refused: 0 });
    for (const untilMs = nowMs + seconds * 1000; nowMs < untilMs; ) {
      const waitMs = permits.take();
      if (waitMs > 0) nowMs += waitMs;
      else await call();
    }
    return { ...counts };
  };
  const moveClock = (ms: number): void => {
    nowMs += ms;
  };
  const takeAll = (): number => {
    let count = 0;
    while (permits.take() === 0) count++;
    return count;
  };
  return { permits, run, call, moveClock, takeAll, service, log };
}

describe('the permits of an instance', () => {
  it('are a second’s worth at once, and then the maximum', async () => {
    const { permits, run, takeAll } = create({ maxPerSecond: 20 });
    expect([takeAll(), permits.take()]).toEqual([20, 50]);
    expect((await run(10)).taken).toBeGreaterThan(195);
  });

  it.each([
    [undefined, 1000],
    [0, 1],
    [2.5, 2500],
    [3600, 30_000],
  ])('pause for Retry-After, half a minute at most: after %s seconds', async (retryAfterSeconds, pauseMs) => {
    const { permits, call, log } = create({ isBusy: true, retryAfterSeconds });
    await call();
    expect(permits.take()).toBe(pauseMs);
    expect(log).toEqual([{ type: 'serviceLimited', pauseMs, ratePerSecond: 50 }]);
  });

  it('probe a service that refuses everything, and recover with it', async () => {
    const { run, service } = create({ isBusy: true, retryAfterSeconds: 3600 });
    await run(1);
    expect((await run(300)).refused).toBeLessThan(15);
    service.isBusy = false;
    await run(60);
    expect((await run(10)).taken).toBeGreaterThan(900);
  });

  it('save up a tenth of a second’s worth while they are fewer than the maximum', async () => {
    const { call, moveClock, takeAll } = create({ isBusy: true });
    await call();
    moveClock(1000);
    // Those of before the 429 are gone.
    expect(takeAll()).toBe(0);
    moveClock(4000);
    // Four seconds after the pause, the rate is 70.
    expect(takeAll()).toBe(7);
    moveClock(6000);
    expect(takeAll()).toBe(100);
  });

  it.each([
    [100, 50, 25],
    [2, 1, 1],
  ])('are halved once for all requests under way, to one at least: %i', async (max, ...rates) => {
    const { call, moveClock, log } = create({ maxPerSecond: max, isBusy: true });
    for (const ms of [0, 300, 1]) {
      moveClock(ms);
      await call();
    }
    expect(log).toMatchObject(rates.map((ratePerSecond) => ({ ratePerSecond })));
  });

  it('start again after the clock was set back', async () => {
    const { permits, run, moveClock } = create({ maxPerSecond: 1 });
    await run(5);
    moveClock(-3_600_000);
    expect(permits.take()).toBe(0);
  });
});
