import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Io } from '../../../../server-kit/tools/cli/terminal.ts';
import { createTestShop } from '../../../../server-kit/tools/testing/index.ts';
import { createTestClock } from '../../kit/test-clock.ts';
import { newFile, runCli, runJson, startCli } from './cli-kit.ts';
import { createBusyShop, notified } from './reconcile-shop.ts';

const at = '2026-03-01T12:00:00.000Z';

describe('reconcile --url', () => {
  const operatorKey = 'a-key-that-only-the-timer-of-ours-has';
  const byUrl = 'reconcile --url https://shop.example/checkout/ --key-env OUR_KEY';

  async function startShop(payments: number) {
    const { checkout, sandbox } = await createBusyShop(payments, { operatorKey });
    const fetch: Io['fetch'] = (url, init) => checkout.handler(new Request(url, init));
    return { sandbox, io: { fetch, env: { OUR_KEY: operatorKey } } };
  }

  it('calls the shop until nothing is due and prints the counts', async () => {
    notified.length = 0;
    const { io } = await startShop(45);
    expect(await runJson(byUrl, io)).toEqual({ at, due: 45, failed: 0 });
    expect(new Set(notified).size).toBe(45);
    expect(await runCli(byUrl, io)).toEqual({ code: 0, stdout: '12:00:00  0 due\n', stderr: '' });
  });

  it('fails when verifications have failed', async () => {
    const { io, sandbox } = await startShop(2);
    sandbox.control.addFault({ operation: 'payments.verify', status: 'reset', probability: 1 });
    const { code, stdout, stderr } = await runCli(byUrl, io);
    expect([code, stdout]).toEqual([1, '12:00:00  2 due  2 failed\n']);
    expect(stderr).toContain('2 of 2 verifications failed; they are retried later.');
  });
});

describe('reconcile --module --once', () => {
  const module = 'test/server-kit/tools/cli/reconcile-shop.ts';

  it('runs the due work of a module’s checkout and prints the counts', async () => {
    notified.length = 0;
    const { code, stdout, stderr } = await runCli(`reconcile --module ${module} --once`);
    expect([code, stdout, stderr]).toEqual([0, '12:00:00  45 due\n', '']);
    expect(new Set(notified).size).toBe(45);
  });

  it('uses the default export without a named checkout', async () => {
    const code = `export { another as default } from '${process.cwd()}/${module}';`;
    const file = await newFile(code, 'other.ts');
    expect(await runJson(`reconcile --module ${file} --once`)).toEqual({ at, due: 1, failed: 0 });
  });

  it.each([
    ['throws', 'throw new Error("no database");', 'module_failed', 'cannot be loaded: no database'],
    ['exports no checkout', 'export const shop = {};', 'not_a_checkout', 'It exports shop.'],
    ['exports nothing', '', 'not_a_checkout', 'It exports nothing.'],
  ])('explains a module that %s', async (_name, content, code, message) => {
    const file = await newFile(content, 'shop.js');
    const { stderr, ...result } = await runCli(`reconcile --module ${file} --once --json`);
    expect([result.code, JSON.parse(stderr).error]).toMatchObject([1, { code }]);
    expect(stderr).toContain(file);
    expect(stderr).toContain(message);
  });
});

/** Runs the command with a shop whose rounds can fail, and whose stop is noted. */
async function start(args = '', { failures = 0 } = {}) {
  const ending = new AbortController();
  onTestFinished(() => ending.abort());
  const shop = createTestShop();
  shop.sandbox.control.setCallbackDelivery({ drop: true });
  const stop = vi.fn(shop.checkout.stop);
  const reconcile = vi.fn(shop.checkout.reconcile);
  for (let failed = 0; failed < failures; failed++)
    reconcile.mockRejectedValueOnce(new Error('connection refused'));
  Object.assign(globalThis, { reconciledShop: { ...shop.checkout, reconcile, stop } });
  const file = await newFile('export const checkout = globalThis.reconciledShop;', 'shop.js');
  const clock = createTestClock();
  const io = { signal: ending.signal, wait: clock.wait };
  return { ...startCli(`reconcile --module ${file}${args}`, io), shop, clock, ending, stop };
}

it('reconcile --module runs a round every few seconds until Ctrl-C, and then stops the checkout', async () => {
  const { code, output, clock, ending, shop, stop } = await start(' --every 7', { failures: 1 });
  await clock.untilWaiting(7000);
  expect(output.stdout).toBe('');
  expect(output.stderr).toContain('The round failed; the next one runs as planned: connection refused\n');
  await shop.pay(await shop.open());
  await shop.advance({ minutes: 2 });
  clock.advance(7000);
  await clock.untilWaiting(7000);
  expect(output.stdout).toBe('12:00:00  1 due\n');
  expect(stop).not.toHaveBeenCalled();
  ending.abort();
  expect(await code).toBe(0);
  expect(stop).toHaveBeenCalledOnce();
});

it.each([
  ['neither', ''],
  ['both', ' --module a.js --url https://shop.example/checkout'],
  ['--once with an address', ' --once --url https://shop.example/checkout'],
  ['no time between rounds', ' --module a.js --every 0'],
])('reconcile refuses %s', async (_name, args) => {
  expect(await runCli(`reconcile${args}`)).toMatchObject({ code: 2, stdout: '' });
});
