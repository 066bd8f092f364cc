import { expect, it } from 'vitest';
import { createWiredShop, order, shopUrl } from '../../kit/wired-shop.ts';
import { plainRequest } from '../../simulation/shop/plain-requests.ts';

const json = { 'content-type': 'application/json' };

/** A shop, and requests to it over connections from any address. */
function createShop(options: Parameters<typeof createWiredShop>[0] = {}) {
  const { checkout, log } = createWiredShop({ limits: false, ...options });
  const send = (remoteAddress: string | undefined, path = '', headers: Record<string, string> = json) => {
    const method = path === '' ? 'POST' : 'GET';
    const url = `${shopUrl}/checkout/sessions${path}`;
    return checkout.respond({ ...plainRequest({ method, url, headers, body: '{}' }), remoteAddress });
  };
  const warnings = () => log.filter(({ type }) => type === 'clientKeyMissing');
  return { checkout, send, warnings };
}

const privateAddresses = '10.0.0.7 192.168.1.1 172.20.0.3 127.0.0.1 ::1 ::ffff:10.0.0.7 fd00::7'.split(' ');

it.each(privateAddresses)(
  'a checkout without clientKey behind a proxy names the option once when pages come from %s',
  async (address) => {
    const { send, warnings } = createShop();
    for (let count = 0; count < 3; count++) expect((await send(address)).status).toBeLessThan(300);
    expect(warnings()).toEqual([
      {
        level: 'warn',
        type: 'clientKeyMissing',
        message: expect.stringContaining('clientKey: createClientKey({ trustedProxies })'),
      },
    ]);
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
])(
  'a checkout that knows its clients, or is being developed a checkout %s gets no warning',
  async (_what, address, options) => {
    const { send, warnings } = createShop(options);
    expect((await send(address)).status).toBe(201);
    expect(warnings()).toEqual([]);
  },
);

type Options = Parameters<typeof createWiredShop>[0];

/** What the log says about the path after two sessions at `path`. */
async function warningsAt(path: string, options: Options = {}): Promise<unknown[]> {
  const { post, log } = createWiredShop(options);
  for (let count = 0; count < 2; count++) expect((await post({}, '{}', path)).ok).toBe(true);
  return log.filter(({ type }) => type === 'basePathDiffers');
}

it('a checkout that is mounted at another path than basePath says once where the callbacks go, and what to set', async () => {
  const callbackUrl = 'https://shop.example/checkout/callbacks';
  expect(await warningsAt('/pay/sessions')).toEqual([
    {
      level: 'warn',
      type: 'basePathDiffers',
      mountPath: '/pay',
      callbackUrl,
      message: `Pages reach the checkout at /pay, but callbacks are sent to ${callbackUrl}. Set basePath: '/pay', unless a proxy rewrites the path.`,
    },
  ]);
});

/** The longest pause between two entries. */
const pauseMs = 90_000;

/** A shop whose pages reach it at `/pay`, which callbacks do not know, and strangers who have carts. */
function createMountedShop(options: Options = {}) {
  let orders = 0;
  const getOrder = () => ({ ...order, orderId: `order-${++orders}` });
  const { post, log, clock } = createWiredShop({ getOrder, ...options });
  const paths = () => log.flatMap((entry) => (entry.type === 'basePathDiffers' ? entry.mountPath : []));
  const request = async (path: string): Promise<void> => {
    expect((await post({}, '{}', path)).status).toBe(201);
  };
  return { request, paths, clock };
}

it('the warning about the path does not come once a request has reached the right path, whatever strangers request', async () => {
  const { request, paths, clock } = createMountedShop();
  await request('/pay/sessions');
  await request('/checkout/sessions');
  for (let count = 0; count < 5; count++) {
    clock.advance(pauseMs);
    await request(`/wp-admin-${count}/sessions`);
  }
  expect(paths()).toEqual(['/pay']);
});

it('The advice leaves out the path of publicUrl', async () => {
  const options = { publicUrl: 'https://example.com/shop/' };
  const message = expect.stringContaining("Set basePath: '/pay',");
  expect(await warningsAt('/shop/pay/sessions', options)).toMatchObject([
    { mountPath: '/shop/pay', message },
  ]);
});

it('A long path is cut in the log', async () => {
  const [warning] = await warningsAt(`/${'a'.repeat(5000)}/sessions`);
  expect((warning as { mountPath: string }).mountPath).toHaveLength(300);
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
