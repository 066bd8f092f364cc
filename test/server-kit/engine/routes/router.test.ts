import { describe, expect, it } from 'vitest';
import { openedShop } from '../../kit/opened-shop.ts';
import { codeOf, down, hanging, readSession, readView } from '../../kit/wire-faults.ts';
import { createWiredShop, order, shopUrl } from '../../kit/wired-shop.ts';

const typed = (type: string) => ({ 'content-type': type });

describe('POST {base}/sessions', () => {
  it.each<[string, Record<string, string>, BodyInit, number, string, RegExp?]>([
    ['another media type', typed('text/plain'), '{}', 415, 'unsupported_media_type'],
    ['a form', typed('application/x-www-form-urlencoded'), 'a=1', 415, 'unsupported_media_type'],
    ['no media type', typed(''), '{}', 415, 'unsupported_media_type'],
    ['a body that is not JSON', {}, '{"order":', 400, 'invalid_request', /not JSON/],
    ['an empty body', {}, '', 400, 'invalid_request', /empty.*body parser/],
    ['a body that is not UTF-8', {}, new Uint8Array([0x22, 0xff, 0x22]), 400, 'invalid_request'],
    ['a body that ends within a character', {}, new Uint8Array([0x22, 0xf0, 0x9f]), 400, 'invalid_request'],
    ['a body of 65,537 bytes', {}, `"${'x'.repeat(65_535)}"`, 413, 'payload_too_large'],
    ['a body of fewer characters', {}, `"${'ẹ'.repeat(30_000)}"`, 413, 'payload_too_large'],
    ['another site’s page', { origin: 'https://evil.example' }, '{}', 403, 'origin_not_allowed'],
    ['a page without origin', { origin: 'null' }, '{}', 403, 'origin_not_allowed'],
    ['a later contract', { 'checkout-contract': '2' }, '{}', 400, 'contract_unsupported'],
    ['a contract that is no number', { 'checkout-contract': 'one' }, '{}', 400, 'contract_unsupported'],
  ])('refuses %s', async (_name, headers, body, status, code, detail = /\w+ \w+/) => {
    const { post, wire } = createWiredShop();
    const response = await post(headers, body);
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(response.headers.get('cache-control')).toBe('private, no-store');
    expect(await response.json()).toMatchObject({ status, code, detail: expect.stringMatching(detail) });
    expect(wire.calls).toEqual([]);
  });

  it.each<[string, Record<string, string>, string?]>([
    ['the shop’s own origin', { origin: shopUrl }],
    ['the origin of the host that was asked, behind a TLS proxy', { origin: 'http://shop.example' }],
    ['a media type with a charset', { 'content-type': 'Application/JSON; charset=utf-8' }],
    ['a media type with a space before it', { 'content-type': 'application/json ; charset=utf-8' }],
    ['a body of 65,536 bytes', {}, `"${'x'.repeat(65_534)}"`],
  ])('accepts %s', async (_name, headers, body) => {
    expect((await createWiredShop().post(headers, body)).status).toBe(201);
  });

  it('returns the service’s clock, the next poll and the ETag of the view, so that the first GET can be a 304', async () => {
    const { post, get, clock } = createWiredShop();
    const { headers } = await post();
    expect(Object.fromEntries(headers)).toMatchObject({
      'checkout-service-time': String(clock.now()),
      'checkout-next-poll-ms': '2000',
      etag: expect.stringMatching(/^"[0-9a-f]{32}"$/),
      'cache-control': 'private, no-store',
      'content-type': 'application/json',
    });
    clock.advance(5000);
    const reload = await post();
    const known = { 'if-none-match': reload.headers.get('etag') ?? '' };
    expect((await get(await readSession(reload), known)).status).toBe(304);
  });
});

it.each([
  ['http://10.0.0.7:3000', shopUrl, 201],
  ['http://localhost:3000', 'http://localhost:3000', 201],
  ['http://localhost:3000', 'http://localhost:3001', 403],
  ['http://10.0.0.7:3000', 'http://shop.example', 403],
  ['http://10.0.0.7:3000', 'https://shop.example.evil.example', 403],
  ['http://10.0.0.7:3000', '', 403],
])('behind a proxy, a request to %s from a page of "%s" gets %i', async (url, origin, status) => {
  const init = { method: 'POST', headers: { ...typed('application/json'), origin }, body: '{}' };
  const response = await createWiredShop().checkout.handler(new Request(`${url}/checkout/sessions`, init));
  expect(response.status).toBe(status);
  if (status === 403) expect(await codeOf(response)).toBe('origin_not_allowed');
});

it.each([
  ['GET', '/checkout', 404, 'not_found', null],
  ['GET', '/checkout/payments/x', 404, 'not_found', null],
  ['GET', '/checkout/sessions', 405, 'method_not_allowed', 'POST'],
  ['DELETE', '/checkout/sessions/tc_1', 405, 'method_not_allowed', 'GET'],
])('an unknown route gets $2 for %s %s', async (method, path, status, code, allow) => {
  const response = await createWiredShop().checkout.handler(new Request(shopUrl + path, { method }));
  expect([response.status, response.headers.get('allow')]).toEqual([status, allow]);
  expect(await codeOf(response)).toBe(code);
});

/** The secret as a shopper would have it who wants it to last longer. */
const laterEnd = (secret: string): string =>
  secret.replace(/(?<=^cs_test_)[0-9a-z]+/, (end) => (Number.parseInt(end, 36) + 3600).toString(36));

describe('GET {base}/sessions/{reference}', () => {
  it('gives the view without the secret, and nothing else', async () => {
    const { session, first } = await openedShop();
    const { clientSecret, ...view } = session;
    const text = await first.text();
    expect([first.status, JSON.parse(text)]).toEqual([200, { ...view, status: 'awaiting_charge' }]);
    expect(text).not.toMatch(/accessToken|customer|metadata|fee|cs_test/);
  });

  it('is refused with 401, in the same words, without the right secret', async () => {
    const { session, get, clock } = await openedShop();
    const { clientSecret } = session;
    const foreign = createWiredShop({ getOrder: () => ({ ...order, orderId: 'order-2' }) });
    const wrong = [
      { clientSecret: `cs_test_zzzzzz_${'0'.repeat(64)}` },
      { clientSecret: (await foreign.open()).clientSecret },
      { clientSecret: clientSecret.replace('cs_test', 'cs_live') },
      { clientSecret: laterEnd(clientSecret) },
      { reference: 'tc_doesnotexist' },
      { reference: '%ff' },
    ];
    const responses = await Promise.all(wrong.map((change) => get({ ...session, ...change })));
    for (const { status, headers } of responses)
      expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    const bodies = new Set(await Promise.all(responses.map((response) => response.text())));
    expect([...bodies]).toEqual([expect.stringContaining('client secret')]);
    clock.advance(38 * 24 * 3_600_000);
    expect((await get(session)).status).toBe(401);
  });

  it('is refused without a secret, and the log says once a minute which header to look for', async () => {
    const { session, get, clock, log } = await openedShop();
    const read = () => get({ ...session, clientSecret: '' });
    const detail = expect.stringContaining('Checkout-Secret did not arrive');
    expect(await (await read()).json()).toMatchObject({ code: 'session_unauthorized', detail });
    await read();
    const missing = () => log.filter(({ type }) => type === 'secretMissing');
    const message = expect.stringMatching(/Checkout-Secret did not arrive. A proxy may remove it/);
    expect(missing()).toEqual([{ level: 'warn', type: 'secretMissing', message }]);
    clock.advance(60_000);
    await read();
    expect(missing()).toHaveLength(2);
  });
});

describe('the ETag', () => {
  it('gives 304 without a body at once when nothing has changed, and no wait is preferred', async () => {
    const { get, session, etag, clock } = await openedShop();
    const response = await get(session, { 'if-none-match': etag });
    expect([response.status, await response.text()]).toEqual([304, '']);
    const headers = Object.fromEntries(response.headers);
    const time = String(clock.now());
    expect(headers).toMatchObject({ etag, 'checkout-service-time': time, 'checkout-next-poll-ms': '2000' });
    expect(headers).not.toHaveProperty('content-type');
  });

  // Proxies that compress change it.
  it.each(['W/"ETAG"', '"other", "ETAG"', '"ETAG-gzip"', 'W/"ETAG--gzip", "other"', '"ETAG;br"', '*'])(
    'is compared in this form: %s',
    async (form) => {
      const { get, session, etag, clock } = await openedShop();
      clock.advance(60_000);
      const known = form.replace('"ETAG', etag.slice(0, -1));
      expect((await get(session, { 'if-none-match': known })).status).toBe(304);
    },
  );
});

it('while the service is down a reload gets the account, and a page that has it the error, until the next verification', async () => {
  const { get, session, etag, clock, wire } = await openedShop();
  const reload = () => get(session, { 'if-none-match': etag });
  wire.intercept = down;
  clock.advance(5000);
  const { account, expiresAt } = session;
  expect(await readView(get(session))).toMatchObject({ account, expiresAt });
  const response = await reload();
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '3']);
  expect(await codeOf(response)).toBe('service_unavailable');
  wire.intercept = undefined;
  clock.advance(1999);
  expect((await reload()).status).toBe(503);
  clock.advance(1);
  expect((await reload()).status).toBe(304);
});

it('a service that never responds delays a reload by four seconds only', async () => {
  const { get, session, clock, wire } = await openedShop();
  wire.intercept = hanging;
  clock.advance(5000);
  const response = get(session);
  await clock.untilWaiting(4000);
  clock.advance(4000);
  expect((await response).status).toBe(200);
});
