import { describe, expect, it, onTestFinished } from 'vitest';
import type { Limiter } from '../../../../server-kit/checkout/ports/limiter.ts';
import type { SharedLimiterOptions } from '../../../../server-kit/drivers/connected/shared-limiter.ts';
import { watchProcess } from '../../kit/raw-connection.ts';
import { uniqueName } from '../../kit/services.ts';
import { createTcpProxy } from '../../kit/tcp-proxy.ts';
import { createTestClock } from '../../kit/test-clock.ts';
import { describeLimiter, takeTimes } from './limiter.conformance.ts';

/** A service that counts for all instances. */
export type LimiterService = {
  name: string;
  url: string;
  createLimiter: (url: string, options: SharedLimiterOptions) => Promise<Limiter>;
};

/** Tests what every limiter over an external service must do. */
export function describeSharedLimiter({ name: service, url, createLimiter }: LimiterService): void {
  describeLimiter(service, (options) => {
    const errors: unknown[] = [];
    // Otherwise a limiter that never reaches its service would pass.
    onTestFinished(() => expect(errors).toEqual([]));
    // With a stopped clock, so that a slow machine does not look like an unresponsive service.
    const { wait } = createTestClock();
    return createLimiter(url, { ...options, wait, onError: (error) => void errors.push(error) });
  });

  const startBehindProxy = async () => {
    const died = watchProcess();
    const proxy = await createTcpProxy(url);
    const clock = createTestClock();
    const errors: unknown[] = [];
    const name = uniqueName();
    const create = (serviceUrl: string) =>
      createLimiter(serviceUrl, {
        name,
        limit: 3,
        // Longer than any test turns its clock, so that only the service can allow a key again.
        perSeconds: 3600,
        now: clock.now,
        wait: clock.wait,
        onError: (error) => void errors.push(error),
      });
    return { died, proxy, clock, errors, name, create };
  };
  const report = (name: string) => ({
    message: `The limit "${name}" cannot be counted in ${service}; until it can, each instance counts for itself.`,
    cause: expect.any(Error),
  });

  describe(`the ${service} limiter`, () => {
    it('counts for all instances', async () => {
      const { create } = await startBehindProxy();
      const [first, second] = [await create(url), await create(url)];
      expect(await takeTimes(first, 'a', 2)).toEqual([true, true]);
      expect(await takeTimes(second, 'a', 2)).toEqual([true, false]);
    });

    it('counts for itself while the service is unavailable, reports it once, and recovers', async () => {
      const { died, proxy, clock, errors, name, create } = await startBehindProxy();
      proxy.refuse();
      const limiter = await create(proxy.url);
      expect(await takeTimes(limiter, 'a', 4)).toEqual([true, true, true, false]);
      expect(errors).toMatchObject([report(name)]);

      proxy.restore();
      expect(await takeTimes(limiter, 'a', 1)).toEqual([false]);
      await expect
        .poll(
          () => {
            clock.advance(10_000);
            return takeTimes(limiter, 'a', 1);
          },
          { timeout: 10_000 },
        )
        .toEqual([true]);
      const other = await create(url);
      expect((await takeTimes(other, 'a', 3)).at(-1)).toBe(false);
      expect(died).toEqual([]);
    });

    it('keeps counting when the connection is cut, and retries only after a pause', async () => {
      const { died, proxy, clock, errors, name, create } = await startBehindProxy();
      const limiter = await create(proxy.url);
      await limiter.take('a');
      proxy.refuse();
      const verdict = limiter.take('b');
      await expect
        .poll(() => {
          clock.advance(1000);
          return errors;
        })
        .toMatchObject([report(name)]);
      expect(await verdict).toEqual({ allowed: true });
      for (const key of ['c', 'd', 'e']) expect(await limiter.take(key)).toEqual({ allowed: true });
      expect(errors).toHaveLength(1);
      clock.advance(10_000);
      expect(await limiter.take('f')).toEqual({ allowed: true });
      expect(errors).toMatchObject([report(name), report(name)]);
      expect(died).toEqual([]);
    });

    it('does not block when the service does not respond', async () => {
      const { died, proxy, clock, errors, name, create } = await startBehindProxy();
      const limiter = await create(proxy.url);
      await limiter.take('a');
      proxy.freeze();
      const verdict = limiter.take('a');
      await clock.untilWaiting(1000);
      clock.advance(1000);
      expect(await verdict).toEqual({ allowed: true });
      expect(errors).toMatchObject([report(name)]);
      expect(clock.pending()).toBe(0);
      expect(died).toEqual([]);
    });
  });
}
