import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parseCallback } from '../../../server-kit/core/signature.ts';
import { createDialect } from '../../../server-kit/service/dialect.ts';
import { signCallback } from '../../../server-kit/service/signatures.ts';
import { type CallbackVector, vectors } from '../kit/vectors.ts';

const nowFor = (timestamp: string): number => Number(timestamp) * 1000;
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** The bytes of the text, with one letter of a value replaced by invalid UTF-8. */
function brokenBytes(text: string): Uint8Array {
  const at = text.indexOf('ord_');
  return bytesOf(text).fill(0xff, at, at + 1);
}

describe('callback signatures', () => {
  it.each(vectors.callbacks)('verifies the vector "$name", as text and as bytes', async (vector) => {
    const { secret, ...message } = vector;
    const input = { ...message, secrets: ['rotated-in', secret], now: nowFor(vector.timestamp) };
    await parseCallback(input);
    await parseCallback({ ...input, rawBody: bytesOf(vector.rawBody) });
  });

  it.each(vectors.callbacks.filter(({ name }) => !/lower-cased|JSON.stringify/.test(name)))(
    'signs as the vector "$name"',
    async (vector) => {
      expect(await signCallback(vector)).toBe(vector.signature);
    },
  );

  it('signs the lower-cased URL if the dialect says so', async () => {
    const vector = vectors.callbacks.find(({ name }) => name.includes('lower-cased URL')) as CallbackVector;
    const dialect = createDialect({ signedCallbackUrl: 'lowerCase' });
    expect(await signCallback({ ...vector, dialect })).toBe(vector.signature);
  });

  const { secret, ...first } = vectors.callbacks[0] as CallbackVector;
  const good = { ...first, secrets: [secret], now: nowFor(first.timestamp) };

  it('ignores the event, which is not signed', async () => {
    await parseCallback({ ...good, rawBody: good.rawBody.replace('payment.succeeded', 'payment.failed') });
  });

  it.each([
    ['another URL', { callbackUrl: 'https://shop.example/hooks' }, 'signature_mismatch'],
    ['changed data', { rawBody: good.rawBody.replace('ord_1001', 'ord_1002') }, 'signature_mismatch'],
    ['a body that is not JSON', { rawBody: '<html>' }, 'body_malformed'],
    ['a body that is a list', { rawBody: '[]' }, 'body_malformed'],
    ['a body without data', { rawBody: '{"event":"payment.succeeded"}' }, 'body_malformed'],
    ['data twice', { rawBody: good.rawBody.replace('{"event"', '{"data":{},"event"') }, 'body_malformed'],
    ['a key twice in data', { rawBody: good.rawBody.replace('"id"', '"id":1,"id"') }, 'body_malformed'],
    ['one with an escape', { rawBody: good.rawBody.replace('"id"', '"\\u0069d":1,"id"') }, 'body_malformed'],
    [
      'data nested 200,000 deep',
      { rawBody: `{"event":"x","data":${'['.repeat(200_000)}${']'.repeat(200_000)}}` },
      'body_malformed',
    ],
    ['a body nested 200,000 deep', { rawBody: '['.repeat(200_000) }, 'body_malformed'],
    ['a callback six minutes old', { now: good.now + 360_000 }, 'timestamp_out_of_tolerance'],
    ['a signature with more behind it', { signature: `${good.signature}0` }, 'signature_mismatch'],
    ['another secret', { secrets: ['sk_other', ''] }, 'signature_mismatch'],
    ['bytes that are not UTF-8', { rawBody: brokenBytes(good.rawBody) }, 'body_malformed'],
    ['half of a character', { rawBody: '{"data":{"a":"\ud800"}}' }, 'body_malformed'],
    ['a byte order mark', { rawBody: `\ufeff${good.rawBody}` }, 'body_malformed'],
    ['bytes with a byte order mark', { rawBody: bytesOf(`\ufeff${good.rawBody}`) }, 'body_malformed'],
  ])('refuses %s', async (_name, change, code) => {
    const refusal = { name: 'SignatureError', code, message: expect.stringMatching(/^\w.+\.$/) };
    await expect(parseCallback({ ...good, ...change })).rejects.toMatchObject(refusal);
  });
});

/** Creates a callback as the service sends it. */
async function parseSigned(body: object, change: object = {}) {
  const [secret, timestamp, callbackUrl] = ['sk_test_1', '1763600000', 'https://shop.example/Callbacks'];
  const rawBody = JSON.stringify(body);
  const signature = await signCallback({ secret, callbackUrl, rawBody, timestamp });
  return parseCallback({
    callbackUrl,
    rawBody: bytesOf(rawBody),
    signature,
    timestamp,
    secrets: [secret],
    now: nowFor(timestamp),
    ...change,
  });
}

describe('parseCallback', () => {
  it('returns the event and the data', async () => {
    const data = { id: '1', reference: 'r', status: 'succeeded' };
    expect(await parseSigned({ event: 'x', data })).toEqual({ event: 'x', data });
  });

  it.each([undefined, null, 12, {}])('reads a callback whose event is %j', async (event) => {
    expect(await parseSigned({ event, data: { id: '1' } })).toMatchObject({ event: undefined });
  });

  it.each([[null], ['text'], [[]]])('refuses the signed data %j, which is not an object', async (data) => {
    await expect(parseSigned({ event: 'x', data })).rejects.toThrow(
      /"data" of the callback is not an object/,
    );
  });

  it('quotes nothing of an unreadable body', async () => {
    const rawBody = '{"event":"x","data":{"accessToken":"tok_secret" x';
    const error = await parseSigned({ data: {} }, { rawBody }).catch((cause: unknown) => cause);
    expect(inspect(error, { depth: 9 })).not.toMatch(/tok_|secret"/);
  });
});
