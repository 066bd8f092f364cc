import { expect, it } from 'vitest';
import { createWiredShop, shopUrl } from '../../kit/wired-shop.ts';
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
