import { expect, it } from 'vitest';
import { createWiredShop, shopUrl } from '../../kit/wired-shop.ts';
import { plainRequest } from '../../simulation/shop/plain-requests.ts';

/** A shop, and requests to it over connections from any address. */
function createShop(options: Parameters<typeof createWiredShop>[0] = {}) {
  const { checkout, log } = createWiredShop({ limits: false, ...options });
  const send = (remoteAddress: string | undefined) => {
    const headers = { 'content-type': 'application/json' };
    const page = { method: 'POST' as const, url: `${shopUrl}/checkout/sessions`, headers, body: '{}' };
    return checkout.respond({ ...plainRequest(page), remoteAddress });
  };
  const warnings = () => log.filter(({ type }) => type === 'clientKeyMissing');
  return { checkout, send, warnings };
}

const privateAddresses = '10.0.0.7 192.168.1.1 172.20.0.3 127.0.0.1 ::1 ::ffff:10.0.0.7 fd00::7'.split(' ');

it.each(privateAddresses)(
  'a checkout without clientKey names the option once for pages from %s',
  async (address) => {
    const { send, warnings } = createShop();
    for (let count = 0; count < 3; count++) expect((await send(address)).status).toBeLessThan(300);
    const message = expect.stringContaining('clientKey: createClientKey({ trustedProxies })');
    expect(warnings()).toEqual([{ level: 'warn', type: 'clientKeyMissing', message }]);
  },
);

it.each<[string, string | undefined, Parameters<typeof createShop>[0]]>([
  ['with clientKey', '10.0.0.7', { clientKey: () => '203.0.113.7' }],
  ['with a clientKey that knows none', '10.0.0.7', { clientKey: () => undefined }],
  ['whose pages come from public addresses', '203.0.113.7', {}],
  ['whose runtime provides no address', undefined, {}],
  ['at localhost', '127.0.0.1', { publicUrl: 'http://localhost:3000' }],
  ['at a name of this machine', '::1', { publicUrl: 'http://shop.localhost' }],
  ['at a private address', '192.168.1.20', { publicUrl: 'http://192.168.1.5:3000', allowSandbox: true }],
  ['at a private IPv6 address', '::1', { publicUrl: 'http://[::1]:3000' }],
])('a checkout %s gets no warning', async (_what, address, options) => {
  const { send, warnings } = createShop(options);
  expect((await send(address)).status).toBe(201);
  expect(warnings()).toEqual([]);
});

type Options = Parameters<typeof createWiredShop>[0];

/** What the log says about the path after two sessions at `path`. */
async function warningsAt(path: string, options: Options = {}): Promise<unknown[]> {
  const { post, log } = createWiredShop(options);
  for (let count = 0; count < 2; count++) expect((await post({}, '{}', path)).ok).toBe(true);
  return log.filter(({ type }) => type === 'basePathDiffers');
}

it('a checkout that is mounted at another path than basePath says once where the callbacks go, and what to set', async () => {
  const callbackUrl = 'https://shop.example/checkout/callbacks';
  const message = `Pages reach the checkout at /pay, but callbacks are sent to ${callbackUrl}. Set basePath: '/pay', unless a proxy rewrites the path.`;
  const warning = { level: 'warn', type: 'basePathDiffers', mountPath: '/pay' };
  expect(await warningsAt('/pay/sessions')).toEqual([{ ...warning, callbackUrl, message }]);
});

/** The longest pause between two entries. */
const pauseMs = 90_000;

it('the warning about the path does not come once a request has reached the right path, whatever strangers request', async () => {
  const { post, log, clock } = createWiredShop();
  const paths = ['pay', 'checkout', ...Array.from({ length: 5 }, (_, index) => `wp-admin-${index}`)];
  for (const path of paths) {
    expect((await post({}, '{}', `/${path}/sessions`)).ok).toBe(true);
    clock.advance(pauseMs);
  }
  expect(log.filter(({ type }) => type === 'basePathDiffers')).toMatchObject([{ mountPath: '/pay' }]);
});

it.each<[string, string, Options, object]>([
  ['cut if it is long', `/${'a'.repeat(5000)}`, {}, { mountPath: `/${'a'.repeat(299)}` }],
  [
    'named without that of publicUrl',
    '/shop/pay',
    { publicUrl: 'https://example.com/shop/' },
    { mountPath: '/shop/pay', message: expect.stringContaining("Set basePath: '/pay',") },
  ],
])('the path in the warning is %s', async (_how, path, options, expected) => {
  expect(await warningsAt(`${path}/sessions`, options)).toMatchObject([expected]);
});

it.each<[string, string, Options]>([
  ['at the default path', '/checkout/sessions', {}],
  ['at basePath', '/pay/sessions', { basePath: '/pay/' }],
  ['below the path of publicUrl', '/shop/checkout/sessions', { publicUrl: 'https://example.com/shop' }],
  ['behind a proxy that removes it', '/checkout/sessions', { publicUrl: 'https://example.com/shop' }],
  ['at the root', '/sessions', {}],
])('a checkout that callbacks reach logs nothing when it is mounted %s', async (_where, path, options) => {
  expect(await warningsAt(path, options)).toEqual([]);
});
