import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startServe } from '../../../server-kit/serve/server.ts';
import { readSettings } from '../../../server-kit/serve/settings.ts';
import { sandboxCredentials } from '../../../server-kit/tools/sandbox/index.ts';
import { startSandboxServer } from '../../../server-kit/tools/sandbox/node/index.ts';
import { freePort } from '../../setup/reserve-port.ts';
import { type ShopRequest, type ShopResponse, secret, startShop } from './shop.ts';

const amount = { value: 1_250_000, currency: 'NGN' };
const order: ShopResponse = { status: 200, body: { orderId: '1001', amount } };
const taken: ShopResponse = { status: 204 };

/** A sandbox, a shop and the process between them. */
async function start(
  respond: (request: ShopRequest) => ShopResponse = ({ path }) => (path === '/order' ? order : taken),
) {
  const folder = await mkdtemp(join(tmpdir(), 'serve-'));
  const sandbox = await startSandboxServer({ port: 0 });
  const shop = await startShop((request) => respond(request));
  const port = await freePort();
  const lines: Record<string, unknown>[] = [];
  const settings = readSettings({
    PAYMENTS_URL: sandbox.url,
    PAYMENTS_API_KEY: sandboxCredentials.apiKey,
    PAYMENTS_API_SECRET: sandboxCredentials.apiSecret,
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    PORT: `${port}`,
    DATABASE_URL: `file:${join(folder, 'checkout.db')}`,
    CLIENT_SECRET_KEYS: 'a-client-secret-key-of-thirty-two',
    ORDER_URL: `${shop.url}/order`,
    WEBHOOK_URL: `${shop.url}/webhook`,
    WEBHOOK_SECRET: secret,
    OPERATOR_KEY: 'an-operator-key-of-thirty-two-xx',
    LOG_LEVEL: 'info',
  });
  const run = () =>
    startServe(settings, {
      fetch: globalThis.fetch,
      now: Date.now,
      print: (line) => void lines.push(JSON.parse(line)),
    });
  let serve = await run();
  onTestFinished(async () => {
    await serve.close();
    await shop.close();
    await sandbox.close();
  });
  const open = (headers: Record<string, string> = {}) =>
    fetch(`${serve.url}/checkout/sessions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: 'cart=7', ...headers },
      body: '{"book":3}',
    });
  return {
    shop,
    lines,
    sandbox: sandbox.sandbox,
    open,
    get url() {
      return serve.url;
    },
    /** Opens the payment, and pays it. */
    async pay(value = amount.value) {
      const { account } = (await (await open()).json()) as { account: { number: string } };
      sandbox.sandbox.control.transfer({ accountNumber: account.number, amount: value });
    },
    async restart() {
      await serve.close();
      serve = await run();
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
    expect(lines).toContainEqual(expect.objectContaining({ level: 'error', type: 'requestFailed' }));
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
    const { pay, webhooks, restart } = await start(({ path }) =>
      path === '/order' ? order : { status: isUp ? 204 : 503 },
    );
    await pay();
    await expect.poll(() => webhooks().length, { timeout: 15_000 }).toBeGreaterThan(0);
    isUp = true;
    await restart();
    const before = webhooks().length;
    await expect.poll(() => webhooks().length, { timeout: 15_000 }).toBeGreaterThan(before);
  });

  it('pauses after 410, and says so', async () => {
    const { pay, webhooks, lines } = await start(({ path }) => (path === '/order' ? order : { status: 410 }));
    await pay();
    const paused = expect.stringMatching(/410.*paused for an hour/);
    await expect
      .poll(() => lines.filter(({ type }) => type === 'handlerFailed').length, { timeout: 15_000 })
      .toBeGreaterThan(1);
    expect(lines.at(-1)).toMatchObject({ error: { message: paused } });
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
