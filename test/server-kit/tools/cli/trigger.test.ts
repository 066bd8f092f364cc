import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { Payment } from '../../../../server-kit/core/endpoints.ts';
import { parseCallback } from '../../../../server-kit/core/signature.ts';
import {
  DedicatedAccount,
  DedicatedAccountRequestResult,
} from '../../../../server-kit/service/dedicated-account.ts';
import { Invoice } from '../../../../server-kit/service/invoice.ts';
import { Payout } from '../../../../server-kit/service/payout.ts';
import { notifiedRecords } from '../../../../server-kit/tools/sandbox/callbacks/record-change.ts';
import { serverNow } from '../../kit/fault-server.ts';
import { createTestSandbox, respondWith, rowOf, runCli, runJson } from './cli-kit.ts';

const to = 'http://localhost:3000/hooks';
const failed = `trigger payment.failed --to ${to}`;
const schemas = {
  payment: Payment,
  payout: Payout,
  invoice: Invoice,
  dedicated_account: v.union([DedicatedAccount, DedicatedAccountRequestResult]),
};
type Kind = keyof typeof schemas;
const events = (Object.entries(notifiedRecords) as [Kind, { statuses: readonly string[] }][]).flatMap(
  ([kind, { statuses }]) => statuses.map((status) => ({ event: `${kind}.${status}`, kind, status })),
);

/** Triggers an event and returns what the receiver got, parsed as a merchant's server does. */
async function trigger(event: string, more = '', callbackUrl = to) {
  const { fetch, seen } = respondWith(200);
  const { code, stderr } = await runCli(`trigger ${event} --to ${to}${more}`, { fetch });
  expect([code, stderr, seen.length]).toEqual([0, '', 1]);
  const [request = new Request(to)] = seen;
  const rawBody = await request.text();
  const signature = request.headers.get('request-signature');
  const timestamp = request.headers.get('request-timestamp');
  const secrets = ['sk_test_sandbox'];
  const callback = await parseCallback({
    rawBody,
    callbackUrl,
    secrets,
    signature,
    timestamp,
    now: serverNow,
  });
  return { request, rawBody, ...callback };
}

describe('trigger', () => {
  it.each(events)('sends $event with a record of the right shape', async ({ event, kind, status }) => {
    const { request, rawBody, ...callback } = await trigger(event);
    expect([request.method, request.headers.get('content-type')]).toEqual(['POST', 'application/json']);
    expect(callback).toMatchObject({ event, data: { status } });
    expect(v.safeParse(schemas[kind] as v.GenericSchema, callback.data).issues).toBeUndefined();
    expect(rawBody).not.toContain('accessToken');
  });

  it('fills the record from the options', async () => {
    const options = ' --reference ord_7 --id pay_7 --amount 500 --currency USD';
    const { data } = await trigger('payment.succeeded', `${options} --data {"metadata":{"cart":1},"fee":5}`);
    const amounts = { currency: 'USD', expectedAmount: 500, chargedAmount: 500, fee: 5 };
    const expected = { id: 'pay_7', reference: 'ord_7', metadata: { cart: 1 }, callbackUrl: to };
    expect(data).toMatchObject({ ...expected, ...amounts });
  });

  const aText = expect.any(String);
  it.each([
    ['payment.awaiting_charge', { chargedAmount: 250, expectedAmount: 500 }],
    ['payment.reversed', { chargedAmount: 500 }],
    ['payment.expired', { chargedAmount: 0 }],
    ['invoice.paid', { amountPaid: 500, amountRemaining: 0, paidAt: aText }],
    ['invoice.partially_paid', { amountPaid: 250, amountRemaining: 250 }],
    ['invoice.open', { amountPaid: 0, amountRemaining: 500 }],
    ['invoice.cancelled', { cancelledAt: aText }],
    ['payout.pending', { approval: { approvedBy: aText } }],
    ['payout.failed', { failureCode: aText, failureMessage: aText }],
    ['payout.cancelled', { cancellation: { cancelledBy: aText } }],
    ['dedicated_account.refused', { accountRequestCode: aText, message: aText }],
  ])('sends %s with the data that the service would send', async (event, data) => {
    expect((await trigger(event, ' --amount 500')).data).toMatchObject(data);
  });

  it.each(['payment.awaiting_charge', 'invoice.partially_paid'])(
    'refuses %s of an amount that cannot be paid in part, and makes no record',
    async (event) => {
      const { io, sandbox } = createTestSandbox();
      for (const where of ['', ' --in-sandbox']) {
        const { code, stderr } = await runCli(`trigger ${event} --to ${to} --amount 1${where}`, io);
        expect([code, stderr]).toEqual([2, expect.stringContaining('pass a larger amount')]);
      }
      expect([sandbox.control.listPayments(), sandbox.control.listInvoices()]).toEqual([[], []]);
    },
  );

  it('sends the user and the password of the URL in a header', async () => {
    const { fetch, seen } = respondWith(200);
    const args = failed.replace('//', '//me:p%C3%A9w@');
    expect(await runCli(args, { fetch })).toMatchObject({ code: 0, stderr: '' });
    const basic = `Basic ${Buffer.from('me:p\u00e9w').toString('base64')}`;
    expect([seen[0]?.url, seen[0]?.headers.get('authorization')]).toEqual([to, basic]);
  });

  it('signs the registered URL and sends to another one', async () => {
    const url = 'https://shop.example/callbacks';
    const { data } = await trigger('payment.failed', ` --url ${url}`, url);
    expect(data).toMatchObject({ callbackUrl: url });
    await expect(trigger('payment.failed', ` --url ${url}`)).rejects.toThrow(/does not match/);
  });

  it.each([400, 500, 302])('prints a response of %i and exits with 1', async (status) => {
    const { fetch } = respondWith(status, '{"no":"\u001b[2J"}', { location: 'http://x.invalid' });
    const { code, stdout, stderr } = await runCli(failed, { fetch });
    expect([code, stderr]).toEqual([1, expect.stringContaining(`${to} responded with ${status}`)]);
    // Control characters are escaped.
    expect(stdout).toMatch(new RegExp(`^${status}  \\d+ ms\\n{"no":"\\\\u001b\\[2J"}$`, 'm'));
  });

  it('reads at most a megabyte of an endless response', async () => {
    const pull = (controller: ReadableStreamDefaultController) =>
      controller.enqueue(new Uint8Array(65_536).fill(120));
    const { response } = await runJson(failed, respondWith(200, new ReadableStream({ pull })));
    expect([response.status, response.body.length]).toEqual([200, 1_000_000]);
  });

  it.each(['payment.sent', 'order.paid', 'constructor.x', 'payment.failed.now'])(
    'refuses %s, which is no event',
    async (event) => {
      const { code, stderr } = await runCli(`trigger ${event} --to ${to}`);
      const text = `There is no event "${event}"; use one of payment.awaiting_charge, payment.charged`;
      expect([code, stderr]).toEqual([2, expect.stringContaining(text)]);
    },
  );

  it.each(['[1]', 'null', '{', '"x"'])('refuses --data %s', async (data) => {
    expect((await runCli(`${failed} --data ${data}`)).code).toBe(2);
  });
});

describe('trigger --in-sandbox', () => {
  const inSandbox = (event: string, more = '') => `trigger ${event} --in-sandbox${more}`;

  it.each(events)('makes $event, and the sandbox calls back', async ({ event, kind }) => {
    const { io, sandbox, seen } = createTestSandbox(204, { confirmationSeconds: 60 });
    const { record, callback } = await runJson(inSandbox(event, ` --to ${to}`), io);
    expect(callback).toEqual({ event, to, state: 'delivered', status: 204 });
    expect(record.kind).toBe(kind);
    expect(seen.length).toBe(sandbox.control.listCallbacks().length);
  });

  it.each(['payment.succeeded', 'payment.charged'])('reverses a payment after %s', async (first) => {
    const { io, sandbox } = createTestSandbox(204, { confirmationSeconds: 60 });
    await runJson(inSandbox(first, ` --to ${to}`), io);
    await runJson(inSandbox('payment.reversed'), io);
    const payment = { status: 'reversed', chargedAmount: 1_250_000, transfers: [{}] };
    expect(sandbox.control.listPayments()).toMatchObject([payment]);
  });

  it.each([
    ['payment.succeeded', 'payment.succeeded'],
    ['payment.succeeded', 'payment.awaiting_charge'],
    ['payment.failed', 'payment.reversed'],
  ])('refuses %s and then %s on one line, and changes nothing', async (first, second) => {
    const { io, sandbox } = createTestSandbox();
    await runJson(inSandbox(first, ` --to ${to}`), io);
    const before = sandbox.control.listPayments();
    const { code, stderr } = await runCli(inSandbox(second), io);
    const refusal = /^error: A payment that is .* cannot become .*\n$/;
    expect([code, stderr]).toEqual([1, expect.stringMatching(refusal)]);
    expect(sandbox.control.listPayments()).toEqual(before);
  });

  it('creates a payment, pays it, and prints both', async () => {
    const { io, sandbox } = createTestSandbox();
    const args = `trigger payment.succeeded --in-sandbox http://box.example/ --to ${to} --reference ord_7`;
    const { code, stdout, stderr } = await runCli(args, io);
    expect([code, stderr]).toEqual([0, '']);
    const [payment] = sandbox.control.listPayments();
    expect(payment).toMatchObject({ reference: 'ord_7', status: 'succeeded', chargedAmount: 1_250_000 });
    expect(rowOf(stdout, 'sandbox')).toBe('http://box.example');
    expect(rowOf(stdout, 'called')).toBe('POST /v1/payments');
    expect(stdout).toContain(' POST /_sandbox/payments/ord_7\n');
    expect(rowOf(stdout, 'record')).toBe(`payment ord_7, ${payment?.id}`);
    expect(rowOf(stdout, 'callback')).toBe(`payment.succeeded to ${to}: 204`);
  });

  it('exits with 1 if the receiver does not accept the callback', async () => {
    const { io } = createTestSandbox(500);
    const { code, stdout, stderr } = await runCli(inSandbox('payment.succeeded', ` --to ${to}`), io);
    expect([code, rowOf(stdout, 'callback')]).toEqual([1, `payment.charged to ${to}: 500`]);
    expect(stderr).toContain('did not accept the callback');
  });

  it.each([
    [200, 'no_sandbox'],
    [404, 'no_sandbox'],
    [502, 'connection_lost'],
  ])('says what is wrong with a server that responds %i', async (status, code) => {
    const args = `${inSandbox('payment.failed')} --json`;
    const { stderr, ...result } = await runCli(args, respondWith(status, '{}'));
    expect([result.code, JSON.parse(stderr).error.code]).toEqual([1, code]);
  });

  it.each([
    [inSandbox('payment.failed', ' --data {}'), "cannot be used with option '--data <json>'"],
    [inSandbox('payment.failed', ' --id x'), "cannot be used with option '--id <id>'"],
    [inSandbox('payment.failed', ` --url ${to}`), "cannot be used with option '--url <url>'"],
    [inSandbox('dedicated_account.active'), 'pass it as --to'],
    ['trigger payment.failed', 'Pass --to'],
  ])('is refused: %s', async (args, text) => {
    const { code, stderr } = await runCli(args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(text)]);
  });
});
