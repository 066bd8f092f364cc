import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { createPaymentsClient } from '../../server-kit/core/client.ts';
import { PaymentsError } from '../../server-kit/core/errors.ts';
import type { PlainRequest } from '../../server-kit/core/http.ts';
import { bearerToken } from '../../server-kit/core/routes.ts';
import { createClientKey } from '../../server-kit/engine/routes/access/client-address.ts';
import { clientKeyOfConnection } from '../../server-kit/engine/routes/access/client-key.ts';
import { createOrigins, isSameOrigin } from '../../server-kit/engine/routes/access/cors.ts';
import { isCheckoutError } from '../../src/contract/index.ts';
import { createSessionClient } from '../../src/core/session-client.ts';
import { viewOf } from '../core/views.ts';
import { payment } from '../server-kit/kit/client-kit.ts';
import { anyText, damaged, damagedText } from './arbitraries.ts';
import { fuzz } from './fuzz.ts';

const withHeader = (name: string, value: string): PlainRequest =>
  ({ header: (asked: string) => (asked === name ? value : undefined) }) as PlainRequest;

fuzz(
  'Authorization has a token of its own characters, or none',
  damagedText(fc.constant('Bearer cs_test_abc')),
  (value) => {
    expect(bearerToken(withHeader('authorization', value))).toMatch(/^([\w.~+/-]+=*)?$/);
  },
);

describe('Origin, whatever it is', () => {
  const publicUrl = new URL('https://shop.example');
  const origins = createOrigins(publicUrl, ['https://www.shop.example'], () => {});
  const given = fc.oneof(
    damagedText(fc.constantFrom('https://shop.example', 'https://www.shop.example')),
    anyText,
  );

  fuzz('is allowed only for the shop and the allowed pages', given, (origin) => {
    const allowed = origins.headersFor(origin)['access-control-allow-origin'];
    expect([undefined, 'https://shop.example', 'https://www.shop.example']).toContain(allowed);
    if (allowed !== undefined) expect(allowed).toBe(origin);
    const isOwn = isSameOrigin(origin, new URL('http://shop.example/checkout'), publicUrl);
    if (isOwn) expect(new URL(origin).hostname).toBe('shop.example');
    origins.noteRefused(origin);
  });
});

describe('X-Forwarded-For, whatever a client writes into it', () => {
  const clientKey = createClientKey({ trustedProxies: ['10.0.0.0/8', '2001:db8::/32'] });
  const keyOf = (remoteAddress: string, forwardedFor: string): string | undefined =>
    clientKey({ remoteAddress, header: () => forwardedFor });
  const forged = fc.oneof(
    anyText,
    fc.array(fc.oneof(fc.ipV4(), fc.ipV6(), anyText), { maxLength: 5 }).map((hops) => hops.join(', ')),
  );

  fuzz(
    'does not choose the key behind a proxy that appends the address',
    fc.tuple(forged, fc.ipV6()),
    ([before, ipV6]) => {
      expect(keyOf('10.0.0.1', `${before}, 203.0.113.9`)).toBe('203.0.113.9');
      expect(keyOf('203.0.113.9', before)).toBe('203.0.113.9');
      expect(clientKeyOfConnection({ remoteAddress: before, header: () => ipV6 })).not.toBe('');
      expect(keyOf('10.0.0.1', before)).not.toBe('');
    },
  );
});

const statuses = fc.constantFrom(200, 204, 301, 304, 400, 401, 404, 409, 429, 500, 503);
const headerValue = anyText.filter((text) => /^[\x20-\x7e]*$/.test(text));
const responseOf = (status: number, text: string, headers: Record<string, string>): Response =>
  new Response([204, 304].includes(status) ? null : text, { status, headers });

describe('the responses of the checkout server, whatever they are', () => {
  const headers = fc.record({
    etag: headerValue,
    'retry-after': headerValue,
    'checkout-next-poll-ms': headerValue,
  });
  const body = fc.oneof(
    damaged(fc.constant(viewOf())).map((value) => JSON.stringify(value) ?? ''),
    damagedText(fc.constant('{"code":"forbidden","detail":"x"}')),
  );

  fuzz(
    'are a view or a CheckoutError, whose message does not contain the secret',
    fc.tuple(statuses, body, headers),
    async ([status, text, given]) => {
      const environment = {
        fetch: async () => responseOf(status, text, given),
        setTimer: () => () => {},
      } as never;
      const client = createSessionClient({ environment, baseUrl: '/checkout' });
      const options = { etag: undefined, waitSeconds: 0, signal: new AbortController().signal };
      try {
        const session = { reference: viewOf().reference, clientSecret: 'cs_test_fuzz' };
        const { nextPollMs } = await client.retrieve(session, options);
        expect(nextPollMs ?? 0).toBeGreaterThanOrEqual(0);
      } catch (error) {
        expect(isCheckoutError(error)).toBe(true);
        expect(inspect(error, { depth: 9 })).not.toContain('cs_test_fuzz');
      }
    },
  );
});

describe('the responses of the service, whatever they are', () => {
  const keys = { apiSecret: 'sk_fuzz_secret_1', apiKey: 'pk_fuzz_secret_2', authToken: 'auth_fuzz_secret_3' };
  const refusal = { error: { type: 'api_error', code: 'bad', message: 'no', params: ['reference'] } };
  const quoted = fc.constantFrom(...Object.values(keys), `Bearer ${keys.apiKey}`);
  const body = fc
    .tuple(fc.oneof(damaged(fc.constantFrom<unknown>(payment, refusal)), anyText), quoted, fc.boolean())
    .map(([value, secret, isQuoted]) => {
      const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
      return isQuoted ? text.replace(/"(?=[,}\]])/, ` ${secret}"`) : text;
    });
  const headers = fc.record({ date: headerValue, 'retry-after': headerValue, 'content-type': headerValue });

  fuzz(
    'are a payment or a PaymentsError, which says no key',
    fc.tuple(statuses, body, headers),
    async ([status, text, given]) => {
      const client = createPaymentsClient({
        baseUrl: 'https://service.example',
        ...keys,
        now: () => 1_772_366_400_000,
        maxRetries: 1,
        fetch: async () => responseOf(status, text, given),
        wait: async () => {},
      });
      try {
        expect((await client.payments.verify('ord_1')).chargedAmount ?? 0).toSatisfy(Number.isSafeInteger);
      } catch (error) {
        expect(error).toBeInstanceOf(PaymentsError);
        expect(inspect(error, { depth: 9 })).not.toMatch(/_fuzz_secret/);
      }
    },
    { share: 0.3 },
  );
});
