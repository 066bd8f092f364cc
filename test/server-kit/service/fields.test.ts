import * as v from 'valibot';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { Email, Identifier, Metadata, Timestamp, WebUrl } from '../../../server-kit/core/fields.ts';
import { createTestClient, failureOf, initiationRequest, linkRequest } from '../kit/client-kit.ts';
import { cpuMsOf } from '../kit/cpu-time.ts';

describe('a field', () => {
  it.each([
    [
      'an e-mail address',
      Email,
      [
        ...[
          "o'brien@example.com",
          'info@xn--mnchen-3ya.de',
          'a@b.xn--p1ai',
          'x@a--b.com',
          'ada&co@example.com',
        ],
        ...['a!b@example.com', 'a#b@example.com', 'ada/x@example.com', 'first.last+tag@sub.example.co.uk'],
      ],
      ['ada', 'ada@', '@example.com', 'a b@example.com', 'a@b@example.com', 'ada@example..com', 'ada@-a.com'],
    ],
    [
      'a web address',
      WebUrl,
      [
        ...['https://shop.example', 'HTTPS://shop.example/x?y=1#z', 'http://[::1]:8080/'],
        ...['https://münchen.example/ü', 'https://shop.example/%zz'],
      ],
      [
        ...['https:shop.example/x', 'https:/shop.example', 'https:\\\\shop.example', 'https:/\\shop.example'],
        ...['https:///shop.example', ' https://shop.example', 'https://shop.example\n'],
        ...['https://shop.example/a b', 'https://shop.example/\u0000', 'https://shop.example\\@evil.example'],
        ...['https://a@evil.example', 'https://:b@evil.example', 'javascript://shop.example/%0aalert(1)'],
      ],
    ],
    [
      'a timestamp',
      Timestamp,
      ['2026-03-01T12:00:00Z'],
      [
        ...['2026-13-01T00:00:00Z', '2026-03-01T25:00:00Z', 'Tue, 01 Mar 2026 12:00:00 Z', 'T 5 Z'],
        ...['2026-03-01 12:00:00Z', '2026-03-01T12:00:00+01', ' 2026-03-01T12:00:00Z'],
        '2026-03-01T12:00:00Z\n',
      ],
    ],
    ['an id', Identifier, ['...', '.a', 'a/b', '%2e', ' ', '😀'], ['.', '..', '', '\ud800', 'a\udc00b']],
  ])('accepts what is %s, and nothing else', (_name, schema, accepted, refused) => {
    for (const text of accepted) expect(v.is(schema, text), text).toBe(true);
    for (const text of refused) expect(v.is(schema, text), text).toBe(false);
  });
});

describe('a timestamp', () => {
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

it.each(['.', '..', '\ud800'])(
  'does not initiate or verify a payment under a reference that no path carries: %j',
  async (reference) => {
    const { payments, checkout } = createTestClient('http://127.0.0.1:9').client;
    const refusal = { code: 'invalid_request', params: ['reference'] };
    for (const call of [
      payments.initiate({ ...initiationRequest, reference }),
      checkout.create({ ...linkRequest, reference }),
      payments.verify(reference),
    ])
      expect(await failureOf(call)).toMatchObject(refusal);
  },
);

it('metadata may have an interface type, and may be an object without a prototype', () => {
  interface Cart {
    items: number;
  }
  const metadata: Cart = { items: 2 };
  const request: Parameters<ReturnType<typeof createTestClient>['client']['payments']['initiate']>[0] = {
    ...initiationRequest,
    metadata,
  };
  expect(v.is(Metadata, request.metadata)).toBe(true);
  expect(v.is(Metadata, Object.create(null))).toBe(true);
});
