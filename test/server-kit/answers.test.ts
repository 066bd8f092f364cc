import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createPaymentsClient, type PaymentsClientOptions } from '../../server-kit/client.ts';
import { ApiError, InvalidRequestError, type PaymentsError } from '../../server-kit/errors.ts';
import { createTestShop, order } from './test-shop.ts';
import { changing, viewOf } from './wire-faults.ts';

const payment = {
  id: 'pay_1',
  reference: 'ord_1',
  currency: 'NGN',
  status: 'succeeded',
  expectedAmount: 100,
  chargedAmount: 100,
  liveMode: false,
  updatedAt: '2026-03-01T12:00:00.000Z',
};
const request = {
  reference: 'ord_1',
  paymentMethod: 'pay_with_transfer',
  amount: { value: 100, currency: 'NGN' },
} as const;

/** A client whose service gives this answer to everything. */
function createAnsweredClient(answer: () => Response, more: Partial<PaymentsClientOptions> = {}) {
  let sent = 0;
  const fetch = async (): Promise<Response> => {
    sent++;
    return answer();
  };
  const wait = (ms: number) => (ms === 15_000 ? new Promise<void>(() => {}) : Promise.resolve());
  const client = createPaymentsClient({
    baseUrl: 'http://service.example',
    apiSecret: 'sk_test_1',
    fetch,
    wait,
    ...more,
  });
  const failed = (call: Promise<unknown>) =>
    call.then(
      () => expect.unreachable(),
      (error: PaymentsError) => error,
    );
  return { ...client, sent: () => sent, failed };
}

describe('an odd field of an answer that nothing depends on', () => {
  it.each([
    { vat: 7.5 },
    { fee: '100' },
    { emtl: null },
    { metadata: [] },
    { customerId: 12 },
    { accessToken: 987654321 },
    { createdAt: 1_772_366_400 },
    { acceptedAmountPolicy: {} },
  ])('loses nothing: %j', async (odd) => {
    const { open, get, clock, sandbox, wire, errors } = createTestShop();
    const session = await open();
    sandbox.control.transfer({ accountNumber: session.account.number, amount: order.amount.value });
    wire.intercept = changing(odd);
    clock.advance(5000);
    expect(await viewOf(get(session))).toMatchObject({ outcome: 'paid', chargedAmount: order.amount.value });
    expect(errors).toEqual([]);
  });

  it('is left out', async () => {
    const odd = { ...payment, vat: 7.5, metadata: [], customerId: 12 };
    const { payments } = createAnsweredClient(() => Response.json(odd));
    const { vat, metadata, customerId } = await payments.verify('ord_1');
    expect([vat, metadata, customerId]).toEqual([undefined, undefined, undefined]);
  });
});

describe('an odd field of an answer that decides', () => {
  it.each([
    ['chargedAmount', 12.5],
    ['expectedAmount', 0.1],
  ])('is refused by its name: %s %d', async (field, value) => {
    const { payments, failed } = createAnsweredClient(() => Response.json({ ...payment, [field]: value }));
    const error = await failed(payments.verify('ord_1'));
    expect(error.code).toBe('invalid_response');
    expect(error.message).toContain(field);
  });

  it.each(['pending?', 12, '', null])('is refused where liveMode is %j', async (liveMode) => {
    const { payments, failed } = createAnsweredClient(() => Response.json({ ...payment, liveMode }));
    expect(await failed(payments.verify('ord_1'))).toMatchObject({ params: ['liveMode'] });
  });

  it('takes no chargedAmount for none', async () => {
    const { payments } = createAnsweredClient(() => Response.json({ ...payment, chargedAmount: null }));
    expect((await payments.verify('ord_1')).chargedAmount).toBe(0);
  });
});

describe('an error of the client', () => {
  it.each([
    ['a field of the wrong kind', JSON.stringify({ ...payment, liveMode: 'tok_secret' })],
    ['a body that ends within a secret', '{"accessToken":"tok_secret'],
    ['a body that ends after a secret', '{"accessToken":"tok_secret" x'],
    ['a body that is a secret', 'tok_secret'],
  ])('holds nothing that was received: %s', async (_name, body) => {
    const { payments, failed } = createAnsweredClient(() => new Response(body));
    const error = await failed(payments.verify('ord_1'));
    expect(error.code).toBe('invalid_response');
    expect(inspect(error, { depth: 9 })).not.toMatch(/tok_|secret/);
  });

  it('holds nothing of a customer who was not sent', async () => {
    const { payments, failed } = createAnsweredClient(() => Response.json(payment));
    const body = { ...request, customer: 'ada@example.com', metadata: 'card 4242' };
    const error = await failed(payments.initiate(body as never));
    expect(inspect(error, { depth: 9 })).not.toMatch(/ada@|4242/);
    expect(error).toMatchObject({ params: ['customer', 'metadata'] });
  });
});

describe('an error type that is a word of JavaScript', () => {
  it.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])('is an ApiError: %s', async (type) => {
    const body = JSON.stringify({ error: { type, code: 'x', message: 'm', params: [] } });
    const { payments, failed, sent } = createAnsweredClient(() => new Response(body, { status: 503 }));
    const error = await failed(payments.verify('ord_1'));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ code: 'service_error', attempts: 4 });
    expect(sent()).toBe(4);
  });
});

describe('what cannot be sent', () => {
  const circular: Record<string, unknown> = {};
  circular.self = circular;

  it.each([
    ['a BigInt', { a: 1n }],
    ['a number that is none', { a: Number.NaN }],
    ['a circle', circular],
    ['the key __proto__', JSON.parse('{"__proto__":1}')],
  ])('is an InvalidRequestError: metadata with %s', async (_name, metadata) => {
    const { payments, failed, sent } = createAnsweredClient(() => Response.json(payment));
    const error = await failed(payments.initiate({ ...request, metadata }));
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(error).toMatchObject({ code: 'invalid_request', operation: 'payments.initiate' });
    expect(sent()).toBe(0);
  });

  it('is an InvalidRequestError: half of a character as a reference', async () => {
    const { payments, failed, sent } = createAnsweredClient(() => Response.json(payment));
    const error = await failed(payments.verify('\ud800'));
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(error).toMatchObject({ params: ['reference'] });
    expect(sent()).toBe(0);
  });
});
