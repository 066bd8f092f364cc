import { createHmac } from 'node:crypto';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../../server-kit/core/json.ts';
import { hmacHex } from '../../../server-kit/core/secrets.ts';
import { signRequest, toTimestamp } from '../../../server-kit/core/signature.ts';
import { createDialect } from '../../../server-kit/service/dialect.ts';
import { verifyRequest } from '../../../server-kit/service/signatures.ts';
import { type RequestVector, vectors } from '../kit/vectors.ts';

const nowFor = (timestamp: string): number => Number(timestamp) * 1000;

/** What a refusal with this code names. */
function partAtFault(code: string): string {
  if (code.startsWith('signature')) return 'Request-Signature';
  return code.startsWith('timestamp') ? 'Request-Timestamp' : 'body';
}

describe('request signatures', () => {
  it.each(vectors.requests)(
    'agrees with the vector "$name", whatever the order of keys sent',
    async (vector) => {
      const signed = await signRequest({ ...vector, body: vector.body ?? undefined });
      expect(signed.bodyText).toBe(vector.canonicalBody ?? undefined);
      expect(signed.bodyHash).toBe(vector.bodyHash ?? '');
      expect(signed.signature).toBe(vector.signature);
      const bodyText = vector.body === null ? undefined : JSON.stringify(vector.body);
      const { path, timestamp, signature, secret } = vector;
      await verifyRequest({
        path,
        bodyText,
        timestamp,
        signature,
        secrets: [secret],
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
    ['no secret that matches', { secrets: ['sk_other', 'sk_third'] }, 'signature_mismatch'],
    ['a signature in capitals', { signature: vector.signature.toUpperCase() }, 'signature_mismatch'],
    ['a signature cut short', { signature: vector.signature.slice(0, 64) }, 'signature_mismatch'],
    ['no signature', { signature: '' }, 'signature_missing'],
    ['a null signature', { signature: null }, 'signature_missing'],
    ['no timestamp', { timestamp: undefined }, 'timestamp_missing'],
    ['a timestamp of 9 digits', { timestamp: '176360000' }, 'timestamp_malformed'],
    ['a timestamp of 11 digits', { timestamp: '17636000010' }, 'timestamp_malformed'],
    ['a timestamp with a sign', { timestamp: '-763600001' }, 'timestamp_malformed'],
    ['a timestamp a millisecond too old', { now: good.now + 300_001 }, 'timestamp_out_of_tolerance'],
    ['a secret that is missing', { secrets: [undefined as never] }, 'signature_mismatch'],
    ['a timestamp six minutes old', { now: good.now + 360_000 }, 'timestamp_out_of_tolerance'],
    ['a timestamp six minutes ahead', { now: good.now - 360_000 }, 'timestamp_out_of_tolerance'],
    ['a clock that is not a number', { now: Number.NaN }, 'timestamp_out_of_tolerance'],
    ['a body that is not JSON', { bodyText: '{"amount":' }, 'body_malformed'],
    ['a body with the key __proto__', { bodyText: '{"__proto__":{}}' }, 'body_malformed'],
    ['a body nested too deep', { bodyText: `${'['.repeat(5000)}${']'.repeat(5000)}` }, 'body_malformed'],
  ])('refuses %s, and names the part at fault', async (_name, change, code) => {
    const message = expect.stringContaining(partAtFault(code));
    await expect(verifyRequest({ ...good, ...change })).rejects.toMatchObject({ code, message });
  });

  it.each([
    [360, /360 s old.* 300 s/],
    [-360, /360 s ahead.* 300 s/],
  ])('says which way a clock %i s off is wrong, and how much is accepted', async (seconds, message) => {
    const now = good.now + seconds * 1000;
    await expect(verifyRequest({ ...good, now })).rejects.toThrow(message);
  });

  it.each([
    ['22212345678x', /not JSON/],
    ['{"number":22212345678x}', /not JSON/],
    ['{"number":"22212345678"', /not JSON/],
    ['{"__proto__":22212345678}', /__proto__/],
  ])('says why it refuses a body, and quotes nothing of it: %s', async (bodyText, why) => {
    const error = await verifyRequest({ ...good, bodyText }).catch((refusal: unknown) => refusal);
    expect(error).toMatchObject({ code: 'body_malformed', message: expect.stringMatching(why) });
    expect(inspect(error, { depth: 9, showHidden: true })).not.toMatch(/222123/);
  });

  it('never matches an empty secret, with which anybody could sign', async () => {
    const { path, bodyText, timestamp } = good;
    const hmac = (text: string): string => createHmac('sha512', '').update(text).digest('hex');
    const signature = hmac(path + hmac(bodyText) + timestamp);
    await expect(verifyRequest({ ...good, signature, secrets: [''] })).rejects.toMatchObject({
      code: 'signature_mismatch',
    });
  });

  it.each([300, -300])('accepts a timestamp %i s from the clock', async (seconds) => {
    await verifyRequest({ ...good, now: good.now + seconds * 1000 });
  });

  it('follows the dialect: an exact path, and the hash of {} for a request without a body', async () => {
    const dialect = createDialect({ signedPath: 'exact', bodyHashWithoutBody: 'emptyObject' });
    const signed = await signRequest({
      secret: 's',
      path: '/v1/payments/ABC',
      timestamp: '1763600000',
      dialect,
    });
    const emptyHash = await hmacHex('s', '{}');
    expect(signed.signedText).toBe(`/v1/payments/ABC${emptyHash}1763600000`);
    expect(signed.bodyText).toBeUndefined();
  });
});

it.each([
  [1_763_600_000_000, '1763600000'],
  [1_763_600_000_999, '1763600000'],
  [1_763_600_001_000, '1763600001'],
])('the timestamp of %d ms is %s, rounded down', (ms, timestamp) => {
  expect(toTimestamp(ms)).toBe(timestamp);
});

describe('canonicalJson', () => {
  it.each([
    [{ amount: Number.NaN }, /"amount", NaN/],
    [{ amount: Object(Number.NaN) }, /"amount", NaN/],
    ...[undefined, () => 1, Symbol('x')].map((item): [object, RegExp] => [{ a: [1, item] }, /"1"/]),
    [undefined, TypeError],
    [() => 1, TypeError],
  ])('refuses what JSON would turn into null or leave out: %o', (value, refusal) => {
    expect(() => canonicalJson(value)).toThrow(refusal);
  });

  it('accepts 100 levels, and refuses 101', () => {
    const nested = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}1${']'.repeat(levels)}`);
    expect(canonicalJson(nested(100))).toHaveLength(201);
    expect(() => canonicalJson(nested(101))).toThrow(/deeper than 100/);
  });

  it('leaves undefined members out and applies toJSON', () => {
    expect(canonicalJson({ b: undefined, a: new Date(0) })).toBe('{"a":"1970-01-01T00:00:00.000Z"}');
  });
});
