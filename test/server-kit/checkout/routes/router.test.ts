import { describe, expect, it } from 'vitest';
import { createWiredShop, keys, order, shopUrl } from '../../kit/wired-shop.ts';

const fiveSeconds = 5000;

/** A shop with a session, and the ETag of its settled first view. */
async function openedShop(...options: Parameters<typeof createWiredShop>) {
  const shop = createWiredShop(...options);
  const session = await shop.open();
  shop.clock.advance(fiveSeconds);
  const first = await shop.get(session);
  const etag = first.headers.get('etag') ?? '';
  const verifyPath = `/v1/payments/${session.reference}/verify`;
  const pay = () =>
    shop.sandbox.control.transfer({ accountNumber: session.account.number, amount: order.amount.value });
  const verifications = () => shop.wire.calls.filter((path) => path === verifyPath).length;
  return { ...shop, session, first, etag, verifyPath, pay, verifications };
}

describe('POST {base}/sessions', () => {
  it.each([
    ['another media type', { 'content-type': 'text/plain' }, '{}', 415, 'unsupported_media_type'],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 'a=1', 415, 'unsupported_media_type'],
    ['a body that is not JSON', {}, '{"order":', 400, 'invalid_request'],
    ['an empty body', {}, '', 400, 'invalid_request'],
    ['a body that is not UTF-8', {}, new Uint8Array([0x22, 0xff, 0x22]), 400, 'invalid_request'],
    ['a body of 65 kB', {}, JSON.stringify('x'.repeat(66_000)), 413, 'payload_too_large'],
    ['another site’s page', { origin: 'https://evil.example' }, '{}', 403, 'origin_not_allowed'],
    ['a page without origin', { origin: 'null' }, '{}', 403, 'origin_not_allowed'],
    ['a later contract', { 'checkout-contract': '2' }, '{}', 400, 'contract_unsupported'],
    ['a contract that is no number', { 'checkout-contract': 'one' }, '{}', 400, 'contract_unsupported'],
  ])('refuses %s', async (_name, headers, body, status, code) => {
    const { post, wire } = createWiredShop();
    const response = await post(headers as Record<string, string>, body);
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(response.headers.get('cache-control')).toBe('private, no-store');
    expect(await response.json()).toMatchObject({ status, code, detail: expect.stringMatching(/\w+ \w+/) });
    expect(wire.calls).toEqual([]);
  });

  it.each([
    ['the shop’s own origin', { origin: shopUrl }],
    [
      'the origin of the host that was asked, where a TLS proxy stands before it',
      { origin: 'http://shop.example' },
    ],
    ['a media type with a charset', { 'content-type': 'Application/JSON; charset=utf-8' }],
    ['a media type with a space before its charset', { 'content-type': 'application/json ; charset=utf-8' }],
  ])('accepts %s', async (_name, headers) => {
    expect((await createWiredShop().post(headers as Record<string, string>)).status).toBe(201);
  });

  it.each(['/sessions', '/checkout/sessions', '/shop/ng/pay/sessions/', '/api/checkout/v2/sessions'])(
    'is found at %s',
    async (path) => {
      expect((await createWiredShop().post({}, '{}', path)).status).toBe(201);
    },
  );

  it('refuses a body without a media type', async () => {
    const body = new TextEncoder().encode('{}');
    const { checkout } = createWiredShop();
    const response = await checkout.handler(
      new Request(`${shopUrl}/checkout/sessions`, { method: 'POST', body }),
    );
    expect(response.status).toBe(415);
  });

  it.each([
    ['', /empty.*body parser/],
    ['{"order":', /not JSON/],
  ])('says why it refuses the body "%s"', async (body, detail) => {
    expect(await (await createWiredShop().post({}, body)).json()).toMatchObject({
      detail: expect.stringMatching(detail),
    });
  });

  it('names createPayment in the log when that returns no order', async () => {
    const { post, errors } = createWiredShop({ createPayment: () => ({ ...order, orderId: '' }) });
    expect((await post()).status).toBe(500);
    expect(errors).toMatchObject([{ message: expect.stringMatching(/createPayment.*orderId/) }]);
  });

  it('returns the service’s clock, the ETag and the next poll', async () => {
    const { headers } = await createWiredShop().post();
    expect(Number(headers.get('checkout-service-time'))).toBe(Date.UTC(2026, 2, 1, 12));
    expect(headers.get('checkout-next-poll-ms')).toBe('2000');
    expect(headers.get('etag')).toMatch(/^"[0-9a-f]{32}"$/);
    expect(headers.get('cache-control')).toBe('private, no-store');
    expect(headers.get('content-type')).toBe('application/json');
  });
});

describe('an unknown route', () => {
  it.each([
    ['GET', '/checkout', 404, 'not_found'],
    ['GET', '/checkout/payments/x', 404, 'not_found'],
    ['GET', '/checkout/sessions', 405, 'method_not_allowed'],
    ['DELETE', '/checkout/sessions/tc_1', 405, 'method_not_allowed'],
  ])('%s %s gets %i', async (method, path, status, code) => {
    const response = await createWiredShop().checkout.handler(new Request(shopUrl + path, { method }));
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ code });
    if (status === 405) expect(response.headers.get('allow')).toMatch(/^(GET|POST)$/);
  });
});

/** The secret as a shopper would have it who wants it to last longer. */
const laterEnd = (secret: string): string =>
  secret.replace(/(?<=^cs_test_)[0-9a-z]+/, (end) => (Number.parseInt(end, 36) + 3600).toString(36));

describe('GET {base}/sessions/{reference}', () => {
  it('gives the view without the secret, and nothing else', async () => {
    const { session, first } = await openedShop();
    const { clientSecret, ...view } = session;
    expect(first.status).toBe(200);
    const text = await first.text();
    expect(JSON.parse(text)).toEqual({ ...view, status: 'awaiting_charge' });
    expect(text).not.toMatch(/accessToken|customer|metadata|fee|cs_test/);
    expect(text).not.toContain(clientSecret);
  });

  it('is refused with 401, in the same words, without the right secret', async () => {
    const { session, get, clock } = await openedShop();
    const other = createWiredShop({ createPayment: () => ({ ...order, orderId: 'order-2' }) });
    const foreign = await other.open();
    const wrong: [string, { reference: string; clientSecret: string }][] = [
      ['no secret', { ...session, clientSecret: '' }],
      ['a made-up secret', { ...session, clientSecret: `cs_test_zzzzzz_${'0'.repeat(64)}` }],
      ['another payment’s secret', { ...session, clientSecret: foreign.clientSecret }],
      [
        'the secret in live mode',
        { ...session, clientSecret: session.clientSecret.replace('cs_test', 'cs_live') },
      ],
      ['the secret with a later end', { ...session, clientSecret: laterEnd(session.clientSecret) }],
      ['a reference that does not exist', { ...session, reference: 'tc_doesnotexist' }],
      ['a reference that is no text', { ...session, reference: '%ff' }],
    ];
    const bodies = new Set<string>();
    for (const [, one] of wrong) {
      const response = await get(one);
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toBe('Bearer');
      bodies.add(await response.text());
    }
    expect(bodies.size).toBe(1);
    expect([...bodies][0]).toContain('client secret');
    clock.advance(38 * 24 * 3_600_000);
    expect((await get(session)).status).toBe(401);
  });

  it('is refused with 401 for a right secret of a payment that this store never had', async () => {
    const { session } = await openedShop();
    expect((await createWiredShop().get(session)).status).toBe(401);
  });

  it('accepts a secret that was signed with a key rotated out of first place', async () => {
    const { session, store } = await openedShop();
    const rotated = createWiredShop({
      store,
      clientSecretKeys: ['a-new-first-key-of-32-characters-!', ...keys],
    });
    expect((await rotated.get(session)).status).toBe(200);
    expect((await rotated.open()).clientSecret).not.toBe(session.clientSecret);
    const removed = createWiredShop({ store, clientSecretKeys: ['a-new-first-key-of-32-characters-!'] });
    expect((await removed.get(session)).status).toBe(401);
  });
});

describe('the ETag', () => {
  it('gives 304 without a body at once when nothing has changed, and no wait is preferred', async () => {
    const { get, session, etag } = await openedShop();
    const response = await get(session, { 'if-none-match': etag });
    expect(response.status).toBe(304);
    expect(await response.text()).toBe('');
    expect(response.headers.get('content-type')).toBeNull();
    expect(response.headers.get('etag')).toBe(etag);
    expect(response.headers.get('checkout-service-time')).toBe(
      String(Date.UTC(2026, 2, 1, 12) + fiveSeconds),
    );
    expect(response.headers.get('checkout-next-poll-ms')).toBe('2000');
  });

  it.each([(etag: string) => `W/${etag}`, (etag: string) => `"other", ${etag}`, () => '*'])(
    'is compared as RFC 9110 says, form %#',
    async (form) => {
      const { get, session, etag } = await openedShop();
      expect((await get(session, { 'if-none-match': form(etag) })).status).toBe(304);
    },
  );

  it('leaves time out: a minute later it is the same', async () => {
    const { get, session, etag, clock } = await openedShop();
    clock.advance(60_000);
    expect((await get(session)).headers.get('etag')).toBe(etag);
  });
});

describe('a held response', () => {
  const held = (etag: string) => ({ 'if-none-match': etag, prefer: 'wait=25' });

  it('comes as soon as the view differs', async () => {
    const { get, session, etag, clock, pay } = await openedShop();
    const pending = get(session, held(etag));
    await clock.untilWaiting(2000);
    pay();
    clock.advance(2000);
    const response = await pending;
    expect(response.status).toBe(200);
    expect(response.headers.get('preference-applied')).toBe('wait');
    expect(await response.json()).toMatchObject({ outcome: 'paid', chargedAmount: order.amount.value });
    expect(clock.pending()).toBe(0);
  });

  it('is 304 when the wait is over, and the browser may come back at once', async () => {
    const { get, session, etag, clock } = await openedShop();
    const pending = get(session, held(etag));
    await clock.untilWaiting(2000);
    clock.advance(25_000);
    const response = await pending;
    expect(response.status).toBe(304);
    expect(response.headers.get('checkout-next-poll-ms')).toBe('0');
    expect(clock.pending()).toBe(0);
  });

  it('is not held without If-None-Match, because the browser has nothing yet', async () => {
    const { get, session } = await openedShop();
    const { status, headers } = await get(session, { prefer: 'wait=25' });
    expect([status, headers.get('preference-applied')]).toEqual([200, null]);
    expect(headers.get('checkout-next-poll-ms')).toBe('2000');
  });

  it.each(['wait=99999', 'respond-async, wait=30', 'Wait = "60"'])(
    'is held no longer than 25 s for "%s"',
    async (prefer) => {
      const { get, session, etag, clock } = await openedShop();
      const response = get(session, { 'if-none-match': etag, prefer });
      await clock.untilWaiting(25_000);
      clock.advance(25_000);
      expect((await response).status).toBe(304);
    },
  );

  it('leaves nothing behind when the browser goes', async () => {
    const { get, session, etag, clock, errors } = await openedShop();
    const gone = new AbortController();
    const response = get(session, held(etag), gone.signal);
    await clock.untilWaiting(2000);
    gone.abort();
    await response;
    expect(clock.pending()).toBe(0);
    expect(errors).toEqual([]);
  });

  it('costs one verification at a time, however many wait', async () => {
    const { get, session, etag, clock, wire, verifyPath, verifications, pay } = await openedShop();
    const before = verifications();
    const responses = Array.from({ length: 4 }, () => get(session, held(etag)));
    await clock.untilWaiting(2000, 4);
    pay();
    clock.advance(2000);
    for (const response of responses) expect((await response).status).toBe(200);
    expect(verifications() - before).toBe(1);
    expect(wire.most.get(verifyPath)).toBe(1);
  });
});

describe('verifications at the service', () => {
  it('are spaced: twenty reloads in a second cost one', async () => {
    const { get, session, clock, verifications } = await openedShop();
    clock.advance(fiveSeconds);
    const before = verifications();
    for (let reload = 0; reload < 20; reload++) expect((await get(session)).status).toBe(200);
    expect(verifications() - before).toBe(1);
  });

  it('end when the order is paid', async () => {
    const { get, session, clock, verifications, pay } = await openedShop();
    pay();
    clock.advance(fiveSeconds);
    await get(session);
    const before = verifications();
    clock.advance(fiveSeconds);
    expect(await (await get(session)).json()).toMatchObject({ outcome: 'paid' });
    expect(verifications()).toBe(before);
  });

  it('find money that comes after expiry', async () => {
    const { get, session, clock, pay } = await openedShop();
    clock.advance(31 * 60_000);
    expect(await (await get(session)).json()).toMatchObject({ status: 'expired', outcome: 'expired' });
    pay();
    clock.advance(fiveSeconds);
    expect(await (await get(session)).json()).toMatchObject({ status: 'succeeded', outcome: 'paid' });
  });
});

describe('while the service is down', () => {
  const down = () => Promise.reject(new TypeError('fetch failed'));

  it('a reload still gets the account', async () => {
    const { get, session, clock, wire } = await openedShop();
    wire.intercept = down;
    clock.advance(fiveSeconds);
    const response = await get(session);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ account: session.account, expiresAt: session.expiresAt });
  });

  it('a browser that has the account gets the error, and Retry-After', async () => {
    const { get, session, etag, clock, wire } = await openedShop();
    wire.intercept = down;
    clock.advance(fiveSeconds);
    const response = await get(session, { 'if-none-match': etag });
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('3');
    expect(await response.json()).toMatchObject({ code: 'service_unavailable' });
  });

  it('a service that never responds delays a reload by four seconds only', async () => {
    const { get, session, clock, wire } = await openedShop();
    wire.intercept = () => new Promise(() => {});
    clock.advance(fiveSeconds);
    const response = get(session);
    await clock.untilWaiting(4000);
    clock.advance(4000);
    expect((await response).status).toBe(200);
  });
});

describe('older responses of the service', () => {
  it('never overwrite newer ones', async () => {
    const { get, session, clock, wire, sandbox } = await openedShop({}, { confirmationSeconds: 60 });
    sandbox.control.transfer({ accountNumber: session.account.number, amount: order.amount.value });
    clock.advance(fiveSeconds);
    expect(await (await get(session)).json()).toMatchObject({ status: 'charged' });
    wire.intercept = async (_path, send) => {
      const response = (await (await send()).json()) as object;
      return Response.json({
        ...response,
        status: 'awaiting_charge',
        chargedAmount: 0,
        updatedAt: '2026-03-01T12:00:00.000Z',
      });
    };
    clock.advance(fiveSeconds);
    expect(await (await get(session)).json()).toMatchObject({
      status: 'charged',
      chargedAmount: order.amount.value,
    });
  });
});
