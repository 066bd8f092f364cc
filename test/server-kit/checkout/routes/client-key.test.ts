import { describe, expect, it } from 'vitest';
import { createClientKey } from '../../../../server-kit/checkout/routes/access/client-address.ts';
import { clientKeyOfConnection } from '../../../../server-kit/checkout/routes/access/client-key.ts';

const from = (remoteAddress: string | undefined, headers: Record<string, string> = {}) => ({
  remoteAddress,
  header: (name: string) => headers[name],
});

describe('the key of a connection', () => {
  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['172.15.0.1', '172.15.0.1'],
    ['172.32.0.1', '172.32.0.1'],
    ['100.128.0.1', '100.128.0.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8::6', '2001:db8::/64'],
    ['2001:0DB8:0:0:1::', '2001:db8::/64'],
    ['2001:0:0:1::6', '2001:0:0:1::/64'],
    ['::2:3:4:5', '::/64'],
    ['0:0:1::6', '0:0:1::/64'],
    ['2001:db8:1:2::%eth0', '2001:db8:1:2::/64'],
  ])('from %s is %s', (address, key) => {
    expect(clientKeyOfConnection(from(address))).toBe(key);
  });

  it.each([
    undefined,
    '',
    '127.0.0.1',
    '::1',
    '::ffff:10.1.2.3',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.1',
    '192.168.1.1',
    '169.254.1.1',
    '100.64.0.1',
    'fd00::1',
    'fe80::1%eth0',
  ])('from %s gives no key, because it is no shopper’s address', (address) => {
    expect(clientKeyOfConnection(from(address))).toBeUndefined();
  });

  it('ignores headers', () => {
    expect(clientKeyOfConnection(from('203.0.113.9', { 'x-forwarded-for': '198.51.100.1' }))).toBe(
      '203.0.113.9',
    );
  });
});

describe('createClientKey', () => {
  const key = createClientKey({ trustedProxies: ['10.0.0.0/8'] });

  it('believes the header only of a trusted proxy', () => {
    const headers = { 'x-forwarded-for': '6.6.6.6, 198.51.100.1' };
    expect(key(from('10.0.0.1', headers))).toBe('198.51.100.1');
    expect(key(from('203.0.113.9', headers))).toBe('203.0.113.9');
    expect(key(from(undefined, headers))).toBeUndefined();
  });

  it.each(['2001:db8:1:2::9', '2001:db8::9', '2001:0:0:1::9', '0:0:1::6', '::2:3:4:5'])(
    'gives the network of %s the key that it has without a proxy',
    (address) => {
      const direct = clientKeyOfConnection(from(address));
      expect(direct).toMatch(/::\/64$/);
      expect(key(from('10.0.0.1', { 'x-forwarded-for': address }))).toBe(direct);
    },
  );

  it('reads another header if configured', () => {
    const forwarded = createClientKey({ trustedProxies: ['10.0.0.0/8'], header: 'forwarded' });
    const headers = { 'x-forwarded-for': '6.6.6.6', forwarded: 'for=198.51.100.1' };
    expect(forwarded(from('10.0.0.1', headers))).toBe('198.51.100.1');
  });

  it('refuses invalid proxies', () => {
    expect(() => createClientKey({ trustedProxies: ['everybody'] })).toThrow(/trustedProxies/);
  });
});
