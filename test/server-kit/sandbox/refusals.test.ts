import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../server-kit/sandbox/index.ts';
import {
  type Answer,
  call,
  controlCall,
  goodBody,
  initiate,
  newSandbox,
  origin,
  read,
  type SignedCall,
  startMs,
} from './sandbox-kit.ts';

const seconds = (offset: number): string => String(startMs / 1000 + offset);

/** Every refusal is an envelope as section 7 says, dated by the sandbox's clock. */
function expectRefusal(answer: Answer, status: number, code: string): void {
  expect([answer.status, answer.body?.error.code]).toEqual([status, code]);
  expect(Object.keys(answer.body)).toEqual(['error']);
  expect(Object.keys(answer.body.error).sort()).toEqual(['code', 'message', 'params', 'type']);
  expect(answer.headers.get('content-type')).toBe('application/json');
  expect(answer.headers.get('date')).toBe('Fri, 02 Jan 2026 09:30:00 GMT');
}

async function expectStillServing(sandbox: Sandbox): Promise<void> {
  expect(sandbox.control.listPayments()).toHaveLength(0);
  expect((await initiate(sandbox)).reference).toBe('ord_1001');
}

describe('a request that is not authentic', () => {
  it.each<[string, SignedCall, string]>([
    ['without a signature', { headers: { 'request-signature': null } }, 'request_signature_missing'],
    ['with an empty signature', { headers: { 'request-signature': '' } }, 'request_signature_missing'],
    ['signed with another secret', { secret: 'sk_other' }, 'request_signature_invalid'],
    ['with a made-up signature', { headers: { 'request-signature': 'x' } }, 'request_signature_invalid'],
    [
      'with another body than was signed',
      { sentText: JSON.stringify({ ...goodBody, amount: { value: 1, currency: 'NGN' } }) },
      'request_signature_invalid',
    ],
    ['without a timestamp', { headers: { 'request-timestamp': null } }, 'request_timestamp_invalid'],
    ['with a timestamp of 9 digits', { timestamp: '176734620' }, 'request_timestamp_invalid'],
    ['with a timestamp of 11 digits', { timestamp: '17673462000' }, 'request_timestamp_invalid'],
    ['with a timestamp that is NaN', { timestamp: 'NaN' }, 'request_timestamp_invalid'],
    ['301 s old', { timestamp: seconds(-301) }, 'request_timestamp_out_of_tolerance'],
    ['from 301 s ahead', { timestamp: seconds(301) }, 'request_timestamp_out_of_tolerance'],
    ['with another API key', { headers: { authorization: 'Bearer pk_other' } }, 'api_key_invalid'],
    [
      'with the API secret as key',
      { headers: { authorization: 'Bearer sk_test_sandbox' } },
      'api_key_invalid',
    ],
    ['with another scheme', { headers: { authorization: 'Basic pk_test_sandbox' } }, 'api_key_invalid'],
  ])('is refused: one %s', async (_name, options, code) => {
    const sandbox = newSandbox();
    const answer = await call(sandbox, '/v1/payments', { body: goodBody, ...options });
    expectRefusal(answer, 401, code);
    expect(answer.body.error.type).toBe('authentication_error');
    await expectStillServing(sandbox);
  });

  it('is refused before its body is judged', async () => {
    const answer = await call(newSandbox(), '/v1/payments', { body: {}, secret: 'sk_other' });
    expectRefusal(answer, 401, 'request_signature_invalid');
  });

  it('is refused on a GET as well, and tells nothing of what exists', async () => {
    const sandbox = newSandbox();
    const { id } = await initiate(sandbox);
    for (const path of [`/v1/payments/${id}`, '/v1/payments/none']) {
      expectRefusal(await call(sandbox, path, { secret: 'sk_other' }), 401, 'request_signature_invalid');
    }
  });
});

describe('a request that is authentic', () => {
  it.each<[string, SignedCall]>([
    ['the API key', { headers: { authorization: 'Bearer pk_test_sandbox' } }],
    ['a scheme in lower case', { headers: { authorization: 'bearer pk_test_sandbox' } }],
    ['a timestamp 299 s old', { timestamp: seconds(-299) }],
    ['a timestamp 299 s ahead', { timestamp: seconds(299) }],
    ['a charset', { headers: { 'content-type': 'Application/JSON; charset=utf-8' } }],
    [
      'keys in another order',
      { sentText: JSON.stringify(Object.fromEntries(Object.entries(goodBody).reverse())) },
    ],
  ])('is accepted with %s', async (_name, options) => {
    const answer = await call(newSandbox(), '/v1/payments', { body: goodBody, ...options });
    expect(answer.status).toBe(200);
  });

  it('is signed from /v1 on, whatever the base path', async () => {
    const sandbox = newSandbox({ basePath: '/service' });
    expect((await call(sandbox, '/v1/payments', { body: goodBody, basePath: '/service' })).status).toBe(200);
    expectRefusal(await call(sandbox, '/v1/payments', { body: goodBody }), 404, 'route_not_found');
    const other = await call(sandbox, '/v1/payments', { body: goodBody, basePath: '/services' });
    expectRefusal(other, 404, 'route_not_found');
  });

  it('follows the dialect: exact path, and the hash of {} for a request without body', async () => {
    const dialect = { signedPath: 'exact', bodyHashWithoutBody: 'emptyObject' } as const;
    const sandbox = newSandbox({ dialect });
    const path = '/v1/payments/ORD/verify';
    expectRefusal(await call(sandbox, path, { dialect }), 404, 'payment_not_found');
    expectRefusal(await call(sandbox, path), 401, 'request_signature_invalid');
  });

  it('must be dated by the clock of the sandbox, which its answers tell', async () => {
    const sandbox = newSandbox();
    sandbox.control.advanceClock({ advanceSeconds: 3600 });
    const late = await call(sandbox, '/v1/payments', { body: goodBody, timestamp: seconds(0) });
    expect([late.status, late.body.error.code]).toEqual([401, 'request_timestamp_out_of_tolerance']);
    expect(late.headers.get('date')).toBe('Fri, 02 Jan 2026 10:30:00 GMT');
    expect((await call(sandbox, '/v1/payments', { body: goodBody, timestamp: seconds(3600) })).status).toBe(
      200,
    );
  });
});

describe('routes', () => {
  it.each([
    '/',
    '/v1',
    '/v1/payment',
    '/v1/payments/',
    '/v1/payments/a/b/verify',
    '/v1/payments//verify',
    '/V1/payments/a',
    '/v1/payments/%FF',
  ])('has nothing at %s', async (path) =>
    expectRefusal(await call(newSandbox(), path), 404, 'route_not_found'),
  );

  it.each([
    ['PUT', '/v1/payments', 'POST, OPTIONS'],
    ['GET', '/v1/payments', 'POST, OPTIONS'],
    ['DELETE', '/v1/payments/pay_1', 'GET, HEAD, OPTIONS'],
    ['PATCH', '/v1/payments/checkout', 'POST, GET, HEAD, OPTIONS'],
    ['POST', '/v1/payments/pay_1/verify', 'GET, HEAD, OPTIONS'],
  ])('refuses %s %s, and says what is allowed', async (method, path, allow) => {
    const answer = await call(newSandbox(), path, { method });
    expectRefusal(answer, 405, 'method_not_allowed');
    expect(answer.headers.get('allow')).toBe(allow);
  });

  it('answers OPTIONS with the methods, and grants nothing to other origins', async () => {
    const answer = await read(
      await newSandbox().fetch(`${origin}/v1/payments`, {
        method: 'OPTIONS',
        headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
      }),
    );
    expect([answer.status, answer.headers.get('allow'), answer.body]).toEqual([
      204,
      'POST, OPTIONS',
      undefined,
    ]);
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('answers HEAD as GET, without the body', async () => {
    const sandbox = newSandbox();
    const { id } = await initiate(sandbox);
    const answer = await call(sandbox, `/v1/payments/${id}`, { method: 'HEAD' });
    expect([answer.status, answer.body]).toEqual([200, undefined]);
    expect((await call(sandbox, '/v1/payments/none', { method: 'HEAD' })).status).toBe(404);
  });
});

describe('a body that breaks the rules', () => {
  const { reference: _left, ...withoutReference } = goodBody;
  const amount = (value: unknown, currency: unknown = 'NGN') => ({
    ...goodBody,
    amount: { value, currency },
  });

  it.each<[string, object, string[]]>([
    ['no reference', withoutReference, ['reference']],
    ['an empty reference', { ...goodBody, reference: '' }, ['reference']],
    ['a reference that is a number', { ...goodBody, reference: 7 }, ['reference']],
    ['another payment method', { ...goodBody, paymentMethod: 'card' }, ['paymentMethod']],
    ['no amount', { ...goodBody, amount: undefined }, ['amount']],
    ['an amount that is a list', { ...goodBody, amount: [1] }, ['amount.value', 'amount.currency']],
    ['an amount of 0', amount(0), ['amount.value']],
    ['an amount below 0', amount(-5), ['amount.value']],
    ['half a minor unit', amount(0.5), ['amount.value']],
    ['an amount past 2^53', amount(2 ** 53), ['amount.value']],
    ['an amount that is a text', amount('100'), ['amount.value']],
    ['an amount that is null', amount(null), ['amount.value']],
    ['another currency', amount(100, 'EUR'), ['amount.currency']],
    ['an e-mail that is none', { ...goodBody, customer: { email: 'ada', name: 'Ada' } }, ['customer.email']],
    ['two faults', { ...amount(0), reference: '' }, ['reference', 'amount.value']],
    ['an expiry of 0', { ...goodBody, expiresIn: 0 }, ['expiresIn']],
    ['an expiry past every date', { ...goodBody, expiresIn: 9e15 }, ['expiresIn']],
    ['a callback URL with a script', { ...goodBody, callbackUrl: 'javascript:alert(1)' }, ['callbackUrl']],
    ['metadata that is a text', { ...goodBody, metadata: 'x' }, ['metadata']],
    ['an unknown field', { ...goodBody, expires_in: 60 }, ['expires_in']],
  ])('is refused with 422: %s', async (_name, body, params) => {
    const sandbox = newSandbox();
    const answer = await call(sandbox, '/v1/payments', { body });
    expectRefusal(answer, 422, 'validation_failed');
    expect(answer.body.error.type).toBe('invalid_request_error');
    expect([...answer.body.error.params].sort()).toEqual([...params].sort());
    await expectStillServing(sandbox);
  });
});

describe('a hostile body', () => {
  const text = JSON.stringify(goodBody);
  const nested = (depth: number): string =>
    `${text.slice(0, -1)},"x":${'['.repeat(depth)}${']'.repeat(depth)}}`;
  const latin1 = Uint8Array.from(text.replace('Ada', 'Adé'), (character) => character.charCodeAt(0));
  const padded = (size: number): string => text.padEnd(size, ' ');

  it.each<[string, SignedCall, number, string]>([
    ['of 1 MB', { sentText: padded(1_000_000) }, 413, 'body_too_large'],
    ['of 5 MB', { sentText: padded(5_000_000) }, 413, 'body_too_large'],
    ['that claims 1 MB', { headers: { 'content-length': '1000000' } }, 413, 'body_too_large'],
    ['nested 101 levels', { sentText: nested(101) }, 400, 'body_malformed'],
    ['nested 10,000 levels', { sentText: nested(10_000) }, 400, 'body_malformed'],
    ['nested 400,000 levels', { sentText: nested(400_000) }, 400, 'body_malformed'],
    [
      'with the key __proto__',
      { sentText: text.replace('{"cart"', '{"__proto__":{"a":1},"cart"') },
      400,
      'body_malformed',
    ],
    [
      'with a key twice',
      { sentText: text.replace('"expiresIn":900', '"expiresIn":1,"expiresIn":900') },
      400,
      'body_malformed',
    ],
    [
      'with a key twice, once escaped',
      { sentText: text.replace('"expiresIn":900', '"expires\\u0049n":1,"expiresIn":900') },
      400,
      'body_malformed',
    ],
    ['that is no UTF-8', { sentText: latin1 }, 400, 'body_malformed'],
    ['with a byte order mark', { sentText: `\uFEFF${text}` }, 400, 'body_malformed'],
    ['with NaN', { sentText: text.replace('1250000', 'NaN') }, 400, 'body_malformed'],
    [
      'with a number past every double',
      { sentText: text.replace('1250000', '1e400') },
      400,
      'body_malformed',
    ],
    ['cut short', { sentText: text.slice(0, -1) }, 400, 'body_malformed'],
    ['with something after it', { sentText: `${text}{}` }, 400, 'body_malformed'],
    [
      'that is a form',
      { headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      400,
      'content_type_unsupported',
    ],
    ['without content type', { headers: { 'content-type': '' } }, 400, 'content_type_unsupported'],
    [
      'with a content type that only begins like JSON',
      { headers: { 'content-type': 'application/json-seq' } },
      400,
      'content_type_unsupported',
    ],
  ])('is refused: one %s', async (_name, options, status, code) => {
    const sandbox = newSandbox();
    const answer = await call(sandbox, '/v1/payments', { body: goodBody, ...options });
    expectRefusal(answer, status, code);
    await expectStillServing(sandbox);
  });

  it.each([
    ['in a value', { reference: 'a\ud800' }],
    ['in a key', { metadata: { '\udc00': 1 } }],
    ['deep in a list', { metadata: { a: [[{ b: 'x\ud83dy' }]] } }],
  ])('is refused: one with a lone surrogate %s', async (_name, change) => {
    const sandbox = newSandbox();
    const answer = await call(sandbox, '/v1/payments', { body: { ...goodBody, ...change } });
    expectRefusal(answer, 400, 'body_malformed');
    await expectStillServing(sandbox);
  });

  it.each([[[]], ['text'], [7], [null], [true]])('is refused: %j instead of an object', async (body) => {
    const answer = await call(newSandbox(), '/v1/payments', { body });
    expectRefusal(answer, 400, 'body_malformed');
  });

  it('is refused: none at all', async () => {
    const answer = await call(newSandbox(), '/v1/payments', { method: 'POST' });
    expectRefusal(answer, 400, 'body_missing');
  });

  it('may hold any character that is one, and keys that look like numbers', async () => {
    const metadata = { '10': 'Ẹ kú iṣẹ́', '9': '😀\u0000\\ud800', constructor_: { toString: 1 } };
    expect((await initiate(newSandbox(), { metadata })).metadata).toEqual(metadata);
  });

  it('is not read past the limit', async () => {
    let chunks = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        chunks++;
        controller.enqueue(new Uint8Array(100_000));
      },
    });
    const init = { method: 'POST', body: endless, duplex: 'half' } as RequestInit;
    const answer = await read(await newSandbox().fetch(`${origin}/v1/payments`, init));
    expectRefusal(answer, 413, 'body_too_large');
    expect(chunks).toBeLessThan(15);
  });

  it('is refused by the control calls too', async () => {
    const sandbox = newSandbox();
    const refusals = await Promise.all([
      controlCall(sandbox, '/_sandbox/transfers', '{"amount":1,"amount":2}'),
      controlCall(sandbox, '/_sandbox/transfers', '['.repeat(10_000)),
      controlCall(
        sandbox,
        '/_sandbox/transfers',
        `{"accountNumber":"1","amount":${'['.repeat(10_000)}${']'.repeat(10_000)}}`,
      ),
      controlCall(sandbox, '/_sandbox/clock', '{"__proto__":{"advanceSeconds":5}}'),
      controlCall(sandbox, '/_sandbox/clock', 'null'),
      controlCall(sandbox, '/_sandbox/clock', '{"advanceSeconds":5}', { 'content-type': 'text/plain' }),
      controlCall(sandbox, '/_sandbox/clock', ' '.repeat(1_000_000)),
    ]);
    expect(refusals.map(({ status }) => status)).toEqual([400, 400, 422, 422, 400, 400, 413]);
    expect(sandbox.control.readClock().offsetSeconds).toBe(0);
    await expectStillServing(sandbox);
  });
});

describe('what the sandbox did not foresee', () => {
  it('is a 500 with the envelope, and the next request is answered', async () => {
    let broken = true;
    const sandbox = newSandbox({
      random: () => {
        if (broken) throw new Error('no entropy');
        return 0.5;
      },
    });
    const answer = await call(sandbox, '/v1/payments', { body: goodBody });
    expectRefusal(answer, 500, 'internal_error');
    expect(answer.body.error).toMatchObject({
      type: 'api_error',
      message: expect.stringContaining('no entropy'),
    });
    broken = false;
    await expectStillServing(sandbox);
  });

  it('rejects as fetch does for an aborted signal and a relative URL', async () => {
    const { fetch } = newSandbox();
    await expect(fetch(`${origin}/v1`, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: 'AbortError',
    });
    await expect(fetch('/v1/payments')).rejects.toBeInstanceOf(TypeError);
  });
});
