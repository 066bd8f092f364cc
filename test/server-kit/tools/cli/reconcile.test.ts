import { describe, expect, it, onTestFinished } from 'vitest';
import { toNodeListener } from '../../../../server-kit/client/http/node.ts';
import { run } from '../../../../server-kit/tools/cli/run.ts';
import { createTestShop } from '../../../../server-kit/tools/testing/index.ts';
import { dropConnection, respondJson, startFaultServer } from '../../kit/fault-server.ts';
import { serve } from '../../kit/serve.ts';
import { createTestClock } from '../../kit/test-clock.ts';
import { createTestIo, newFile, runCli, runJson } from './cli-kit.ts';
import { notified } from './reconcile-shop.ts';

const key = 'a-key-that-only-the-timer-of-ours-has';
const env = { RECONCILE_KEY: key };
const byUrl = (url: string, ...more: string[]) => ['reconcile', '--url', url, ...more];

/** A shop over real HTTP, with payments that no callback has reported. */
async function startShop(payments: number) {
  const paid: string[] = [];
  const shop = createTestShop({
    onPaid: ({ order }) => paid.push(order.orderId),
    reconcileKey: key,
    limits: false,
  });
  shop.sandbox.control.setCallbackDelivery({ drop: true });
  for (let number = 1; number <= payments; number++)
    await shop.pay(await shop.open({ orderId: `order-${number}` }));
  await shop.advance({ minutes: 2 });
  const { url } = await serve(toNodeListener(shop.checkout));
  return { ...shop, paid, url: `${url}/checkout` };
}

describe('reconcile --url', () => {
  it('calls the shop until nothing is due and prints the counts', async () => {
    const { url, paid } = await startShop(45);
    expect(await runJson(byUrl(url), { env })).toEqual({ url, rounds: 3, due: 45, failed: 0 });
    expect(new Set(paid).size).toBe(45);
    const { code, stdout, stderr } = await runCli(byUrl(`${url}/`), { env });
    expect([code, stdout, stderr]).toEqual([0, '0 due in one round, 0 failed.\n', '']);
  });

  it('reads the key from another variable', async () => {
    const { url } = await startShop(0);
    const args = byUrl(url, '--key-env', 'OUR_KEY');
    expect(await runCli(args, { env: { OUR_KEY: key } })).toMatchObject({ code: 0 });
    expect(await runCli(args, { env })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('There is no key in OUR_KEY'),
    });
  });

  it('fails when verifications have failed', async () => {
    const { url, sandbox } = await startShop(2);
    sandbox.control.addFault({ operation: 'payments.verify', status: 'reset', probability: 1 });
    const { code, stdout, stderr } = await runCli(byUrl(url), { env });
    expect([code, stdout]).toEqual([1, '2 due in one round, 2 failed.\n']);
    expect(stderr).toContain('2 of 2 verifications failed; they are retried later.');
  });

  it.each([
    ['another key', { RECONCILE_KEY: 'a-guess' }, 'key_refused'],
    ['no key', {}, 'usage'],
    ['a key with a line end', { RECONCILE_KEY: `${key}\n` }, 'usage'],
  ])('says what to do with %s, without the key', async (_name, given, code) => {
    const { url } = await startShop(0);
    const { stdout, stderr, ...result } = await runCli(byUrl(url, '--json'), { env: given });
    expect(result.code).toBe(code === 'usage' ? 2 : 1);
    expect(JSON.parse(stderr).error.code).toBe(code);
    expect(stdout + stderr).not.toMatch(/only-the-timer|a-guess/);
  });

  it.each([
    ['that there is no such route', respondJson(404, {}), 'not_found'],
    ['an error', respondJson(500, {}), 'refused'],
    ['a page', respondJson(200, '<!doctype html>'), 'not_a_checkout'],
    ['nothing', dropConnection, 'connection_lost'],
  ])('explains a response that is %s', async (_name, response, code) => {
    const { url } = await startFaultServer([response]);
    const { stderr, ...result } = await runCli(byUrl(url, '--json'), { env });
    expect([result.code, JSON.parse(stderr).error.code]).toEqual([1, code]);
    expect(stderr).not.toContain(key);
  });
});

const module = 'test/server-kit/tools/cli/reconcile-shop.ts';
const byModule = (name: string, ...more: string[]) => [
  ...['reconcile', '--module', module, '--export', name],
  ...more,
];

describe('reconcile --module --once', () => {
  it('runs the due work of a module’s checkout and prints the counts', async () => {
    notified.length = 0;
    const { code, stdout, stderr } = await runCli(['reconcile', '--module', module, '--once']);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^12:00:00 {2}2 due {2}0 s behind\n$/);
    expect(notified.sort()).toEqual(['order-1', 'order-2']);
  });

  it('repeats while more is due and prints JSON with --json', async () => {
    expect(await runJson(byModule('busy', '--once'))).toEqual({
      at: expect.stringMatching(/Z$/),
      due: 45,
      failed: 0,
      lagMs: 0,
    });
  });

  it('fails when verifications have failed', async () => {
    const { code, stdout, stderr } = await runCli(byModule('down', '--once'));
    expect([code, stdout]).toEqual([1, expect.stringContaining('1 due  1 failed')]);
    expect(stderr).toContain('1 of 1 verifications failed');
  });

  it('uses the default export without a named checkout', async () => {
    const other = await newFile(
      `export { another as default } from '${process.cwd()}/${module}';`,
      'other.ts',
    );
    expect(await runJson(['reconcile', '--module', other, '--once'])).toMatchObject({ due: 1 });
  });

  it('ends with 130 when it is interrupted', async () => {
    const signal = AbortSignal.abort();
    expect(await runCli(byModule('idle', '--once'), { signal })).toMatchObject({ code: 130, stdout: '' });
  });

  it.each([
    ['throws', 'throw new Error("no database");', 'module_failed', 'cannot be loaded: no database'],
    ['exports no checkout', 'export const shop = {};', 'not_a_checkout', 'It exports shop.'],
    ['exports nothing', '', 'not_a_checkout', 'It exports nothing.'],
  ])('explains a module that %s', async (_name, content, code, message) => {
    const file = await newFile(content, 'shop.js');
    const { stderr, ...result } = await runCli(['reconcile', '--module', file, '--once', '--json']);
    expect(result.code).toBe(1);
    const { error } = JSON.parse(stderr);
    expect(error.code).toBe(code);
    expect(error.message).toContain(file);
    expect(error.message).toContain(message);
  });

  it('lists the exports of a module without a checkout', async () => {
    const { stderr } = await runCli(byModule('somethingElse', '--once'));
    expect(stderr).toContain('exports no checkout as "somethingElse"');
    expect(stderr).toMatch(/It exports .*busy/);
    const missing = await runCli(['reconcile', '--module', './nowhere.js', '--once']);
    expect(missing).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('./nowhere.js cannot be loaded'),
    });
  });
});

describe('reconcile --module', () => {
  it('stops the checkout after --once too', async () => {
    const { checkout } = createTestShop();
    let isStopped = false;
    const stop = async (): Promise<void> => {
      isStopped = true;
      return checkout.stop();
    };
    Object.assign(globalThis, { stoppedShop: { ...checkout, stop } });
    const file = await newFile('export const checkout = globalThis.stoppedShop;', 'shop.js');
    expect(await runCli(['reconcile', '--module', file, '--once'])).toMatchObject({ code: 0 });
    expect(isStopped).toBe(true);
  });

  it('runs a round every few seconds until Ctrl-C and then stops the checkout', async () => {
    const ending = new AbortController();
    onTestFinished(() => ending.abort());
    const clock = createTestClock();
    const shop = createTestShop({ onPaid: () => {} });
    shop.sandbox.control.setCallbackDelivery({ drop: true });
    const { io, output } = createTestIo({ signal: ending.signal, wait: clock.wait });
    const stopped: string[] = [];
    Object.assign(globalThis, {
      reconciledShop: { ...shop.checkout, stop: async () => void stopped.push('stopped') },
    });
    const file = await newFile('export const checkout = globalThis.reconciledShop;', 'shop.js');
    const code = run(['reconcile', '--module', file, '--every', '7'], io);
    await clock.untilWaiting(7000);
    expect([output.stdout, output.stderr]).toEqual([
      '',
      'Reconciling every 7 seconds. Press Ctrl-C to stop.\n',
    ]);

    await shop.pay(await shop.open());
    await shop.advance({ minutes: 2 });
    clock.advance(7000);
    await clock.untilWaiting(7000);
    expect(output.stdout).toContain('1 due');

    expect(stopped).toEqual([]);
    ending.abort();
    expect(await code).toBe(0);
    expect(stopped).toEqual(['stopped']);
  });
});

describe('reconcile --module with an unreachable store', () => {
  const startAway = async (...more: string[]) => {
    const ending = new AbortController();
    onTestFinished(() => ending.abort());
    const { checkout } = createTestShop();
    let rounds = 0;
    const reconcile = async () => {
      rounds++;
      if (rounds === 1) throw new Error('connection refused');
      return checkout.reconcile();
    };
    Object.assign(globalThis, { awayShop: { ...checkout, reconcile } });
    const file = await newFile('export const checkout = globalThis.awayShop;', 'shop.js');
    const clock = createTestClock();
    const { io, output } = createTestIo({ signal: ending.signal, wait: clock.wait });
    const code = run(['reconcile', '--module', file, ...more], io);
    return { ending, clock, output, code, rounds: () => rounds };
  };

  it('reports the failure and runs the next round', async () => {
    const { ending, clock, output, code, rounds } = await startAway('--every', '7');
    await clock.untilWaiting(7000);
    expect(output.stderr).toContain('The round failed; the next one runs as planned: connection refused\n');
    clock.advance(7000);
    await clock.untilWaiting(7000);
    expect(rounds()).toBe(2);
    ending.abort();
    expect(await code).toBe(0);
  });

  it('fails with --once', async () => {
    const { code, output } = await startAway('--once');
    expect(await code).toBe(1);
    expect(output.stderr).toBe('error: connection refused\n');
  });
});

describe('reconcile', () => {
  it.each([
    ['neither', []],
    ['both', ['--module', 'a.js', '--url', 'https://shop.example/checkout']],
    ['--once with an address', ['--once', '--url', 'https://shop.example/checkout']],
    ['no time between rounds', ['--module', 'a.js', '--every', '0']],
  ])('refuses %s', async (_name, args) => {
    expect(await runCli(['reconcile', ...args], { env })).toMatchObject({ code: 2, stdout: '' });
  });
});
