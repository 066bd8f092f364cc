import { expect, it } from 'vitest';
import { createWiredShop, order } from '../../kit/wired-shop.ts';

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
