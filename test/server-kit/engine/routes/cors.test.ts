import { describe, expect, it } from 'vitest';
import { codeOf } from '../../kit/wire-faults.ts';
import { createWiredShop, shopUrl } from '../../kit/wired-shop.ts';

const other = 'https://www.shop.example';
const evil = 'https://evil.example';
/** The longest pause between two entries for origins. */
const pauseMs = 90_000;
const checkoutUrl = 'https://pay.example/checkout';

const shopFor = () => createWiredShop({ allowedOrigins: [other] });

const asked = 'access-control-request-method';

/** What a browser asks before a page of another origin may ask. */
const preflight = (
  { checkout }: ReturnType<typeof createWiredShop>,
  { origin = other, method = 'POST', path = '/sessions' } = {},
) =>
  checkout.handler(
    new Request(checkoutUrl + path, { method: 'OPTIONS', headers: { origin, [asked]: method } }),
  );

const corsOf = ({ headers }: Response): Record<string, string> =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')));

const exposed = 'ETag, Retry-After, Preference-Applied, checkout-service-time, checkout-next-poll-ms';

describe('a preflight', () => {
  it.each([other, shopUrl])('gets the page’s permissions: from %s', async (origin) => {
    const [method, path] = origin === other ? ['POST', '/sessions'] : ['GET', '/sessions/tc_1'];
    const response = await preflight(shopFor(), { origin, method, path });
    expect(response.status).toBe(204);
    expect(corsOf(response)).toEqual({
      'access-control-allow-credentials': 'true',
      'access-control-allow-origin': origin,
      'access-control-allow-methods': method,
      'access-control-allow-headers':
        'checkout-secret, Authorization, Content-Type, Prefer, If-None-Match, checkout-contract',
      'access-control-expose-headers': exposed,
      'access-control-max-age': '7200',
    });
    expect(response.headers.get('vary')).toBe('Origin');
    expect(response.headers.get('cache-control')).toBe('private, no-store');
  });

  it.each([evil, 'null', 'https://www.shop.example.evil.example', 'http://www.shop.example', `${other}:444`])(
    'is refused from %s, and no browser lets the page on',
    async (origin) => {
      const response = await preflight(shopFor(), { origin });
      expect([response.status, await codeOf(response.clone())]).toEqual([403, 'origin_not_allowed']);
      expect([corsOf(response), response.headers.get('vary')]).toEqual([{}, 'Origin']);
    },
  );
});

it('a page of an allowed origin makes a session, and may read it, and errors too', async () => {
  const { post, get } = shopFor();
  const created = await post({ origin: other });
  expect(created.status).toBe(201);
  const allowed = {
    'access-control-allow-credentials': 'true',
    'access-control-allow-origin': other,
    'access-control-expose-headers': exposed,
  };
  expect(corsOf(created)).toEqual(allowed);
  const unknown = { reference: 'tc_1', clientSecret: 'x' };
  for (const [response, status] of [
    [await get((await created.json()) as never, { origin: other }), 200],
    [await get(unknown, { origin: other }), 401],
    [await post({ origin: other, 'content-type': 'text/plain' }), 415],
  ] as const) {
    expect([response.status, corsOf(response)]).toEqual([status, allowed]);
    expect(response.headers.get('cache-control')).toBe('private, no-store');
  }
});

it('the log of refused origins names each origin once, and what to set', async () => {
  const shop = shopFor();
  await preflight(shop, { origin: evil });
  await shop.post({ origin: evil });
  shop.clock.advance(pauseMs);
  await shop.post({ origin: 'http://www.shop.example' });
  await shop.post({ origin: evil });
  await shop.post({ origin: other });
  shop.clock.advance(pauseMs);
  await shop.post({ origin: `https://${'a'.repeat(1000)}` });
  const message = `A page of ${evil} was refused. If it is yours, add it to allowedOrigins, or correct publicUrl (${shopUrl}).`;
  expect(shop.log.filter(({ type }) => type === 'originRefused')).toEqual([
    { level: 'warn', type: 'originRefused', origin: evil, message },
    expect.objectContaining({ origin: 'http://www.shop.example' }),
    // A long one is cut.
    expect.objectContaining({ origin: expect.stringMatching(/^.{300}$/) }),
  ]);
});

it.each(['*', 'shop.example', `${other}/`, `${other}:443`, 'https://*.shop.example/', 'null', 7])(
  'allowedOrigins refuses %j, which no browser sends',
  (origin) => {
    const message = expect.stringContaining('allowedOrigins');
    const refusal = expect.objectContaining({ code: 'invalid_options', message });
    expect(() => createWiredShop({ allowedOrigins: [origin as string] })).toThrow(refusal);
  },
);
