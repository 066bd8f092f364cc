import { describe, expect, it } from 'vitest';
import { createPaymentsClient } from '../../../../server-kit/client/client.ts';
import { formatMoney } from '../../../../server-kit/tools/operator/format-money.ts';
import { payment as livePayment } from '../../kit/client-kit.ts';
import { dropConnection, respondJson, serverNow, startFaultServer } from '../../kit/fault-server.ts';
import { goodBody } from '../sandbox/sandbox-kit.ts';
import { rowOf, runCli, runJson, startTestSandbox } from './cli-kit.ts';

async function startWithPayment() {
  const { url, sandbox } = await startTestSandbox();
  const client = createPaymentsClient({ baseUrl: url, apiSecret: 'sk_test_sandbox', now: () => serverNow });
  const { callbackUrl: _nobody, ...body } = goodBody;
  const { id, accountNumber } = await client.payments.initiate(body);
  return { url, sandbox, id, accountNumber };
}

describe('payment', () => {
  it('shows a payment by its id and by its reference', async () => {
    const { url, sandbox, id, accountNumber } = await startWithPayment();
    sandbox.control.transfer({ accountNumber, amount: 1_250_000 });
    const byId = await runCli(['payment', 'get', id, '--base-url', url]);
    expect([byId.code, byId.stderr]).toEqual([0, '']);
    expect(rowOf(byId.stdout, 'status')).toBe('succeeded');
    expect(rowOf(byId.stdout, 'expected')).toBe('NGN 12,500.00');
    expect(rowOf(byId.stdout, 'charged')).toBe('NGN 12,500.00');
    expect(rowOf(byId.stdout, 'mode')).toBe('test');
    expect(rowOf(byId.stdout, 'metadata')).toBe('{"cart":["book"]}');
    expect(await runCli(['payment', 'verify', 'ord_1001', '--base-url', url])).toEqual(byId);
  });

  it('never shows the access token', async () => {
    const { url } = await startFaultServer([respondJson(200, { ...livePayment, accessToken: 'tok_hidden' })]);
    const args = ['payment', 'get', 'pay_1', '--base-url', url];
    const { stdout } = await runCli(args);
    const json = await runJson(args);
    expect(json).toEqual({ ...livePayment });
    expect(stdout + JSON.stringify(json)).not.toMatch(/tok_|accessToken/);
  });

  it.each(['get', 'verify'])('exits with 1 for a payment that does not exist: %s', async (name) => {
    const { url } = await startTestSandbox();
    const { code, stdout, stderr } = await runCli(['payment', name, 'nope', '--base-url', url]);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^error: payments\.\w+ failed with 404: No payment has the/);
    const { stderr: json } = await runCli(['payment', name, 'nope', '--base-url', url, '--json']);
    expect(JSON.parse(json).error.code).toBe('not_found');
  });

  it('signs with the environment’s settings; options have priority', async () => {
    const { url, seen } = await startFaultServer([respondJson(200, livePayment)]);
    const env = { PAYMENTS_BASE_URL: url, PAYMENTS_API_KEY: 'pk_env', PAYMENTS_API_SECRET: 'sk_env' };
    await runCli(['payment', 'get', 'pay_1'], { env });
    await runCli(['payment', 'get', 'pay_1', '--api-key', 'pk_option', '--secret', 'sk_option'], { env });
    expect(seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer pk_env', 'Bearer pk_option']);
    const path = ['--path', '/v1/payments/pay_1', '--timestamp', String(serverNow / 1000)];
    const signWith = async (secret: string): Promise<string> =>
      (await runJson(['sign', 'request', ...path, '--secret', secret])).signature;
    const expected = await Promise.all([signWith('sk_env'), signWith('sk_option')]);
    expect(seen.map(({ headers }) => headers['request-signature'])).toEqual(expected);
  });

  it('does not send the sandbox’s key with your own secret', async () => {
    const { url, seen } = await startFaultServer([respondJson(200, livePayment)]);
    await runCli(['payment', 'get', 'pay_1', '--base-url', url, '--secret', 'sk_mine']);
    expect(seen[0]?.headers.authorization).toBeUndefined();
  });

  it('requires the secret of a service on another machine', async () => {
    const { code, stderr } = await runCli(['payment', 'get', 'x', '--base-url', 'https://api.example']);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('https://api.example is missing; set PAYMENTS_API_SECRET'),
    ]);
  });

  it.each([
    ['an invalid address', { PAYMENTS_BASE_URL: 'api.example' }],
    ['an empty secret', { PAYMENTS_API_SECRET: '' }],
  ])('refuses %s in the environment', async (_name, env) => {
    expect(await runCli(['payment', 'get', 'x'], { env })).toMatchObject({ code: 2, stdout: '' });
  });

  it('says how to start a sandbox when none is running', async () => {
    const fetch = () => Promise.reject(new TypeError('fetch failed'));
    const { code, stderr } = await runCli(['payment', 'get', 'x'], { fetch });
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('Start a sandbox with "transfer-checkout sandbox"'),
    ]);
  });

  it('does not mention a sandbox when another service is unreachable', async () => {
    const { url } = await startFaultServer([dropConnection]);
    const { code, stderr } = await runCli(['payment', 'get', 'x', '--base-url', url]);
    expect([code, stderr]).toEqual([1, expect.stringContaining(`could not reach ${url}`)]);
    expect(stderr).not.toContain('Start a sandbox');
  });

  it('ends with 130 and no output on Ctrl-C', async () => {
    const ending = new AbortController();
    const { url } = await startFaultServer([() => ending.abort()]);
    const result = await runCli(['payment', 'get', 'x', '--base-url', url], { signal: ending.signal });
    expect(result).toEqual({ code: 130, stdout: '', stderr: '' });
  });

  it('escapes control characters of the service’s message', async () => {
    const errorBody = { error: { type: 'api_error', code: 'x', message: '\u001b[2Jgone', params: [] } };
    const { url } = await startFaultServer([respondJson(400, errorBody)]);
    const { stderr } = await runCli(['payment', 'get', 'x', '--base-url', url]);
    expect(stderr).toContain('\\u001b[2Jgone');
  });
});

describe('formatMoney', () => {
  it.each([
    [1_250_000, 'NGN', 'NGN 12,500.00'],
    [5, 'USD', 'USD 0.05'],
    [12_500, 'JPY', 'JPY 12,500'],
    [Number.MAX_SAFE_INTEGER, 'NGN', 'NGN 90,071,992,547,409.91'],
    [12.5, 'NGN', '12.5 NGN (minor units)'],
    [-5, 'NGN', '-5 NGN (minor units)'],
    [5, 'naira', '5 naira (minor units)'],
  ])('formats %d of %s as %s', (value, currency, text) => {
    expect(formatMoney(value, currency)).toBe(text);
  });
});
