import { describe, expect, it } from 'vitest';
import { toNodeListener } from '../../../../server-kit/client/http/node.ts';
import { createTestShop } from '../../../../server-kit/tools/testing/index.ts';
import { respondJson, startFaultServer } from '../../kit/fault-server.ts';
import { serve } from '../../kit/serve.ts';
import { newFile, runCli, runJson } from './cli-kit.ts';

const key = 'a-key-that-only-the-timer-of-ours-has';
const env = { RECONCILE_KEY: key };

/** A shop whose handler fails until it is mended, with so many orders that are paid. */
async function createFailingShop(orders: number) {
  const paid: string[] = [];
  let isMended = false;
  const shop = createTestShop({
    onPaid: ({ order }) => {
      if (!isMended) throw new Error('no \u001b[31mstock');
      paid.push(order.orderId);
    },
    maxHandlerTries: 1,
    reconcileKey: key,
    limits: false,
  });
  for (let n = 1; n <= orders; n++) await shop.pay(await shop.open({ orderId: `order-${n}` }));
  const mend = (): void => {
    isMended = true;
  };
  return { ...shop, paid, mend };
}

type FailingShop = Awaited<ReturnType<typeof createFailingShop>>;

/** The two ways to the checkout, as arguments. */
const ways = {
  url: async ({ checkout }: FailingShop) => [
    '--url',
    `${(await serve(toNodeListener(checkout))).url}/checkout`,
  ],
  module: async ({ checkout }: FailingShop) => {
    Object.assign(globalThis, { failingShop: checkout });
    return ['--module', await newFile('export const checkout = globalThis.failingShop;', 'shop.js')];
  },
};

describe.each(Object.entries(ways))('dead-letters --%s', (_name, wayTo) => {
  it('lists events whose handlers failed too often, oldest first, with the reason', async () => {
    const shop = await createFailingShop(2);
    const way = await wayTo(shop);
    const { total, deadLetters } = await runJson(['dead-letters', ...way], { env });
    expect(total).toBe(2);
    expect(deadLetters).toEqual([
      expect.objectContaining({ key: 'order-1:paid', orderId: 'order-1', outcome: 'paid', tries: 1 }),
      expect.objectContaining({ key: 'order-2:paid', failure: 'no \u001b[31mstock' }),
    ]);
    const { code, stdout, stderr } = await runCli(['dead-letters', ...way], { env });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^2 dead letters\.\n\n {2}key {6}order-1:paid\n {2}payment .*\n {2}tries {4}1\n/);
    expect(stdout).toContain('no \\u001b[31mstock');
  });

  it('says that there are no dead letters', async () => {
    const way = await wayTo(await createFailingShop(0));
    expect(await runCli(['dead-letters', ...way], { env })).toEqual({
      code: 0,
      stdout: 'There are no dead letters.\n',
      stderr: '',
    });
  });

  it('retries one and leaves the others', async () => {
    const shop = await createFailingShop(2);
    shop.mend();
    const way = await wayTo(shop);
    const result = await runCli(['dead-letters', 'retry', 'order-2:paid', ...way], { env });
    await shop.checkout.settled();
    expect(result).toEqual({ code: 0, stdout: '1 retried.\n', stderr: '' });
    expect(shop.paid).toEqual(['order-2']);
    expect(await shop.checkout.deadLetters.list()).toMatchObject([{ key: 'order-1:paid' }]);
  });

  it('fails to retry an unknown key', async () => {
    const way = await wayTo(await createFailingShop(1));
    const { code, stderr } = await runCli(['dead-letters', 'retry', 'order-9:paid', ...way, '--json'], {
      env,
    });
    expect([code, JSON.parse(stderr).error.code]).toEqual([1, 'no_dead_letter']);
  });

  it('makes all of them due again with --all', async () => {
    const shop = await createFailingShop(6);
    shop.mend();
    const way = await wayTo(shop);
    expect(await runJson(['dead-letters', 'retry', '--all', ...way], { env })).toEqual({ retried: 6 });
    await shop.checkout.settled();
    expect(await shop.checkout.deadLetters.list()).toEqual([]);
    expect(shop.paid).toHaveLength(6);
    expect(await runJson(['dead-letters', 'retry', '--all', ...way], { env })).toEqual({ retried: 0 });
  });
});

describe('dead-letters', () => {
  it('lists the oldest hundred with --url', async () => {
    const shop = await createFailingShop(103);
    const { stdout } = await runCli(['dead-letters', ...(await ways.url(shop))], { env });
    expect(stdout).toMatch(/^103 dead letters\.\nThe oldest 100 are listed\.\n/);
    expect(stdout.match(/^ {2}key /gm)).toHaveLength(100);
  });

  it.each([
    ['neither a module nor an address', ['dead-letters']],
    ['both', ['dead-letters', '--module', 'a.js', '--url', 'https://shop.example/checkout']],
    ['neither a key nor --all', ['dead-letters', 'retry', '--module', 'a.js']],
    ['a key and --all', ['dead-letters', 'retry', 'order-1:paid', '--all', '--module', 'a.js']],
    ['an address without a reconcileKey', ['dead-letters', '--url', 'https://shop.example/checkout']],
  ])('refuses %s', async (_name, args) => {
    expect(await runCli(args)).toMatchObject({ code: 2, stdout: '' });
  });

  it.each([
    ['a wrong key', respondJson(401, {}), 'key_refused'],
    ['no such route', respondJson(404, {}), 'not_found'],
    ['a page', respondJson(200, '<!doctype html>'), 'not_a_checkout'],
  ])('says what to do with %s, without the key', async (_name, response, code) => {
    const { url } = await startFaultServer([response]);
    const { stdout, stderr, ...result } = await runCli(['dead-letters', '--url', url, '--json'], { env });
    expect([result.code, JSON.parse(stderr).error.code]).toEqual([1, code]);
    expect(stdout + stderr).not.toContain(key);
  });

  it('lists the exports of a module without a checkout', async () => {
    const file = await newFile('export const shop = {};', 'shop.js');
    const { code, stderr } = await runCli(['dead-letters', '--module', file]);
    expect([code, stderr]).toEqual([1, expect.stringContaining('It exports shop.')]);
  });
});
