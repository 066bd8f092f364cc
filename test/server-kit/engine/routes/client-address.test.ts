import { describe, expect, it } from 'vitest';
import { createClientKey } from '../../../../server-kit/engine/routes/access/client-address.ts';
import { clientKeyOfConnection } from '../../../../server-kit/engine/routes/access/client-key.ts';

const trustedProxies = ['10.0.0.0/8', '127.0.0.1', 'fd00::/8', '::1'];

const from = (remoteAddress: string | undefined, headers: Record<string, string> = {}) => {
  return { remoteAddress, header: (name: string) => headers[name] };
};

/** Returns the key of a request over a connection from `remoteAddress`. */
const keyOf = (remoteAddress: string | undefined, forwardedFor: string, proxies = trustedProxies) =>
  createClientKey({ trustedProxies: proxies })(from(remoteAddress, { 'x-forwarded-for': forwardedFor }));

const behindProxy = (forwardedFor: string, remoteAddress = '10.0.0.1') => keyOf(remoteAddress, forwardedFor);

describe('the address behind proxies', () => {
  it('ignores the header of a connection that is not a trusted proxy’s', () => {
    expect(keyOf('203.0.113.9', '198.51.100.1')).toBe('203.0.113.9');
    expect(keyOf('10.0.0.1', '198.51.100.1', [])).toBe('10.0.0.1');
  });

  it.each([
    ['one proxy', '198.51.100.1', '198.51.100.1'],
    ['trusted proxies behind each other', '198.51.100.1, 10.2.0.1, fd00::7', '198.51.100.1'],
    ['what a client has sent before it', '1.1.1.1, 2.2.2.2, 198.51.100.1, 10.2.0.1', '198.51.100.1'],
    ['a client that names a trusted proxy', '10.9.9.9, 198.51.100.1', '198.51.100.1'],
    ['proxies only', '10.3.0.1, 10.2.0.1', '10.3.0.1'],
    ['an IPv4 port', '198.51.100.1:4711', '198.51.100.1'],
    ['an IPv6 port', '[2001:DB8::1]:443', '2001:db8::/64'],
    ['brackets without a port', '[2001:db8::1]', '2001:db8::/64'],
    ['IPv4 written as IPv6', '::ffff:198.51.100.1', '198.51.100.1'],
    ['a trusted proxy written as IPv6', '198.51.100.1, ::ffff:10.2.0.1', '198.51.100.1'],
    ['empty entries', ' , 198.51.100.1, ,', '198.51.100.1'],
    ['an empty header', '', '10.0.0.1'],
  ])('finds the client behind %s', (_what, header, address) => {
    expect(behindProxy(header)).toBe(address);
  });

  it.each([
    ...'unknown _hidden 1.2.3 010.0.0.1 0x7f.0.0.1 999.1.1.1 1::2::3 198.51.100.1:x <script>'.split(' '),
    'x'.repeat(10_000),
  ])('stops at an invalid address, and ignores everything before it: %s', (junk) => {
    expect(behindProxy(`198.51.100.1, ${junk}`)).toBe('10.0.0.1');
    expect(behindProxy(`198.51.100.1, ${junk}, 10.2.0.1`)).toBe('10.2.0.1');
    expect(behindProxy(`${junk}, 198.51.100.7`)).toBe('198.51.100.7');
  });
});

describe('a trusted proxy', () => {
  it('reads an IPv4 network in IPv6 notation', () => {
    const proxies = ['::ffff:192.0.2.0/120'];
    expect(keyOf('192.0.2.77', '198.51.100.1', proxies)).toBe('198.51.100.1');
    expect(keyOf('192.0.3.1', '198.51.100.1', proxies)).toBe('192.0.3.1');
  });

  const networks = '10.0.0.0/33,10.0.0/8,10.0.0.0/,10.0.0.0/8/8,10.0.0.0/-1,fd00::/129,::ffff:10.0.0.0/8';
  it.each([...networks.split(','), '0.0.0.0/0', '::/0', 'loopback', '', ' 10.0.0.1'])(
    'refuses "%s"',
    (text) => {
      const message = expect.stringContaining('trustedProxies.1: must be an address or a network of proxies');
      const refusal = expect.objectContaining({ code: 'invalid_options', message });
      expect(() => createClientKey({ trustedProxies: ['127.0.0.1', text] })).toThrow(refusal);
    },
  );
});

describe('the key of a client', () => {
  const ofTrusted = createClientKey({ trustedProxies: ['10.0.0.0/8'] });

  it.each<[string, string]>([
    ['203.0.113.9', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ...['172.15.0.1', '172.32.0.1', '100.128.0.1'].map((address): [string, string] => [address, address]),
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8::6', '2001:db8::/64'],
    ['2001:0DB8:0:0:1::', '2001:db8::/64'],
    ['2001:0:0:1::6', '2001:0:0:1::/64'],
    ['::2:3:4:5', '::/64'],
    ['0:0:1::6', '0:0:1::/64'],
  ])('is $1 for %s, with and without a proxy', (address, key) => {
    expect(clientKeyOfConnection(from(address))).toBe(key);
    expect(ofTrusted(from('10.0.0.1', { 'x-forwarded-for': address }))).toBe(key);
  });

  it('has no zone if it is that of a connection, and comes from no header', () => {
    expect(clientKeyOfConnection(from('2001:db8:1:2::%eth0'))).toBe('2001:db8:1:2::/64');
    const headers = { 'x-forwarded-for': '198.51.100.1' };
    expect(clientKeyOfConnection(from('203.0.113.9', headers))).toBe('203.0.113.9');
  });

  const ours = '127.0.0.1 ::1 ::ffff:10.1.2.3 10.1.2.3 172.16.0.1 172.31.255.1 192.168.1.1 169.254.1.1';
  it.each([undefined, '', ...ours.split(' '), '100.64.0.1', 'fd00::1', 'fe80::1%eth0'])(
    'is unknown if the connection is from a proxy: %s',
    (address) => {
      expect(clientKeyOfConnection(from(address))).toBeUndefined();
    },
  );
});
