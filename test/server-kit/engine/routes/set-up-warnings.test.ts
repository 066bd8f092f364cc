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
const message = expect.stringContaining('clientKey: createClientKey({ trustedProxies })');
const warning = { level: 'warn', type: 'clientKeyMissing', message };

it.each<[string, string | undefined, Parameters<typeof createShop>[0], object[]]>([
  ...privateAddresses.map((one): [string, string, object, object[]] => [
    'without clientKey',
    one,
    {},
    [warning],
  ]),
  ['with clientKey', '10.0.0.7', { clientKey: () => '203.0.113.7' }, []],
  ['with a clientKey that knows none', '10.0.0.7', { clientKey: () => undefined }, []],
  ['whose pages come from public addresses', '203.0.113.7', {}, []],
  ['whose runtime provides no address', undefined, {}, []],
  ['at localhost', '127.0.0.1', { publicUrl: 'http://localhost:3000' }, []],
  ['at a name of this machine', '::1', { publicUrl: 'http://shop.localhost' }, []],
  ['at a private address', '192.168.1.20', { publicUrl: 'http://192.168.1.5:3000', allowSandbox: true }, []],
  ['at a private IPv6 address', '::1', { publicUrl: 'http://[::1]:3000' }, []],
])(
  'a checkout %s, with pages from %s, names the option once or not at all',
  async (_what, address, options, expected) => {
    const { send, warnings } = createShop(options);
    for (let count = 0; count < 3; count++) expect((await send(address)).status).toBeLessThan(300);
    expect(warnings()).toEqual(expected);
  },
);

type Options = Parameters<typeof createWiredShop>[0];

const [callbackUrl, withPath] = ['https://shop.example/checkout/callbacks', 'https://example.com/shop'];
const atPay = {
  ...{ level: 'warn', type: 'basePathDiffers', mountPath: '/pay', callbackUrl },
  message: `Pages reach the checkout at /pay, but callbacks are sent to ${callbackUrl}. Set basePath: '/pay', unless a proxy rewrites the path.`,
};
const belowShop = { mountPath: '/shop/pay', message: expect.stringContaining("Set basePath: '/pay',") };

it.each<[string, string, Options, object[]]>([
  ['at another path', '/pay', {}, [atPay]],
  ['at a long path', `/${'a'.repeat(5000)}`, {}, [{ mountPath: `/${'a'.repeat(299)}` }]],
  ['at another path below that of publicUrl', '/shop/pay', { publicUrl: `${withPath}/` }, [belowShop]],
  ['at the default path', '/checkout', {}, []],
  ['at basePath', '/pay', { basePath: '/pay/' }, []],
  ['below the path of publicUrl', '/shop/checkout', { publicUrl: withPath }, []],
  ['behind a proxy that removes it', '/checkout', { publicUrl: withPath }, []],
  ['at the root', '', {}, []],
])(
  'a checkout that is mounted %s says once if callbacks go elsewhere, and what to set',
  async (_where, path, options, expected) => {
    const { post, log } = createWiredShop(options);
    for (let count = 0; count < 2; count++) expect((await post({}, '{}', `${path}/sessions`)).ok).toBe(true);
    expect(log.filter(({ type }) => type === 'basePathDiffers')).toMatchObject(expected);
  },
);

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
