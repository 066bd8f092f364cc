import { createHash } from 'node:crypto';
import express from 'express';
import { describe, expect, it } from 'vitest';
import { toNodeListener } from '../../../../server-kit/client/http/node.ts';
import {
  CheckoutError,
  createStatusPage,
  type OutcomeEvent,
  type StatusPageOptions,
} from '../../../../server-kit/index.ts';
import { sandboxCredentials } from '../../../../server-kit/tools/sandbox/index.ts';
import { createTestShop } from '../../../../server-kit/tools/testing/index.ts';
import { serve } from '../../kit/serve.ts';

const address = 'https://shop.example/status';
const operator = { cookie: 'login=operator' };
const ownForm = { ...operator, 'sec-fetch-site': 'same-origin' };

/** A shop with one dead letter, and its page. */
async function createPage(more: Partial<StatusPageOptions> = {}, failure = 'no stock') {
  let isMended = false;
  const paid: string[] = [];
  const onPaid = ({ order }: OutcomeEvent): void => {
    if (!isMended) throw new Error(failure);
    paid.push(order.orderId);
  };
  const shop = createTestShop({ onPaid, maxHandlerTries: 1 });
  const session = await shop.open();
  await shop.pay(session);
  const { handler, respond } = createStatusPage({
    checkout: shop.checkout,
    authorize: ({ headers }) => headers.get('cookie') === operator.cookie,
    ...more,
  });
  const get = (headers: HeadersInit = operator, query = '') =>
    handler(new Request(`${address}${query}`, { headers }));
  const post = (headers: HeadersInit, body = 'key=order-1%3Apaid') =>
    handler(new Request(address, { method: 'POST', headers, body }));
  const mend = (): void => {
    isMended = true;
  };
  return { ...shop, session, handler, respond, get, post, mend, paid };
}

/** The value beside a name on the page. */
const shownAs = (html: string, name: string): string | undefined =>
  new RegExp(`<dt[^>]*>${name}</dt><dd[^>]*>(?:<bdi>)?([^<]*)`).exec(html)?.[1];

describe('the status page', () => {
  it('shows the counts, the ages and the dead letters', async () => {
    const { open, clock, get } = await createPage();
    const { reference } = await open({ orderId: 'order-2' });
    clock.advance(185 * 60_000);
    const response = await get();
    const html = await response.text();
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ]);
    expect(shownAs(html, 'paid orders')).toBe('1');
    expect(shownAs(html, 'dead letters')).toBe('1');
    expect(shownAs(html, 'oldest unpaid payment')).toBe('3 h 5 min');
    expect(shownAs(html, 'its order')).toBe('order-2');
    expect(shownAs(html, 'its reference')).toBe(reference);
    expect(shownAs(html, 'failure')).toBe('no stock');
    expect(html).toContain(
      '<button type="submit" name="key" value="order-1:paid" aria-label="Retry order-1:paid">',
    );
  });

  it('runs no scripts, is not cached, and cannot be framed', async () => {
    const response = await (await createPage()).get();
    const { headers } = response;
    const html = await response.text();
    expect(html).not.toMatch(/<script|style=/);
    const [, styles = ''] = /<style>([^<]*)</.exec(html) ?? [];
    const hash = createHash('sha256').update(styles).digest('base64');
    expect(headers.get('content-security-policy')).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    );
    expect(headers.get('cache-control')).toBe('private, no-store');
    expect(headers.get('referrer-policy')).toBe('same-origin');
  });

  it('contains no secret', async () => {
    const { session, payments, get } = await createPage();
    const { accessToken } = await payments.payments.verify(session.reference);
    const html = await (await get()).text();
    const { apiKey, apiSecret } = sandboxCredentials;
    const secrets = [session.clientSecret, accessToken, apiKey, apiSecret];
    expect(secrets.filter((secret) => !secret || html.includes(secret))).toEqual([]);
  });

  it('lists the oldest hundred dead letters, and says how many there are', async () => {
    const { checkout } = await createPage();
    const [deadLetter] = await checkout.deadLetters.list();
    const list = async () =>
      Array.from({ length: 101 }, (_, n) => ({ ...deadLetter, key: `order-${n}:paid` }));
    const { handler } = createStatusPage({
      checkout: { ...checkout, deadLetters: { ...checkout.deadLetters, list: list as never } },
      authorize: () => true,
    });
    const html = await (await handler(new Request(address))).text();
    expect(html).toContain('<p>The oldest 100 of 101.</p>');
    expect(html.match(/value="[^"]+"/g)?.at(-1)).toBe('value="order-99:paid"');
  });

  it('escapes hostile text in elements and attributes', async () => {
    const hostile = `</dd><script>alert(1)</script>"'&`;
    const { get, post } = await createPage({}, hostile);
    const pages = [await get(), await post(ownForm, new URLSearchParams({ key: hostile }).toString())];
    for (const response of pages) {
      const html = await response.text();
      expect(html).not.toContain('<script');
      expect(html).toContain(`&lt;/dd>&lt;script>alert(1)&lt;/script>&quot;'&amp;`);
    }
  });

  it('escapes a hostile order id in its button', async () => {
    const shop = createTestShop({
      onPaid: () => Promise.reject(new Error('no')),
      maxHandlerTries: 1,
    });
    await shop.pay(await shop.open({ orderId: `1" autofocus onfocus="alert(1)` }));
    const { handler } = createStatusPage({ checkout: shop.checkout, authorize: () => true });
    const html = await (await handler(new Request(address))).text();
    expect(html).toContain('value="1&quot; autofocus onfocus=&quot;alert(1):paid"');
  });
});

describe('a retry on the status page', () => {
  const { checkout } = createTestShop();

  it.each([
    ['its own form', ownForm],
    ['a browser without Fetch Metadata', { ...operator, origin: 'https://shop.example' }],
  ])('calls the handler and redirects to the page, from %s', async (_name, headers) => {
    const { post, get, mend, checkout, paid } = await createPage();
    mend();
    const response = await post(headers);
    expect([response.status, response.headers.get('location')]).toEqual([303, '?retried']);
    await checkout.settled();
    expect(paid).toEqual(['order-1']);
    const html = await (await get(operator, '?retried')).text();
    expect(html).toContain('<p role="status">Retried');
    expect(html).toContain('<p>There are none.</p>');
  });

  it.each([
    ['another site', { ...operator, 'sec-fetch-site': 'cross-site', origin: 'https://shop.example' }],
    ['another site of the same domain', { ...operator, 'sec-fetch-site': 'same-site' }],
    ['an address that was typed', { ...operator, 'sec-fetch-site': 'none' }],
    ['another origin', { ...operator, origin: 'https://evil.example' }],
    ['a page without an origin', { ...operator, origin: 'null' }],
    ['a request that names neither', operator],
  ])('is refused from %s', async (_name, headers) => {
    const { post, mend, checkout, paid } = await createPage();
    mend();
    expect((await post(headers)).status).toBe(403);
    await checkout.settled();
    expect(paid).toEqual([]);
  });

  it('responds 404 with the page to an unknown dead letter', async () => {
    const response = await (await createPage()).post(ownForm, 'key=order-9%3Apaid');
    expect(response.status).toBe(404);
    expect(await response.text()).toContain('There is no dead letter order-9:paid');
  });

  it.each(['key=', '', '{"key":"order-1:paid"}'])('refuses the body “%s”', async (body) => {
    expect((await (await createPage()).post(ownForm, body)).status).toBe(400);
  });

  it('says what is wrong behind a body parser, which leaves no body', async () => {
    const { respond, paid, mend } = await createPage();
    mend();
    const app = express().use(express.urlencoded()).use('/admin/status', toNodeListener({ respond }));
    const { url } = await serve(app);
    const body = new URLSearchParams({ key: 'order-1:paid' });
    const response = await fetch(`${url}/admin/status`, { method: 'POST', headers: ownForm, body });
    expect([response.status, paid]).toEqual([400, []]);
    expect(await response.text()).toContain('before any body parser');
  });

  it('refuses a body that is too large', async () => {
    expect((await (await createPage()).post(ownForm, 'k'.repeat(70_000))).status).toBe(413);
  });

  it('times out on a body that does not arrive', async () => {
    const waits: number[] = [];
    const wait = async (ms: number): Promise<void> => void waits.push(ms);
    const { handler } = await createPage({ wait });
    const body = new ReadableStream();
    const request = new Request(address, {
      method: 'POST',
      headers: ownForm,
      body,
      duplex: 'half',
    } as RequestInit);
    const response = await handler(request);
    expect([response.status, await response.text()]).toEqual([
      400,
      'The body did not arrive within 15 seconds.\n',
    ]);
    expect(waits).toEqual([15_000]);
  });

  it('responds 503 when the store fails, and reports the error', async () => {
    const errors: unknown[] = [];
    const retry = (): Promise<never> => Promise.reject(new Error('no database'));
    const { post } = await createPage({
      checkout: { ...checkout, deadLetters: { ...checkout.deadLetters, retry } },
      onError: (error) => errors.push(error),
    });
    expect([(await post(ownForm)).status, errors]).toEqual([503, [new Error('no database')]]);
  });
});

describe('createStatusPage', () => {
  const { checkout } = createTestShop();

  it.each([
    ['no authorize', { checkout }],
    ['an authorize that is not a function', { checkout, authorize: true }],
    ['no checkout', { authorize: () => true }],
    ['nothing', undefined],
  ])('refuses to start with %s', (_name, options) => {
    expect(() => createStatusPage(options as never)).toThrow(CheckoutError);
  });

  it.each([
    ['false', () => false],
    ['a promise of false', async () => false],
    ['anything else than true', () => ({ name: 'Ada' }) as never],
  ])('refuses callers for whom authorize returns %s, before it reads anything', async (_name, authorize) => {
    const { get, post } = await createPage({
      authorize,
      checkout: { ...checkout, status: () => Promise.reject(new Error('was read')) },
    });
    const response = await get();
    expect([response.status, await response.text()]).toEqual([
      403,
      'You may not see this page; log in first.\n',
    ]);
    expect((await post(ownForm)).status).toBe(403);
  });

  it.each([
    ['authorize', { authorize: () => Promise.reject(new Error('no session store')) }],
    ['the store', { checkout: { ...checkout, status: () => Promise.reject(new Error('no session store')) } }],
  ])('responds 503 without details when %s fails, and reports the error', async (_name, more) => {
    const errors: unknown[] = [];
    const { get } = await createPage({ ...more, onError: (error) => errors.push(error) });
    const response = await get();
    expect([response.status, await response.text()]).toEqual([503, 'The status cannot be read right now.\n']);
    expect(errors).toEqual([new Error('no session store')]);
  });

  it('accepts only GET, HEAD and POST', async () => {
    const { handler } = await createPage();
    const send = (method: string) => handler(new Request(address, { method, headers: operator }));
    expect((await send('HEAD')).status).toBe(200);
    const refused = await send('DELETE');
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
  });

  it('is served by node:http', async () => {
    const { respond } = await createPage();
    const { url } = await serve(toNodeListener({ respond }));
    expect((await fetch(`${url}/admin/status`)).status).toBe(403);
    const html = await (await fetch(`${url}/admin/status`, { headers: operator })).text();
    expect(shownAs(html, 'paid orders')).toBe('1');
  });
});
