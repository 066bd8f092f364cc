import { mkdtemp } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { waitWithTimer } from '../../../server-kit/core/time.ts';
import { freePort } from '../../setup/reserve-port.ts';
import { runCli, startCli } from '../tools/cli/cli-kit.ts';
import { type ShopRequest, type ShopResponse, secret, startShop } from './shop.ts';

const amount = { value: 1_250_000, currency: 'NGN' };
const order: ShopResponse = { status: 200, body: { orderId: '1001', amount } };
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

/** Runs the command with a sandbox until `end` is called. */
async function run(env: Record<string, string>) {
  const ending = new AbortController();
  const { output, code } = startCli('serve --sandbox', { ...real, env, signal: ending.signal });
  const control = () => /Send money +(\S+)panel\//.exec(output.stderr)?.[1] ?? '';
  await expect.poll(control).not.toBe('');
  const lines = () =>
    output.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  const end = async (): Promise<void> => {
    ending.abort();
    await code;
  };
  return { control: control(), lines, end };
}

async function start(
  respond: (request: ShopRequest) => ShopResponse = ({ path }) =>
    path === '/order' ? order : { status: 204 },
) {
  const shop = await startShop((request) => respond(request));
  const more = { OPERATOR_KEY: 'an-operator-key-of-thirty-two-xx', LOG_LEVEL: 'info' };
  const env = await environmentFor(shop.url, more);
  let process = await run(env);
  onTestFinished(async () => {
    await process.end();
    await shop.close();
  });
  const url = `http://127.0.0.1:${env.PORT}`;
  const headers = { 'content-type': 'application/json' };
  const open = (more: Record<string, string> = {}) =>
    fetch(`${url}/checkout/sessions`, {
      method: 'POST',
      headers: { ...headers, cookie: 'cart=7', ...more },
      body: '{"book":3}',
    });
  return {
    shop,
    url,
    open,
    lines: () => process.lines(),
    async pay() {
      const { account } = (await (await open()).json()) as { account: { number: string } };
      const body = JSON.stringify({ accountNumber: account.number, amount: amount.value });
      await fetch(`${process.control}transfers`, { method: 'POST', headers, body });
    },
    async restart() {
      await process.end();
      process = await run(env);
    },
    webhooks: () => shop.requests.filter(({ path }) => path === '/webhook'),
  };
}

describe('the process for shops of any language', () => {
  it('asks the shop which order the shopper pays', async () => {
    const { open, shop } = await start();
    const response = await open({
      authorization: 'Basic c3RhZ2luZw==',
      'accept-language': 'ha',
      'x-other': '1',
    });
    expect([response.status, await response.json()]).toEqual([201, expect.objectContaining({ amount })]);
    const [{ headers, body } = { headers: {} as ShopRequest['headers'], body: {} }] = shop.requests;
    expect(body).toEqual({ body: { book: 3 } });
    expect(headers).toMatchObject({ cookie: 'cart=7', 'accept-language': 'ha' });
    expect([headers.authorization, headers['x-other']]).toEqual([undefined, undefined]);
  });

  it("gives the page the shop's text of the QR code, with the account's number", async () => {
    const qrText = 'NGN12500.00 {accountNumber}';
    const { open } = await start(() => ({ status: 200, body: { orderId: '1001', amount, qrText } }));
    const session = (await (await open()).json()) as { account: { number: string }; qrText?: string };
    expect(session.qrText).toBe(`NGN12500.00 ${session.account.number}`);
  });

  it.each([401, 403, 404, 409])('passes the refusal %i on to the page, with its message', async (status) => {
    const { open } = await start(() => ({ status, body: { message: 'Your cart is empty.' } }));
    const response = await open();
    expect([response.status, await response.json()]).toEqual([
      403,
      expect.objectContaining({ detail: 'Your cart is empty.' }),
    ]);
  });

  it.each<[string, ShopResponse]>([
    ['an error', { status: 500 }],
    ['a redirect', { status: 302, headers: { location: '/order' } }],
    ['no JSON', { status: 200 }],
    ['no order', { status: 200, body: { id: '1001' } }],
  ])('has the page try again after %s', async (_what, response) => {
    const { open, lines } = await start(() => response);
    expect((await open()).status).toBe(503);
    expect(lines()).toContainEqual(expect.objectContaining({ level: 'error', type: 'requestFailed' }));
  });

  it('reports a paid order once it is taken, always under the same id', async () => {
    const responses = [500, 302, 204];
    const { pay, webhooks } = await start(({ path }) =>
      path === '/order' ? order : { status: responses.shift() ?? 204 },
    );
    await pay();
    await expect.poll(() => webhooks().length, { timeout: 15_000 }).toBe(3);
    const ids = new Set(webhooks().map(({ headers }) => headers['webhook-id']));
    expect(ids.size).toBe(1);
    expect(webhooks()[2]?.body).toMatchObject({
      type: 'order.paid',
      data: {
        order: { orderId: '1001', amount },
        money: { amount, total: amount },
        payment: { outcome: 'paid' },
      },
    });
  });

  it('loses no outcome when it is stopped before the shop has taken it', async () => {
    let isUp = false;
    let taken = 0;
    const { pay, webhooks, restart } = await start(({ path }) => {
      if (path === '/order') return order;
      taken += Number(isUp);
      return { status: isUp ? 204 : 503 };
    });
    await pay();
    await expect.poll(() => webhooks().length, { timeout: 15_000 }).toBeGreaterThan(0);
    isUp = true;
    await restart();
    await expect.poll(() => taken, { timeout: 15_000 }).toBeGreaterThan(0);
  });

  it('pauses after 410, and says so', async () => {
    const { pay, webhooks, lines } = await start(({ path }) => (path === '/order' ? order : { status: 410 }));
    await pay();
    const paused = expect.stringMatching(/410.*paused for an hour/);
    await expect
      .poll(() => lines().filter(({ type }) => type === 'handlerFailed').length, { timeout: 15_000 })
      .toBeGreaterThan(1);
    expect(lines().at(-1)).toMatchObject({ error: { message: paused } });
    expect(webhooks()).toHaveLength(1);
  });

  it('serves the routes, and the status to the operator only', async () => {
    const { url } = await start();
    expect((await fetch(`${url}/checkout/ready`)).status).toBe(200);
    expect((await fetch(`${url}/checkout/status`)).status).toBe(401);
    const headers = { authorization: 'Bearer an-operator-key-of-thirty-two-xx' };
    expect((await fetch(`${url}/checkout/status`, { headers })).status).toBe(200);
  });
});

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

it('serve --sandbox has its panel at the port after its own, or at the next free one', async () => {
  const env = await environmentFor('http://127.0.0.1:9');
  const next = Number(env.PORT) + 1;
  const panelPort = async (): Promise<number> => {
    const { control, end } = await run(env);
    await end();
    return Number(new URL(control).port);
  };
  expect(await panelPort()).toBe(next);
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(next, '127.0.0.1', resolve));
  onTestFinished(() => void other.close());
  expect(await panelPort()).toBeGreaterThan(next);
});
