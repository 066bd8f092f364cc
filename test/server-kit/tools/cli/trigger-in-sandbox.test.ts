import { describe, expect, it } from 'vitest';
import { waitWithTimer } from '../../../../server-kit/client/async/wait.ts';
import { notifiedRecords } from '../../../../server-kit/tools/sandbox/callbacks/notified-records.ts';
import type { SandboxServerOptions } from '../../../../server-kit/tools/sandbox/node/index.ts';
import { respondJson, startFaultServer } from '../../kit/fault-server.ts';
import { rowOf, runCli, runJson, startTestSandbox } from './cli-kit.ts';

const events = Object.entries(notifiedRecords).flatMap(([kind, { statuses }]) =>
  statuses.map((status) => `${kind}.${status}`),
);

/** A sandbox, a receiver of its callbacks, and the command with both. */
async function start(status = 204, options: Partial<SandboxServerOptions> = {}) {
  const { url, sandbox } = await startTestSandbox(options);
  const { url: to, seen } = await startFaultServer([respondJson(status, {})]);
  const args = (event: string, more: readonly string[] = []) => [
    'trigger',
    event,
    '--in-sandbox',
    url,
    ...more,
  ];
  const run = (event: string, more?: readonly string[]) => runCli(args(event, more), { wait: waitWithTimer });
  const json = (event: string, more?: readonly string[]) =>
    runJson(args(event, more), { wait: waitWithTimer });
  return { url, sandbox, to, seen, run, json };
}

describe('trigger --in-sandbox', () => {
  it.each(['payment.charged', 'payment.succeeded', 'payment.reversed'])(
    'makes %s without a wait for the confirmation',
    async (event) => {
      const { to, sandbox, json } = await start(204, { confirmationSeconds: 60 });
      expect((await json(event, ['--to', to])).callback).toEqual({
        event,
        to,
        state: 'delivered',
        status: 204,
      });
      expect(sandbox.control.listPayments()).toMatchObject([{ status: event.split('.')[1] }]);
    },
  );

  it.each([
    ['payment.succeeded', 'payment.reversed'],
    ['payment.charged', 'payment.reversed'],
  ])('moves a paid payment after %s to %s without more money', async (first, second) => {
    const { to, sandbox, json } = await start(204, { confirmationSeconds: 60 });
    await json(first, ['--to', to]);
    expect((await json(second)).callback.event).toBe(second);
    const [payment] = sandbox.control.listPayments();
    expect(payment).toMatchObject({ status: 'reversed', chargedAmount: 1_250_000 });
    expect(payment?.transfers).toHaveLength(1);
  });

  it.each([
    ['payment.succeeded', 'payment.succeeded'],
    ['payment.succeeded', 'payment.charged'],
    ['payment.succeeded', 'payment.awaiting_charge'],
    ['payment.failed', 'payment.succeeded'],
    ['payment.failed', 'payment.reversed'],
  ])('refuses %s and then %s, and changes nothing', async (first, second) => {
    const { to, sandbox, json, run } = await start();
    await json(first, ['--to', to]);
    const before = sandbox.control.listPayments();
    const { code, stderr } = await run(second);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^error: A payment that is \w+ cannot become/)]);
    expect(sandbox.control.listPayments()).toEqual(before);
  });

  it.each(['payment.awaiting_charge', 'invoice.partially_paid'])(
    'refuses %s of an amount that cannot be paid in part, and makes no record',
    async (event) => {
      const { to, sandbox, run } = await start();
      const { code, stderr } = await run(event, ['--to', to, '--amount', '1']);
      expect([code, stderr]).toEqual([2, expect.stringContaining('An amount of 1 cannot be paid in part')]);
      expect([sandbox.control.listPayments(), sandbox.control.listInvoices()]).toEqual([[], []]);
    },
  );

  it('finds the callback under the name that the dialect gives it', async () => {
    const { to, json } = await start(204, { dialect: { callbackEvent: '{record}:{status}' } });
    expect((await json('payment.succeeded', ['--to', to])).callback.event).toBe('payment:succeeded');
  });

  it.each(events)('makes %s, and the sandbox calls back', async (event) => {
    const { to, sandbox, json } = await start();
    const { record, callback } = await json(event, ['--to', to]);
    expect(callback).toEqual({ event, to, state: 'delivered', status: 204 });
    expect(record.kind).toBe(event.split('.')[0]);
    expect(sandbox.control.listCallbacks().map((one) => one.event)).toContain(event);
  });

  it('creates a payment, pays it, and prints both', async () => {
    const { url, to, sandbox, run } = await start();
    const { code, stdout, stderr } = await run('payment.succeeded', ['--to', to, '--reference', 'ord_7']);
    expect([code, stderr]).toEqual([0, '']);
    const [payment] = sandbox.control.listPayments();
    expect(payment).toMatchObject({ reference: 'ord_7', status: 'succeeded', chargedAmount: 1_250_000 });
    expect(rowOf(stdout, 'sandbox')).toBe(url);
    expect(rowOf(stdout, 'called')).toBe('POST /v1/payments');
    expect(stdout).toContain(' POST /_sandbox/payments/ord_7\n');
    expect(rowOf(stdout, 'record')).toBe(`payment ord_7, ${payment?.id}`);
    expect(rowOf(stdout, 'callback')).toBe(`payment.succeeded to ${to}: 204`);
  });

  it('pays what is missing of a payment that exists, and creates none', async () => {
    const { to, sandbox, json } = await start();
    const awaiting = await json('payment.awaiting_charge', ['--to', to, '--amount', '900']);
    const { record, calls } = await json('payment.succeeded', ['--amount', '5']);
    expect([record.id, calls]).toEqual([awaiting.record.id, ['POST /_sandbox/payments/ord_1001']]);
    expect(sandbox.control.listPayments()).toMatchObject([{ chargedAmount: 900, status: 'succeeded' }]);
  });

  it('says that a record without a callback URL has no callback', async () => {
    const { run, sandbox } = await start();
    const { code, stdout } = await run('payout.sent');
    expect([code, rowOf(stdout, 'callback')]).toEqual([0, expect.stringContaining('no callback URL')]);
    expect(sandbox.control.listPayouts()).toMatchObject([{ status: 'sent' }]);
  });

  it('says that the sandbox drops its callbacks', async () => {
    const { run, to, sandbox } = await start();
    sandbox.control.setCallbackDelivery({ drop: true });
    const { code, stdout } = await run('payment.failed', ['--to', to]);
    expect([code, rowOf(stdout, 'callback')]).toEqual([0, 'dropped, as the sandbox is set to']);
  });

  it('exits with 1 if the receiver does not accept the callback', async () => {
    const { run, to } = await start(500);
    const { code, stdout, stderr } = await run('payment.succeeded', ['--to', to]);
    expect([code, rowOf(stdout, 'callback')]).toEqual([1, `payment.charged to ${to}: 500`]);
    expect(stderr).toContain('did not accept the callback');
  });

  it('prints the sandbox’s refusal on one line', async () => {
    const { run, to } = await start();
    await run('payment.failed', ['--to', to]);
    const { code, stderr } = await run('payment.expired');
    expect([code, stderr.trim().split('\n').length]).toEqual([1, 1]);
    expect(stderr).toMatch(/^error: A payment that is failed cannot become expired/);
  });

  it.each([200, 404])('says that a server that responds %i is not a sandbox', async (status) => {
    const { url } = await startFaultServer([respondJson(status, {})]);
    const { code, stderr } = await runCli(['trigger', 'payment.failed', '--in-sandbox', url]);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/is not a sandbox/)]);
  });

  it.each([
    [['--data', '{}'], '--data has no effect with --in-sandbox'],
    [['--id', 'x'], '--id has no effect with --in-sandbox'],
    [['--url', 'http://localhost'], '--url has no effect with --in-sandbox'],
  ])('refuses %j', async (more, text) => {
    const { code, stderr } = await runCli(['trigger', 'payment.failed', '--in-sandbox', ...more]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(text)]);
  });

  it('needs a callback URL for a dedicated account', async () => {
    const { code, stderr } = await runCli(['trigger', 'dedicated_account.active', '--in-sandbox']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('pass it as --to')]);
  });

  it('needs a receiver or a sandbox', async () => {
    const { code, stderr } = await runCli(['trigger', 'payment.failed']);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/Pass --to.* or --in-sandbox/)]);
  });
});
