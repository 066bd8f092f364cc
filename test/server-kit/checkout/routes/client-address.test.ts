import { describe, expect, it } from 'vitest';
import {
  addressKey,
  type ClientAddressInput,
  clientAddress,
  parseTrustedProxies,
} from '../../../../server-kit/checkout/routes/access/client-address.ts';

const trustedProxies = parseTrustedProxies(['10.0.0.0/8', '127.0.0.1', 'fd00::/8', '::1']);

/** Returns the client's address of a request over a connection from `remoteAddress`. */
const addressOf = (
  remoteAddress: string | undefined,
  headers: Record<string, string> = {},
  options: Partial<ClientAddressInput> = {},
) => clientAddress({ remoteAddress, headers: new Headers(headers), trustedProxies, ...options });

const behindProxy = (forwardedFor: string, remoteAddress = '10.0.0.1') =>
  addressOf(remoteAddress, { 'x-forwarded-for': forwardedFor });

const forwarded = (value: string) => addressOf('10.0.0.1', { forwarded: value }, { header: 'forwarded' });

describe('clientAddress', () => {
  it('ignores the header of a connection that is not a trusted proxy’s', () => {
    const headers = { 'x-forwarded-for': '198.51.100.1', forwarded: 'for=198.51.100.1' };
    expect(addressOf('203.0.113.9', headers)).toBe('203.0.113.9');
    expect(addressOf('203.0.113.9', headers, { header: 'forwarded' })).toBe('203.0.113.9');
    expect(addressOf('10.0.0.1', headers, { trustedProxies: [] })).toBe('10.0.0.1');
  });

  it.each([
    ['one proxy', '198.51.100.1', '198.51.100.1'],
    ['trusted proxies behind each other', '198.51.100.1, 10.2.0.1, fd00::7', '198.51.100.1'],
    ['what a client has sent before it', '1.1.1.1, 2.2.2.2, 198.51.100.1, 10.2.0.1', '198.51.100.1'],
    ['a client that names a trusted proxy', '10.9.9.9, 198.51.100.1', '198.51.100.1'],
    ['proxies only', '10.3.0.1, 10.2.0.1', '10.3.0.1'],
    ['an IPv4 port', '198.51.100.1:4711', '198.51.100.1'],
    ['an IPv6 port', '[2001:DB8::1]:443', '2001:db8::1'],
    ['brackets without a port', '[2001:db8::1]', '2001:db8::1'],
    ['IPv4 written as IPv6', '::ffff:198.51.100.1', '198.51.100.1'],
    ['a trusted proxy written as IPv6', '198.51.100.1, ::ffff:10.2.0.1', '198.51.100.1'],
    ['empty entries', ' , 198.51.100.1, ,', '198.51.100.1'],
    ['an empty header', '', '10.0.0.1'],
  ])('finds the client behind %s', (_what, header, address) => {
    expect(behindProxy(header)).toBe(address);
  });

  it.each([
    'unknown',
    '_hidden',
    '1.2.3',
    '010.0.0.1',
    '0x7f.0.0.1',
    '999.1.1.1',
    '1::2::3',
    '198.51.100.1:x',
    '<script>',
    'x'.repeat(10_000),
  ])('stops at an invalid address, and ignores everything before it: %s', (junk) => {
    expect(behindProxy(`198.51.100.1, ${junk}`)).toBe('10.0.0.1');
    expect(behindProxy(`198.51.100.1, ${junk}, 10.2.0.1`)).toBe('10.2.0.1');
    expect(behindProxy(`${junk}, 198.51.100.7`)).toBe('198.51.100.7');
  });

  it.each([
    ['::ffff:10.0.0.1', '198.51.100.1'],
    ['::1', '198.51.100.1'],
    ['fd00:0:0::5', '198.51.100.1'],
    ['127.0.0.2', '127.0.0.2'],
    ['fe80::1%eth0', 'fe80::1'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
  ])('normalises the connection’s address %s', (remoteAddress, address) => {
    expect(behindProxy('198.51.100.1', remoteAddress)).toBe(address);
  });

  it.each([undefined, '', '/run/app.sock', 'localhost'])(
    'has no address for the connection %s',
    (remoteAddress) => {
      expect(addressOf(remoteAddress, { 'x-forwarded-for': '198.51.100.1' })).toBeUndefined();
    },
  );

  it('reads several headers of one name as one', () => {
    const headers = new Headers({ 'x-forwarded-for': '198.51.100.1' });
    headers.append('x-forwarded-for', '10.2.0.1');
    expect(clientAddress({ remoteAddress: '10.0.0.1', headers, trustedProxies })).toBe('198.51.100.1');
  });
});

describe('the header Forwarded', () => {
  it.each([
    ['for=198.51.100.1', '198.51.100.1'],
    ['For="[2001:db8:cafe::17]:4711"', '2001:db8:cafe::17'],
    ['for=198.51.100.1;proto=https;by=10.0.0.1', '198.51.100.1'],
    ['proto=https; for=198.51.100.1', '198.51.100.1'],
    ['for=1.1.1.1, for=198.51.100.1, for=10.2.0.1', '198.51.100.1'],
    ['for=198.51.100.1;host="a,for=6.6.6.6"', '198.51.100.1'],
  ])('names the client: %s', (header, address) => {
    expect(forwarded(header)).toBe(address);
  });

  it.each([
    'for=unknown',
    'for="_gazonk"',
    'proto=https',
    'for=6.6.6.6, proto=https',
    'for=6.6.6.6, for="x, for=198.51.100.1',
    'for=6.6.6.6;x=", for="[2001:db8::1]"',
    'for=6.6.6.6 for=7.7.7.7',
    'for',
    '=',
    '',
    `${'a="'.repeat(3000)}`,
  ])('is ignored if it is ambiguous: %s', (header) => {
    expect(forwarded(header)).toBe('10.0.0.1');
  });

  it('is ignored if the proxies use the other one, and vice versa', () => {
    const headers = { forwarded: 'for=6.6.6.6', 'x-forwarded-for': '198.51.100.1' };
    expect(addressOf('10.0.0.1', headers)).toBe('198.51.100.1');
    expect(addressOf('10.0.0.1', headers, { header: 'forwarded' })).toBe('6.6.6.6');
  });
});

describe('parseTrustedProxies', () => {
  it('reads an IPv4 network in IPv6 notation', () => {
    const proxies = parseTrustedProxies(['::ffff:192.0.2.0/120']);
    const headers = { 'x-forwarded-for': '198.51.100.1' };
    expect(addressOf('192.0.2.77', headers, { trustedProxies: proxies })).toBe('198.51.100.1');
    expect(addressOf('192.0.3.1', headers, { trustedProxies: proxies })).toBe('192.0.3.1');
  });

  it.each([
    '10.0.0.0/33',
    '10.0.0/8',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '10.0.0.0/-1',
    'fd00::/129',
    '::ffff:10.0.0.0/8',
    '0.0.0.0/0',
    '::/0',
    'loopback',
    '',
    ' 10.0.0.1',
  ])('refuses "%s"', (text) => {
    expect(() => parseTrustedProxies(['127.0.0.1', text])).toThrow(
      expect.objectContaining({
        code: 'invalid_options',
        message: `trustedProxies: "${text}" must be an address or a network of proxies, such as 10.0.0.0/8.`,
      }),
    );
  });
});

describe('addressKey', () => {
  it('is the same for a whole IPv6 network of 64 bits', () => {
    expect(addressKey('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64');
    expect(addressKey('2001:db8:1:2::ffff')).toBe('2001:db8:1:2::/64');
    expect(addressKey('2001:db8:1:3::ffff')).toBe('2001:db8:1:3::/64');
  });

  it('is the address itself for IPv4', () => {
    expect(addressKey('198.51.100.1')).toBe('198.51.100.1');
  });
});
