import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { createCartCookies } from '../../demo/node/cart-cookies.ts';
import { canonicalJson, parseJsonObject, sliceJsonMember } from '../../server-kit/core/json.ts';
import { createClientSecrets } from '../../server-kit/core/secrets.ts';
import { parseCallback, SignatureError, signRequest } from '../../server-kit/core/signature.ts';
import { signCallback, verifyRequest } from '../../server-kit/service/signatures.ts';
import { anyJson, anyText, damaged, damagedText } from './arbitraries.ts';
import { fuzz } from './fuzz.ts';

const secret = 'sk_fuzz_6f1d2a90c7';
const timestamp = '1772366400';
const now = Number(timestamp) * 1000;
const callbackUrl = 'https://shop.example/Checkout/callbacks';
const data = {
  id: 'pay_1',
  reference: 'tc_1',
  status: 'succeeded',
  chargedAmount: 1_250_000,
  meta: { a: [1, 'ä'] },
};
const rawBody = JSON.stringify({ event: 'payment.succeeded', data });
const signature = await signCallback({ secret, callbackUrl, rawBody, timestamp });

/** Whatever is wrong with a message: its error says neither a secret nor anything of the body. */
function expectRefusal(error: unknown): void {
  expect(error).toBeInstanceOf(SignatureError);
  expect(inspect(error, { depth: 9 })).not.toMatch(/sk_fuzz|tc_1|succeeded/);
}

const kept = <T>(valid: T, other: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ arbitrary: fc.constant(valid), weight: 4 }, other);

describe('a callback, however it is damaged', () => {
  const bodies = fc.oneof(
    damagedText(fc.constant(rawBody)),
    damaged(fc.constant({ event: 'x', data })).map((value) => JSON.stringify(value) ?? ''),
    fc.constantFrom(
      JSON.stringify({ data: { ...data, id: 'pay_2' }, event: 'x' }),
      rawBody.replace('{', '{"data":{},'),
      rawBody.replace('"data":{', '"data":{"id":"pay_2",'),
    ),
    fc.uint8Array({ maxLength: 60 }),
  );
  const messages = fc.record({
    rawBody: bodies,
    signature: kept<string | null>(
      signature,
      fc.oneof(damagedText(fc.constant(signature)), fc.constant(null)),
    ),
    timestamp: kept<string | null>(
      timestamp,
      fc.oneof(damagedText(fc.constant(timestamp)), fc.constant(null)),
    ),
    callbackUrl: kept(callbackUrl, damagedText(fc.constant(callbackUrl))),
    now: kept(now, fc.double({ min: now - 1e6, max: now + 1e6 })),
  });

  fuzz('is refused, or has the data that the service has signed', messages, async (message) => {
    let parsed: object;
    try {
      parsed = (await parseCallback({ ...message, secrets: ['', secret] })).data;
    } catch (error) {
      return expectRefusal(error);
    }
    expect(parsed).toEqual(data);
    expect(message).toMatchObject({ signature, timestamp });
    expect(message.callbackUrl.toLowerCase()).toBe(callbackUrl.toLowerCase());
    expect(Math.abs(message.now - now)).toBeLessThanOrEqual(300_000);
  });

  fuzz(
    'is accepted as the service signs it, whatever is in it',
    fc.dictionary(fc.string(), anyJson),
    async (any) => {
      const sent = JSON.stringify({ event: 'x', data: any });
      const accepted = await parseCallback({
        rawBody: new TextEncoder().encode(sent),
        secrets: [secret],
        timestamp,
        callbackUrl,
        now,
        signature: await signCallback({ secret, callbackUrl, rawBody: sent, timestamp }).catch(
          (error: unknown) => {
            expectRefusal(error);
            return null;
          },
        ),
      }).catch(expectRefusal);
      // The name of a prototype is lost where JSON is written, and halves of characters where it is sent.
      if (accepted !== undefined)
        expect(JSON.stringify(accepted.data)).toBe(JSON.stringify(JSON.parse(sent).data));
    },
  );
});

describe('a request to the service, however it is damaged', () => {
  const path = '/v1/payments/tc_1/verify';
  const bodyText = canonicalJson(data);
  const messages = fc.record({
    path: kept(path, damagedText(fc.constant(path))),
    bodyText: fc.oneof(
      damagedText(fc.constant(bodyText)),
      damaged(fc.constant(data)).map((value) => JSON.stringify(value)),
    ),
    timestamp: kept(timestamp, damagedText(fc.constant(timestamp))),
  });

  fuzz('is refused, or says what was signed', messages, async (message) => {
    const signed = await signRequest({ secret, path, bodyText, timestamp });
    try {
      await verifyRequest({ ...message, signature: signed.signature, secrets: [secret], now });
    } catch (error) {
      return expectRefusal(error);
    }
    expect(canonicalJson(JSON.parse(message.bodyText ?? ''))).toBe(bodyText);
    expect(message).toMatchObject({ path, timestamp });
  });
});

const jsonText = fc.oneof(
  damagedText(fc.constant(rawBody)),
  damagedText(fc.constant('{"data":{"data":1},"da\\u0074a2":[{"a":1},"}\\"{"], "x" : -1e5 }')),
  anyJson.map((value) => JSON.stringify({ data: value })),
  anyJson.map((value) => `{"data":1,"data":${JSON.stringify(value)}}`),
);

fuzz('the member of a JSON text is the one that a parser reads, or the text is refused', jsonText, (text) => {
  let slice: string | undefined;
  try {
    slice = sliceJsonMember(text, 'data');
    parseJsonObject(text);
  } catch (error) {
    expect(error).toBeInstanceOf(SyntaxError);
    return;
  }
  const whole = JSON.parse(text) as { data?: unknown };
  if (slice === undefined) expect(Object.hasOwn(whole, 'data')).toBe(false);
  else expect(JSON.parse(slice)).toEqual(whole.data);
});

const secrets = createClientSecrets(
  ['a-key-of-the-fuzz-tests-6f1d2a90c7', 'an-older-key-of-the-fuzz-tests-1b'],
  600,
);
const reference = 'tc_7f3k9qxm2d4w';
const claims = { reference, liveMode: false, expiresAtSeconds: now / 1000 + 600 };
const issued = await secrets.issue({ ...claims, expiresAt: new Date(now).toISOString() });

fuzz(
  'a client secret, however it is damaged, opens nothing but its own payment, until it expires',
  fc.tuple(
    kept(issued, fc.oneof(damagedText(fc.constant(issued)), anyText)),
    kept(reference, fc.oneof(damagedText(fc.constant(reference)), anyText)),
    kept(now, fc.double({ min: now, max: now + 1e7 })),
  ),
  async ([given, asked, at]) => {
    const isRight = given === issued && asked === reference && at < now + 600_000;
    expect(await secrets.verify(given, asked, at)).toEqual(isRight ? claims : undefined);
  },
);

const cookies = createCartCookies('a-secret-of-the-fuzz-tests');
const cart = { orderId: 'order-1', items: [] } as never;
const [cookie = ''] = cookies.write(cart).split(';');

fuzz(
  'a cart in a cookie, however it is damaged, is the one that was signed, or none',
  damagedText(fc.constantFrom(cookie, `a=b; ${cookie}`, `${cookie}; c=d`)),
  (given) => {
    const read = cookies.read(given);
    if (read !== undefined) expect(read).toEqual(cart);
  },
);
