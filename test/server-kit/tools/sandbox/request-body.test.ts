import { describe, expect, it } from 'vitest';
import {
  call,
  controlCall,
  expectRefusal,
  expectStillServing,
  goodBody,
  newSandbox,
  origin,
  read,
  type SignedCall,
} from './sandbox-kit.ts';

describe('a body that breaks the rules', () => {
  const amount = (value: unknown, currency: unknown = 'NGN') => ({
    ...goodBody,
    amount: { value, currency },
  });

  it.each<[string, object, string[]]>([
    ['an empty reference', { ...goodBody, reference: '' }, ['reference']],
    ['another payment method', { ...goodBody, paymentMethod: 'card' }, ['paymentMethod']],
    [
      'an amount that is a list',
      { ...goodBody, amount: [1] },
      ['amount.0', 'amount.currency', 'amount.value'],
    ],
    ['an amount of 0', amount(0), ['amount.value']],
    ['an amount below 0', amount(-5), ['amount.value']],
    ['half a minor unit', amount(0.5), ['amount.value']],
    ['an amount that is a text', amount('100'), ['amount.value']],
    ['another currency', amount(100, 'EUR'), ['amount.currency']],
    ['an invalid e-mail', { ...goodBody, customer: { email: 'ada', name: 'Ada' } }, ['customer.email']],
    ['two faults', { ...amount(0), reference: '' }, ['reference', 'amount.value']],
    ['an expiry of 0', { ...goodBody, expiresIn: 0 }, ['expiresIn']],
    ['an expiry past every date', { ...goodBody, expiresIn: 9e15 }, ['expiresIn']],
    ['a callback URL with a script', { ...goodBody, callbackUrl: 'javascript:alert(1)' }, ['callbackUrl']],
  ])('is refused with 422: %s', async (_name, body, params) => {
    const sandbox = newSandbox();
    const response = await call(sandbox, '/v1/payments', { body });
    expectRefusal(response, 422, 'validation_failed');
    expect(response.body.error.type).toBe('invalid_request_error');
    expect([...response.body.error.params].sort()).toEqual([...params].sort());
    await expectStillServing(sandbox);
  });
});

describe('a hostile body', () => {
  const text = JSON.stringify(goodBody);
  const nested = (depth: number): string =>
    `${text.slice(0, -1)},"x":${'['.repeat(depth)}${']'.repeat(depth)}}`;

  it.each<[string, SignedCall, number, string]>([
    ['that claims 1 MB', { headers: { 'content-length': '1000000' } }, 413, 'body_too_large'],
    ['nested 101 levels', { sentText: nested(101) }, 400, 'body_malformed'],
    ['nested 400,000 levels', { sentText: nested(400_000) }, 400, 'body_malformed'],
    [
      'with the key __proto__ within',
      { sentText: text.replace('{"cart"', '{"__proto__":{"a":1},"cart"') },
      400,
      'body_malformed',
    ],
    [
      'with a key twice, once escaped',
      { sentText: text.replace('"expiresIn":900', '"expires\\u0049n":1,"expiresIn":900') },
      400,
      'body_malformed',
    ],
    ['with a byte order mark', { sentText: `\uFEFF${text}` }, 400, 'body_malformed'],
    ['with NaN', { sentText: text.replace('1250000', 'NaN') }, 400, 'body_malformed'],
    ['with something after it', { sentText: `${text}{}` }, 400, 'body_malformed'],
    ['without content type', { headers: { 'content-type': '' } }, 400, 'content_type_unsupported'],
    [
      'with a content type that only begins like JSON',
      { headers: { 'content-type': 'application/json-seq' } },
      400,
      'content_type_unsupported',
    ],
  ])('is refused: one %s', async (_name, options, status, code) => {
    const sandbox = newSandbox();
    const response = await call(sandbox, '/v1/payments', { body: goodBody, ...options });
    expectRefusal(response, status, code);
    await expectStillServing(sandbox);
  });

  it.each([
    ['in a value', { reference: 'a\ud800' }],
    ['in a key', { metadata: { '\udc00': 1 } }],
    ['deep in a list', { metadata: { a: [[{ b: 'x\ud83dy' }]] } }],
  ])('is refused: one with a lone surrogate %s', async (_name, change) => {
    const sandbox = newSandbox();
    const response = await call(sandbox, '/v1/payments', { body: { ...goodBody, ...change } });
    expectRefusal(response, 400, 'body_malformed');
    await expectStillServing(sandbox);
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
    const response = await read(await newSandbox().fetch(`${origin}/v1/payments`, init));
    expectRefusal(response, 413, 'body_too_large');
    expect(chunks).toBeLessThan(15);
  });

  it('is also refused by the control calls', async () => {
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
    expect(refusals.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400, 400, 413]);
    expect(sandbox.control.readClock().offsetSeconds).toBe(0);
    await expectStillServing(sandbox);
  });
});
