import * as v from 'valibot';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { Email, Identifier, Metadata, Timestamp, WebUrl } from '../../../server-kit/core/fields.ts';
import { createTestClient, failureOf, initiation, initiationRequest } from '../kit/client-kit.ts';
import { cpuMsOf } from '../kit/cpu-time.ts';
import { respondJson, startFaultServer } from '../kit/fault-server.ts';

describe('an e-mail address', () => {
  it.each([
    "o'brien@example.com",
    'info@xn--mnchen-3ya.de',
    'a@b.xn--p1ai',
    'x@a--b.com',
    'ada&co@example.com',
    'a!b@example.com',
    'a#b@example.com',
    'ada/x@example.com',
    'first.last+tag@sub.example.co.uk',
  ])('may be %s', (address) => {
    expect(v.is(Email, address)).toBe(true);
  });

  it.each([
    'ada',
    'ada@',
    '@example.com',
    'a b@example.com',
    'a@b@example.com',
    'ada@example..com',
    'ada@-a.com',
  ])('cannot be %j', (address) => {
    expect(v.is(Email, address)).toBe(false);
  });
});

describe('a web address', () => {
  it.each([
    'https://shop.example',
    'HTTPS://shop.example/x?y=1#z',
    'http://[::1]:8080/',
    'https://münchen.example/ü',
    'https://shop.example/%zz',
  ])('may be %s', (url) => {
    expect(v.is(WebUrl, url)).toBe(true);
  });

  it.each([
    'https:shop.example/x',
    'https:/shop.example',
    'https:\\\\shop.example',
    'https:/\\shop.example',
    'https:///shop.example',
    ' https://shop.example',
    'https://shop.example\n',
    'https://shop.example/a b',
    'https://shop.example/\u0000',
    'https://shop.example\\@evil.example',
    'https://a@evil.example',
    'https://:b@evil.example',
    'javascript://shop.example/%0aalert(1)',
  ])('cannot be %j', (url) => {
    expect(v.is(WebUrl, url)).toBe(false);
  });
});

describe('a timestamp', () => {
  it.each([
    '2026-13-01T00:00:00Z',
    '2026-03-01T25:00:00Z',
    'Tue, 01 Mar 2026 12:00:00 Z',
    'T 5 Z',
    '2026-03-01 12:00:00Z',
    '2026-03-01T12:00:00+01',
    ' 2026-03-01T12:00:00Z',
    '2026-03-01T12:00:00Z\n',
  ])('cannot be %j', (text) => {
    expect(v.is(Timestamp, text)).toBe(false);
  });

  it.each([
    ['2026-03-01T12:00:00', '2026-03-01T12:00:00.000Z'],
    ['2026-03-01T12:00', '2026-03-01T12:00:00.000Z'],
    ['2026-03-01T12:00:00.5', '2026-03-01T12:00:00.500Z'],
    ['2026-03-01T12:00:00-01:00', '2026-03-01T13:00:00.000Z'],
  ])('is read as UTC, whatever the zone of the server: %s', (text, utc) => {
    vi.stubEnv('TZ', 'Africa/Lagos');
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(v.parse(Timestamp, text)).toBe(utc);
  });

  it.each([
    ['letters', 'T'.repeat(200_000)],
    ['pairs', 'T+'.repeat(100_000)],
    ['decimals', `2026-03-01T12:00:00.${'0'.repeat(200_000)}x`],
  ])('is refused in linear time: %s', async (_name, text) => {
    expect(await cpuMsOf(() => expect(v.is(Timestamp, text)).toBe(false))).toBeLessThan(1000);
  });
});

describe('an id', () => {
  it.each(['.', '..', '', '\ud800', 'a\udc00b'])('cannot be %j', (id) => {
    expect(v.is(Identifier, id)).toBe(false);
  });

  it.each(['...', '.a', 'a/b', '%2e', ' ', '😀'])('may be %j', (id) => {
    expect(v.is(Identifier, id)).toBe(true);
  });

  it.each(['.', '..', '\ud800'])(
    'is not used to initiate a payment that could not be verified: %j',
    async (reference) => {
      const { client } = createTestClient('http://127.0.0.1:9');
      const { paymentMethod: _, ...link } = { ...initiationRequest, reference };
      const refused = { code: 'invalid_request', params: ['reference'] };
      expect(await failureOf(client.payments.initiate({ ...initiationRequest, reference }))).toMatchObject(
        refused,
      );
      expect(await failureOf(client.checkout.create(link))).toMatchObject(refused);
      expect(await failureOf(client.payments.verify(reference))).toMatchObject(refused);
    },
  );
});

describe('metadata', () => {
  it('may have an interface type, and may be an object without a prototype', async () => {
    interface Cart {
      items: number;
    }
    const cart: Cart = { items: 2 };
    const server = await startFaultServer([respondJson(200, initiation)]);
    await createTestClient(server.url).client.payments.initiate({ ...initiationRequest, metadata: cart });
    expect(JSON.parse(server.seen[0]?.body ?? '')).toMatchObject({ metadata: { items: 2 } });
    expect(v.is(Metadata, Object.create(null))).toBe(true);
  });
});
