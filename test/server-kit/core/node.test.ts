import { request as sendRequest } from 'node:http';
import { describe, expect, it } from 'vitest';
import { fetchToNodeListener, toNodeListener } from '../../../server-kit/node.ts';
import { CheckoutError, type Session } from '../../../src/contract/index.ts';
import { serve } from '../kit/serve.ts';
import { createWiredShop } from '../kit/wired-shop.ts';

const json = { 'content-type': 'application/json', 'checkout-contract': '1' };

describe('toNodeListener', () => {
  it('serves the checkout over a real connection', async () => {
    const { checkout } = createWiredShop();
    const { url } = await serve(toNodeListener(checkout));
    const created = await fetch(`${url}/checkout/sessions`, { method: 'POST', headers: json, body: '{}' });
    expect(created.status).toBe(201);
    const { reference, clientSecret } = (await created.json()) as Session;
    const read = await fetch(`${url}/checkout/sessions/${reference}`, {
      headers: { 'checkout-secret': clientSecret },
    });
    expect(read.status).toBe(200);
    const again = await fetch(`${url}/checkout/sessions/${reference}`, {
      headers: { 'checkout-secret': clientSecret, 'if-none-match': read.headers.get('etag') ?? '' },
    });
    expect(again.status).toBe(304);
  });

  it('sends the Content-Length in bytes', async () => {
    const { checkout, sandbox } = createWiredShop({
      getOrder: () => {
        throw new CheckoutError('forbidden', 'Your cart — gone.');
      },
    });
    const { url } = await serve(toNodeListener(checkout));
    const refused = await fetch(`${url}/checkout/sessions`, { method: 'POST', headers: json, body: '{}' });
    expect(refused.headers.get('transfer-encoding')).toBeNull();
    const body = await refused.text();
    expect(JSON.parse(body)).toMatchObject({ detail: 'Your cart — gone.' });
    expect(refused.headers.get('content-length')).toBe(String(Buffer.byteLength(body)));
    const service = await serve(fetchToNodeListener(sandbox.fetch));
    const list = await fetch(`${service.url}/_sandbox/payments`);
    expect(list.headers.get('transfer-encoding')).toBeNull();
    expect(list.headers.get('content-length')).toBe(String((await list.arrayBuffer()).byteLength));
  });

  it('works below a path that a framework strips, and passes all headers to getOrder', async () => {
    let cookies: string | null = null;
    const { checkout } = createWiredShop({
      getOrder: ({ headers }) => {
        cookies = headers.get('cookie');
        return { orderId: 'o', amount: { value: 100, currency: 'NGN' } };
      },
    });
    const listener = toNodeListener(checkout);
    const { url } = await serve((request, response) => {
      request.url = request.url?.replace('/pay', '') ?? '/';
      listener(request, response);
    });
    const headers = { ...json, cookie: 'a=1; b=2', origin: url };
    expect((await fetch(`${url}/pay/sessions`, { method: 'POST', headers, body: '{}' })).status).toBe(201);
    expect(cookies).toBe('a=1; b=2');
  });

  it.each(['http://127.0.0.1:1', 'null', ''])('refuses a page of "%s"', async (origin) => {
    const { url } = await serve(toNodeListener(createWiredShop().checkout));
    const headers = { ...json, origin };
    expect((await fetch(`${url}/checkout/sessions`, { method: 'POST', headers, body: '{}' })).status).toBe(
      403,
    );
  });

  it('responds to a body that is too large, and keeps serving', async () => {
    const { url } = await serve(toNodeListener(createWiredShop().checkout));
    const large = await fetch(`${url}/checkout/sessions`, {
      method: 'POST',
      headers: json,
      body: `"${'x'.repeat(2_000_000)}"`,
    });
    expect(large.status).toBe(413);
    expect(
      (await fetch(`${url}/checkout/sessions`, { method: 'POST', headers: json, body: '{}' })).status,
    ).toBe(201);
  });

  it.each(['*', '//', 'http://[', '/%'])(
    'responds to the request target "%s", and keeps serving',
    async (path) => {
      const { port } = await serve(toNodeListener(createWiredShop().checkout));
      const status = await new Promise((resolve, reject) => {
        const request = sendRequest({ host: '127.0.0.1', port, path, method: 'OPTIONS' }, (response) => {
          response.resume();
          resolve(response.statusCode);
        });
        request.on('error', reject).end();
      });
      expect(status).toBe(404);
    },
  );

  it('stops waiting when the browser disconnects', async () => {
    const { checkout, clock, open } = createWiredShop();
    const { url } = await serve(toNodeListener(checkout));
    const { reference, clientSecret } = await open();
    clock.advance(5000);
    const headers = { 'checkout-secret': clientSecret };
    const address = `${url}/checkout/sessions/${reference}`;
    const etag = (await fetch(address, { headers })).headers.get('etag') ?? '';
    const gone = new AbortController();
    const held = fetch(address, {
      headers: { ...headers, 'if-none-match': etag, prefer: 'wait=25' },
      signal: gone.signal,
    });
    await clock.untilWaiting(2000);
    gone.abort();
    await expect(held).rejects.toThrow();
    await expect.poll(() => clock.pending()).toBe(0);
  });
});
