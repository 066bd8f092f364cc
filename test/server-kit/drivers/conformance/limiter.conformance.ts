import { describe, expect, it } from 'vitest';
import type { Limiter, LimiterOptions } from '../../../../server-kit/checkout/ports/limiter.ts';
import { uniqueName } from '../../kit/services.ts';

/** Takes that many times in sequence, and returns which were allowed. */
export async function takeTimes(limiter: Limiter, key: string, times: number): Promise<boolean[]> {
  const allowed: boolean[] = [];
  for (let time = 0; time < times; time++) allowed.push((await limiter.take(key)).allowed);
  return allowed;
}

/**
 * Tests what every limiter must do. Each kind's test calls this with a function that creates one.
 *
 * @param createLimiter takes what it needs from the running test, such as a connection that closes with it
 */
export function describeLimiter(
  kind: string,
  createLimiter: (options: LimiterOptions) => Limiter | Promise<Limiter>,
): void {
  const create = (options: Partial<LimiterOptions> = {}) =>
    createLimiter({ name: uniqueName(), limit: 3, perSeconds: 3600, ...options });

  describe(`the ${kind} limiter`, () => {
    it('allows requests up to its limit, then says when to retry', async () => {
      const limiter = await create();
      expect(await takeTimes(limiter, 'a', 3)).toEqual([true, true, true]);
      for (const _ of [1, 2]) {
        const verdict = await limiter.take('a');
        const { retryAfterSeconds } = verdict as Extract<typeof verdict, { allowed: false }>;
        expect(verdict.allowed).toBe(false);
        // The test would time out if it waited a minute.
        expect(retryAfterSeconds).toBeGreaterThanOrEqual(3540);
        expect(retryAfterSeconds).toBeLessThanOrEqual(3600);
        expect(Number.isInteger(retryAfterSeconds)).toBe(true);
      }
    });

    it('counts each key separately, whatever it is', async () => {
      const limiter = await create({ limit: 1 });
      const keys = ['a', 'A', '', '\0', '\ud800', '₦', "'; --", 'x'.repeat(5000), `${'x'.repeat(5000)}y`];
      for (const key of keys) expect(await takeTimes(limiter, key, 2)).toEqual([true, false]);
    });

    it('allows no more than its limit to concurrent requests', async () => {
      const limiter = await create({ limit: 7 });
      const verdicts = await Promise.all(Array.from({ length: 50 }, () => limiter.take('a')));
      expect(verdicts.filter(({ allowed }) => allowed)).toHaveLength(7);
    });

    it('begins a new period after its time', async () => {
      const limiter = await create({ limit: 1, perSeconds: 1 });
      // On a slow machine a second may pass before the next take.
      await expect.poll(() => limiter.take('a')).toEqual({ allowed: false, retryAfterSeconds: 1 });
      await expect.poll(() => limiter.take('a')).toEqual({ allowed: true });
    });

    it.each([
      ['name', ''],
      ['name', 'Sessions'],
      ['name', 'x'.repeat(41)],
      ['limit', 0],
      ['limit', 1.5],
      ['limit', Number.NaN],
      ['limit', undefined],
      ['perSeconds', 0],
      ['perSeconds', 86_401],
      ['perSeconds', '60'],
    ])('refuses the %s %j', async (name, value) => {
      await expect(async () => create({ [name]: value })).rejects.toMatchObject({
        code: 'invalid_options',
        message: expect.stringContaining(`${name}: `),
      });
    });
  });
}
