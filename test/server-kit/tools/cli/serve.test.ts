import { mkdtemp } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { waitWithTimer } from '../../../../server-kit/core/time.ts';
import { freePort } from '../../../setup/reserve-port.ts';
import { secret, startShop } from '../../serve/shop.ts';
import { runCli, startCli } from './cli-kit.ts';

const real = { fetch: globalThis.fetch, now: Date.now, wait: waitWithTimer, random: Math.random };

/** The configuration of a process beside a shop, in a folder of its own. */
async function environmentFor(shop: string, more: Record<string, string> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'serve-'));
  return {
    PORT: `${await freePort()}`,
    ORDER_URL: `${shop}/order`,
    WEBHOOK_URL: `${shop}/webhook`,
    WEBHOOK_SECRET: secret,
    DATABASE_URL: `file:${join(folder, 'checkout.db')}`,
    ...more,
  };
}

describe('serve --check', () => {
  /** The shop refuses each shopper without a cookie. */
  async function check(statusForForged: number, ownSecret = secret) {
    const shop = await startShop(({ path }) => ({ status: path === '/order' ? 403 : 204 }), statusForForged);
    onTestFinished(async () => void (await shop.close()));
    const env = await environmentFor(shop.url, { WEBHOOK_SECRET: ownSecret });
    return runCli('serve --sandbox --check', { ...real, env });
  }

  it('accepts a shop that refuses a shopper without a cookie', async () => {
    const { code, stdout } = await check(401);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/ORDER_URL: ok\n *WEBHOOK_URL: ok/)]);
  });

  it.each([
    ['refuses our signature', 401, `whsec_${btoa('another secret of thirty letters')}`],
    ['refuses a wrong signature as it refuses a shopper', 403, secret],
  ])('names a shop that %s', async (_name, status, ownSecret) => {
    const { code, stdout } = await check(status, ownSecret);
    expect(code).toBe(1);
    expect(stdout).toContain(`responded with ${status} to a right signature and to a wrong one`);
  });
});

describe('serve --sandbox', () => {
  /** Starts the command, and returns the port of the sandbox's panel once it is printed. */
  async function panelPortOf(env: Record<string, string>): Promise<number> {
    const ending = new AbortController();
    const { output, code } = startCli('serve --sandbox', { ...real, env, signal: ending.signal });
    const printed = () => /Send money +http:\/\/\w+:(\d+)\//.exec(output.stderr)?.[1];
    await expect.poll(printed).toBeDefined();
    ending.abort();
    await code;
    return Number(printed());
  }

  it('has its panel at the port after its own, or at the next free one', async () => {
    const env = await environmentFor('http://127.0.0.1:9');
    const next = Number(env.PORT) + 1;
    expect(await panelPortOf(env)).toBe(next);
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(next, '127.0.0.1', resolve));
    onTestFinished(() => void other.close());
    expect((other.address() as AddressInfo).port).toBe(next);
    expect(await panelPortOf(env)).toBeGreaterThan(next);
  });
});
