import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../server-kit/canonical-json.ts';
import { createDialect } from '../../server-kit/dialect.ts';
import { hmacSha512, hmacWithWebCrypto, toHex } from '../../server-kit/hmac.ts';
import { signCallback, signRequest, verifyCallback, verifyRequest } from '../../server-kit/signature.ts';

type RequestVector = {
  name: string;
  secret: string;
  path: string;
  body: unknown;
  timestamp: string;
  canonicalBody: string | null;
  bodyHash: string | null;
  signature: string;
};
type CallbackVector = {
  name: string;
  secret: string;
  callbackUrl: string;
  timestamp: string;
  rawBody: string;
  signature: string;
};
const vectors: { requests: RequestVector[]; callbacks: CallbackVector[] } = JSON.parse(
  readFileSync(new URL('../vectors/signatures.json', import.meta.url), 'utf8'),
);

const nowFor = (timestamp: string): number => Number(timestamp) * 1000;

describe('request signatures', () => {
  it.each(vectors.requests)('agrees with the vector "$name"', async (vector) => {
    const signed = await signRequest({ ...vector, body: vector.body ?? undefined });
    expect(signed.bodyText).toBe(vector.canonicalBody ?? undefined);
    expect(signed.bodyHash).toBe(vector.bodyHash ?? '');
    expect(signed.signature).toBe(vector.signature);
  });

  it.each(vectors.requests)(
    'verifies the vector "$name", whatever the order of keys sent',
    async (vector) => {
      const bodyText = vector.body === null ? undefined : JSON.stringify(vector.body);
      const { path, timestamp, signature } = vector;
      await verifyRequest({
        path,
        bodyText,
        timestamp,
        signature,
        secrets: [vector.secret],
        now: nowFor(timestamp),
      });
    },
  );

  const [, , vector] = vectors.requests as [RequestVector, RequestVector, RequestVector];
  const good = {
    path: vector.path,
    bodyText: vector.canonicalBody ?? '',
    timestamp: vector.timestamp,
    signature: vector.signature,
    secrets: [vector.secret],
    now: nowFor(vector.timestamp),
  };

  it('accepts any of several secrets', async () => {
    await verifyRequest({ ...good, secrets: ['another', vector.secret] });
  });

  it.each([
    ['another path', { path: '/v1/payouts' }, 'signature_mismatch'],
    ['a changed body', { bodyText: '{"amount":1}' }, 'signature_mismatch'],
    ['a body left out', { bodyText: undefined }, 'signature_mismatch'],
    ['another secret', { secrets: ['sk_other'] }, 'signature_mismatch'],
    ['no secret at all', { secrets: [] }, 'signature_mismatch'],
    ['a signature in capitals', { signature: vector.signature.toUpperCase() }, 'signature_mismatch'],
    ['a signature cut short', { signature: vector.signature.slice(0, 64) }, 'signature_mismatch'],
    ['no signature', { signature: '' }, 'signature_missing'],
    ['a null signature', { signature: null }, 'signature_missing'],
    ['no timestamp', { timestamp: undefined }, 'timestamp_missing'],
    ['a timestamp of 9 digits', { timestamp: '176360000' }, 'timestamp_malformed'],
    ['a timestamp of 11 digits', { timestamp: '17636000010' }, 'timestamp_malformed'],
    ['a timestamp with a sign', { timestamp: '-763600001' }, 'timestamp_malformed'],
    ['a timestamp six minutes old', { now: good.now + 360_000 }, 'timestamp_out_of_tolerance'],
    ['a timestamp six minutes ahead', { now: good.now - 360_000 }, 'timestamp_out_of_tolerance'],
    ['a clock that is not a number', { now: Number.NaN }, 'timestamp_out_of_tolerance'],
    ['a body that is not JSON', { bodyText: '{"amount":' }, 'body_malformed'],
    ['a body with the key __proto__', { bodyText: '{"__proto__":{}}' }, 'body_malformed'],
    ['a body nested too deep', { bodyText: `${'['.repeat(5000)}${']'.repeat(5000)}` }, 'body_malformed'],
  ])('refuses %s', async (_name, change, code) => {
    await expect(verifyRequest({ ...good, ...change })).rejects.toMatchObject({ code });
  });

  it.each([299, -299])('accepts a timestamp %i s from the clock', async (seconds) => {
    await verifyRequest({ ...good, now: good.now + seconds * 1000 });
  });

  it('follows the dialect: exact path, and the hash of {} for a request without body', async () => {
    const dialect = createDialect({ signedPath: 'exact', bodyHashWithoutBody: 'emptyObject' });
    const signed = await signRequest({
      secret: 's',
      path: '/v1/payments/ABC',
      timestamp: '1763600000',
      dialect,
    });
    const emptyHash = toHex(await hmacSha512('s', '{}'));
    expect(signed.signedText).toBe(`/v1/payments/ABC${emptyHash}1763600000`);
    expect(signed.bodyText).toBeUndefined();
  });
});

describe('callback signatures', () => {
  it.each(vectors.callbacks)('verifies the vector "$name"', async (vector) => {
    const { secret, ...message } = vector;
    await verifyCallback({ ...message, secrets: ['rotated-in', secret], now: nowFor(vector.timestamp) });
  });

  it.each(vectors.callbacks.filter(({ name }) => !/lower-cased|JSON.stringify/.test(name)))(
    'signs as the vector "$name"',
    async (vector) => {
      expect(await signCallback(vector)).toBe(vector.signature);
    },
  );

  it('signs the lower-cased URL where the dialect says so', async () => {
    const vector = vectors.callbacks.find(({ name }) => name.includes('lower-cased URL')) as CallbackVector;
    const dialect = createDialect({ signedCallbackUrl: 'lowerCase' });
    expect(await signCallback({ ...vector, dialect })).toBe(vector.signature);
  });

  const { secret, ...first } = vectors.callbacks[0] as CallbackVector;
  const good = { ...first, secrets: [secret], now: nowFor(first.timestamp) };

  it('takes no notice of the event, which lies outside the signature', async () => {
    await verifyCallback({ ...good, rawBody: good.rawBody.replace('payment.succeeded', 'payment.failed') });
  });

  it.each([
    ['another URL', { callbackUrl: 'https://shop.example/hooks' }, 'signature_mismatch'],
    ['changed data', { rawBody: good.rawBody.replace('ord_1001', 'ord_1002') }, 'signature_mismatch'],
    [
      'white space inside the data that was not signed',
      { rawBody: good.rawBody.replace('"id":', '"id" :').replace('1250000', '1250001') },
      'signature_mismatch',
    ],
    ['a body that is not JSON', { rawBody: '<html>' }, 'body_malformed'],
    ['a body that is a list', { rawBody: '[]' }, 'body_malformed'],
    ['a body without data', { rawBody: '{"event":"payment.succeeded"}' }, 'body_malformed'],
    ['data twice', { rawBody: good.rawBody.replace('{"event"', '{"data":{},"event"') }, 'body_malformed'],
    [
      'a key twice inside data',
      { rawBody: good.rawBody.replace('"id":"pay_1"', '"id":"pay_1","id":"pay_2"') },
      'body_malformed',
    ],
    [
      'the same key spelled with an escape',
      { rawBody: good.rawBody.replace('"id":"pay_1"', '"id":"pay_1","\\u0069d":"x"') },
      'body_malformed',
    ],
    [
      'data nested 200,000 deep',
      { rawBody: `{"event":"x","data":${'['.repeat(200_000)}${']'.repeat(200_000)}}` },
      'signature_mismatch',
    ],
    ['a body nested 200,000 deep', { rawBody: '['.repeat(200_000) }, 'body_malformed'],
    ['a callback six minutes old', { now: good.now + 360_000 }, 'timestamp_out_of_tolerance'],
    ['no signature', { signature: null }, 'signature_missing'],
  ])('refuses %s', async (_name, change, code) => {
    await expect(verifyCallback({ ...good, ...change })).rejects.toMatchObject({
      name: 'SignatureError',
      code,
    });
  });
});

describe('hmacSha512', () => {
  it('gives the same over WebCrypto and node:crypto', async () => {
    for (const [key, message] of [
      ['k', ''],
      ['clé', 'Ẹ kú iṣẹ́ 😀'],
      ['x'.repeat(200), 'long key'],
    ] as const) {
      expect(toHex(await hmacWithWebCrypto(key, message))).toBe(toHex(await hmacSha512(key, message)));
    }
  });
});

describe('canonicalJson', () => {
  it('refuses numbers that JSON would turn into null', () => {
    expect(() => canonicalJson({ amount: Number.NaN })).toThrow(/"amount" is NaN/);
  });

  it('leaves undefined members out and applies toJSON', () => {
    expect(canonicalJson({ b: undefined, a: new Date(0) })).toBe('{"a":"1970-01-01T00:00:00.000Z"}');
  });

  it.each([[undefined], [() => 1]])('refuses %s, which is no JSON value', (value) => {
    expect(() => canonicalJson(value)).toThrow(TypeError);
  });
});
