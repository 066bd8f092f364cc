import { describe, expect, it } from 'vitest';
import type { PaymentsClient } from '../../../../server-kit/core/client.ts';
import { PaymentsError } from '../../../../server-kit/core/errors.ts';
import { createPermits } from '../../../../server-kit/engine/verification/bucket.ts';

/** Permits of an instance, and a service that takes so many requests in a second, counted with a bucket of a tenth of that. */
function create({
  maxPerSecond = 100,
  servicePerSecond = 1e9,
  retryAfterSeconds = undefined as number | undefined,
} = {}) {
  let nowMs = 1_000_000;
  const service = { perSecond: servicePerSecond, level: servicePerSecond, atMs: nowMs };
  const counts = { taken: 0, refused: 0 };
  const permits = createPermits(maxPerSecond, { now: () => nowMs, log: () => {} });
  const verify = async (): Promise<object> => {
    const { perSecond } = service;
    const level = service.level + ((nowMs - service.atMs) * perSecond) / 1000;
    Object.assign(service, { level: Math.min(level, Math.max(2, perSecond / 10)), atMs: nowMs });
    const isTaken = service.level >= 1;
    counts[isTaken ? 'taken' : 'refused']++;
    if (isTaken) service.level--;
    else throw new PaymentsError('rate_limited', 'Too many requests.', { retryAfterSeconds });
    return {};
  };
  const client = permits.watch({ payments: { verify }, checkout: {} } as unknown as PaymentsClient);
  /** Verifies as often as the permits allow. */
  const run = async (seconds: number) => {
    Object.assign(counts, { taken: 0, refused: 0 });
    for (const untilMs = nowMs + seconds * 1000; nowMs < untilMs; ) {
      const waitMs = permits.take();
      if (waitMs > 0) nowMs += waitMs;
      else await client.payments.verify('tc_1').catch(() => {});
    }
    return { ...counts };
  };
  const moveClock = (ms: number): void => {
    nowMs += ms;
  };
  return { permits, run, moveClock, service };
}

describe('the permits of an instance', () => {
  it('are a second’s worth at once, and then the maximum', async () => {
    const { permits, run } = create({ maxPerSecond: 20 });
    for (let count = 0; count < 20; count++) expect(permits.take()).toBe(0);
    expect(permits.take()).toBe(50);
    expect((await run(10)).taken).toBeGreaterThan(195);
  });

  it.each([
    [10, undefined],
    [10, 1],
    [50, undefined],
  ])(
    'use most of a limit of %i a second, with Retry-After %s, and are seldom refused',
    async (rate, after) => {
      const { run } = create({ servicePerSecond: rate, retryAfterSeconds: after });
      await run(10);
      const { taken, refused } = await run(60);
      expect(taken / 60 / rate).toBeGreaterThan(0.5);
      expect(refused / (taken + refused)).toBeLessThan(0.1);
    },
  );

  it('wait as long as Retry-After says, half a minute at most, and then probe', async () => {
    const { run, service } = create({ servicePerSecond: 0, retryAfterSeconds: 3600 });
    await run(1);
    expect((await run(300)).refused).toBeLessThan(15);
    service.perSecond = 1e9;
    await run(60);
    expect((await run(10)).taken).toBeGreaterThan(900);
  });

  it('start again after the clock was set back', async () => {
    const { permits, run, moveClock } = create({ maxPerSecond: 1 });
    await run(5);
    moveClock(-3_600_000);
    expect(permits.take()).toBe(0);
  });
});
