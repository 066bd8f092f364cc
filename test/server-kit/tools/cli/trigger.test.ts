import type { ServerResponse } from 'node:http';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import {
  DedicatedAccount,
  DedicatedAccountRequestResult,
} from '../../../../server-kit/client/api/dedicated-account.ts';
import { Invoice } from '../../../../server-kit/client/api/invoice.ts';
import { Payment } from '../../../../server-kit/client/api/payment.ts';
import { Payout } from '../../../../server-kit/client/api/payout.ts';
import { parseCallback } from '../../../../server-kit/client/signing/callbacks.ts';
import { notifiedRecords } from '../../../../server-kit/tools/sandbox/callbacks/notified-records.ts';
import {
  dropConnection,
  respondJson,
  type SeenRequest,
  serverNow,
  startFaultServer,
} from '../../kit/fault-server.ts';
import { createTestClock } from '../../kit/test-clock.ts';
import { newFile, runCli, runJson } from './cli-kit.ts';

const secret = 'sk_test_sandbox';
const schemas = {
  payment: Payment,
  payout: Payout,
  invoice: Invoice,
  dedicated_account: v.union([DedicatedAccount, DedicatedAccountRequestResult]),
};
const events = Object.entries(notifiedRecords).flatMap(([kind, { statuses }]) =>
  statuses.map((status) => ({
    event: `${kind}.${status}`,
    kind,
    status,
    schema: schemas[kind as keyof typeof schemas] as v.GenericSchema,
  })),
);

/** Parses the callback as a merchant's server does. */
const receive = ({ headers, body }: SeenRequest, callbackUrl: string, secrets = [secret]) =>
  parseCallback({
    rawBody: body,
    callbackUrl,
    secrets,
    signature: String(headers['request-signature']),
    timestamp: String(headers['request-timestamp']),
    now: serverNow,
  });

/** Triggers an event and returns the request that the receiver got. */
async function trigger(event: string, more: readonly string[] = []): Promise<SeenRequest & { to: string }> {
  const { url: to, seen } = await startFaultServer([respondJson(200, {})]);
  const { code, stderr } = await runCli(['trigger', event, '--to', to, ...more]);
  expect([code, stderr]).toEqual([0, '']);
  const [request] = seen;
  if (request === undefined) throw new Error('Nothing was sent.');
  return { ...request, to };
}

const endlessResponse = (_request: SeenRequest, response: ServerResponse): void => {
  const more = (): void => {
    while (response.write('x'.repeat(65_536)));
  };
  response.on('drain', more);
  more();
};

describe('trigger', () => {
  it.each(events)(
    'sends $event with a record of the right shape',
    async ({ event, kind, status, schema }) => {
      const { to, ...request } = await trigger(event);
      expect(request).toMatchObject({ method: 'POST', headers: { 'content-type': 'application/json' } });
      const callback = await receive(request, to);
      expect(callback).toMatchObject({ event, kind, data: { status } });
      expect(v.safeParse(schema, callback.data).issues).toBeUndefined();
      expect(request.body).not.toContain('accessToken');
    },
  );

  it('fills the record from the options', async () => {
    const { body, to } = await trigger('payment.succeeded', [
      ...['--reference', 'ord_7', '--id', 'pay_7', '--amount', '500', '--currency', 'USD'],
      ...['--data', '{"metadata":{"cart":1},"fee":5}'],
    ]);
    expect(JSON.parse(body).data).toMatchObject({
      id: 'pay_7',
      reference: 'ord_7',
      currency: 'USD',
      expectedAmount: 500,
      chargedAmount: 500,
      fee: 5,
      metadata: { cart: 1 },
      callbackUrl: to,
    });
  });

  it.each([
    ['payment.awaiting_charge', { chargedAmount: 250, expectedAmount: 500 }],
    ['payment.reversed', { chargedAmount: 500 }],
    ['payment.expired', { chargedAmount: 0 }],
    ['invoice.paid', { amountPaid: 500, amountRemaining: 0 }],
    ['invoice.partially_paid', { amountPaid: 250, amountRemaining: 250 }],
    ['invoice.open', { amountPaid: 0, amountRemaining: 500 }],
  ])('sends %s with amounts that agree with it', async (event, amounts) => {
    const { body } = await trigger(event, ['--amount', '500']);
    expect(JSON.parse(body).data).toMatchObject(amounts);
  });

  it.each([
    ['payout.pending', { approval: { approvedBy: expect.any(String) } }],
    ['payout.failed', { failureCode: expect.any(String), failureMessage: expect.any(String) }],
    ['payout.cancelled', { cancellation: { cancelledBy: expect.any(String) } }],
    ['invoice.paid', { paidAt: expect.any(String) }],
    ['invoice.cancelled', { cancelledAt: expect.any(String) }],
    ['dedicated_account.refused', { accountRequestCode: expect.any(String), message: expect.any(String) }],
  ])('sends %s with the data that the service would send', async (event, data) => {
    expect(JSON.parse((await trigger(event)).body).data).toMatchObject(data);
  });

  it.each(['payment.awaiting_charge', 'invoice.partially_paid'])(
    'refuses %s of an amount that cannot be paid in part',
    async (event) => {
      const { code, stderr } = await runCli([
        'trigger',
        event,
        '--to',
        'http://localhost:1',
        '--amount',
        '1',
      ]);
      expect([code, stderr]).toEqual([2, expect.stringContaining('pass a larger amount')]);
    },
  );

  it('refuses a URL that records cannot have', async () => {
    const { code, stderr } = await runCli(['trigger', 'payment.failed', '--to', 'http:\\\\localhost:1']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('callbackUrl: must be')]);
  });

  it('sends the user and the password of the URL in a header', async () => {
    const { url, seen } = await startFaultServer([respondJson(200, {})]);
    const to = url.replace('//', '//me:p%C3%A9w@');
    expect(await runCli(['trigger', 'payment.failed', '--to', to])).toMatchObject({ code: 0, stderr: '' });
    expect(seen[0]?.headers.authorization).toBe(`Basic ${Buffer.from('me:p\u00e9w').toString('base64')}`);
  });

  it('signs the registered URL and sends to another one', async () => {
    const registered = 'https://shop.example/callbacks';
    const request = await trigger('payment.failed', ['--url', registered]);
    expect((await receive(request, registered)).data.callbackUrl).toBe(registered);
    await expect(receive(request, request.to)).rejects.toMatchObject({ code: 'signature_mismatch' });
  });

  it('signs with the given secret', async () => {
    const request = await trigger('payment.failed', ['--secret', 'mine']);
    expect((await receive(request, request.to, ['mine'])).kind).toBe('payment');
  });

  it('takes fields from a file', async () => {
    const file = await newFile('{"narration":"rent"}');
    const { body } = await trigger('payout.sent', ['--data', `@${file}`]);
    expect(JSON.parse(body).data.narration).toBe('rent');
  });

  it.each([400, 500, 302])('prints a response of %i and exits with 1', async (status) => {
    const { url } = await startFaultServer([
      respondJson(status, { no: 1 }, { location: 'http://x.invalid' }),
    ]);
    const { code, stdout, stderr } = await runCli(['trigger', 'payment.failed', '--to', url]);
    expect(code).toBe(1);
    expect(stdout).toMatch(new RegExp(`^${status}  \\d+ ms\\n{"no":1}$`, 'm'));
    expect(stderr).toContain(`${url} responded with ${status}`);
  });

  it('prints the response as JSON', async () => {
    const { url } = await startFaultServer([respondJson(202, 'taken')]);
    const { response, event } = await runJson(['trigger', 'payment.failed', '--to', url]);
    expect({ response, event }).toEqual({
      event: 'payment.failed',
      response: { status: 202, body: 'taken', durationMs: expect.any(Number) },
    });
  });

  it('reads at most a megabyte of an endless response', async () => {
    const { url } = await startFaultServer([endlessResponse]);
    const { response } = await runJson(['trigger', 'payment.failed', '--to', url]);
    expect([response.status, response.body.length]).toEqual([200, 1_000_000]);
  });

  it('escapes control characters of the response', async () => {
    const { url } = await startFaultServer([respondJson(200, '\u001b[2Jgone')]);
    expect((await runCli(['trigger', 'payment.failed', '--to', url])).stdout).toContain('\\u001b[2Jgone');
  });

  it('exits with 1 without a response', async () => {
    const { url } = await startFaultServer([dropConnection]);
    const { code, stdout, stderr } = await runCli(['trigger', 'payment.failed', '--to', url, '--json']);
    expect([code, stdout]).toEqual([1, '']);
    expect(JSON.parse(stderr).error).toMatchObject({ code: 'connection_lost' });
  });

  it('waits ten seconds for a response', async () => {
    const { url } = await startFaultServer([() => clock.advance(10_000)]);
    const clock = createTestClock();
    const { code, stderr } = await runCli(['trigger', 'payment.failed', '--to', url], { wait: clock.wait });
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('did not respond completely within 10 seconds'),
    ]);
  });

  it.each([
    ['a status of another record', 'payment.sent'],
    ['an unknown record', 'order.paid'],
    ['a name of every object', 'constructor.x'],
    ['more than a status', 'payment.failed.now'],
  ])('refuses %s', async (_name, event) => {
    const { code, stderr } = await runCli(['trigger', event, '--to', 'http://localhost:1']);
    const text = `There is no event "${event}"; use one of payment.awaiting_charge, payment.charged`;
    expect([code, stderr]).toEqual([2, expect.stringContaining(text)]);
  });

  it.each(['[1]', 'null', '{', '"x"'])('refuses --data %s', async (data) => {
    const args = ['trigger', 'payment.failed', '--to', 'http://localhost:1', '--data', data];
    expect((await runCli(args)).code).toBe(2);
  });
});
