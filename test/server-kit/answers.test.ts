import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createPaymentsClient, type PaymentsClientOptions } from '../../server-kit/client.ts';
import { ApiError, InvalidRequestError, type PaymentsError } from '../../server-kit/errors.ts';
import { changing, readView } from './wire-faults.ts';
import { createWiredShop, order } from './wired-shop.ts';

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
    const { open, get, clock, sandbox, wire, errors } = createWiredShop();
    const session = await open();
    sandbox.control.transfer({ accountNumber: session.account.number, amount: order.amount.value });
    wire.intercept = changing(odd);
    clock.advance(5000);
    expect(await readView(get(session))).toMatchObject({
      outcome: 'paid',
      chargedAmount: order.amount.value,
    });
    expect(errors).toEqual([]);
  });

  it('is left out', async () => {
    const odd = { ...payment, vat: 7.5, metadata: [], customerId: 12 };
    const { payments } = createAnsweredClient(() => Response.json(odd));
    const { vat, metadata, customerId } = await payments.verify('ord_1');
    expect([vat, metadata, customerId]).toEqual([undefined, undefined, undefined]);
  });
});

describe('a fee that cannot be read', () => {
  const dialect = { chargedAmountBasis: 'net' } as const;

  it.each([
    ['fee', 930.23],
    ['fee', '900'],
    ['vat', 69.77],
    ['emtl', {}],
  ])('is refused where it decides what was paid: %s %j', async (field, value) => {
    const answer = { ...payment, chargedAmount: 90, [field]: value };
    const { payments, failed } = createAnsweredClient(() => Response.json(answer), { dialect });
    for (const call of [payments.verify('ord_1'), payments.retrieve('pay_1')]) {
      const error = await failed(call);
      expect(error).toMatchObject({ code: 'invalid_response', params: [field] });
      expect(error.message).toContain(field);
    }
  });

  it('may be missing', async () => {
    const { payments } = createAnsweredClient(() => Response.json({ ...payment, fee: null, vat: 5 }), {
      dialect,
    });
    expect((await payments.verify('ord_1')).vat).toBe(5);
  });
});

describe('a fee that cannot be read, where only the checkout counts net', () => {
  it.each([
    ['fee', 930.23],
    ['vat', '70'],
  ])('is told to the merchant, and makes no mismatch of a paid order: %s %j', async (field, value) => {
    const { open, get, clock, sandbox, wire, errors } = createWiredShop({
      dialect: { chargedAmountBasis: 'net' },
    });
    const session = await open();
    sandbox.control.transfer({ accountNumber: session.account.number, amount: order.amount.value });
    wire.intercept = changing({ chargedAmount: order.amount.value - 100_000, [field]: value });
    clock.advance(5000);
    expect(await readView(get(session))).toMatchObject({ outcome: 'pending' });
    expect(errors).toMatchObject([{ code: 'service_rejected', cause: { params: [field] } }]);
  });
});

describe('an answer without an end', () => {
  const megabyte = new Uint8Array(1_000_000).fill(0x20);
  /** Says how much of it was read. */
  function endlessBody(megabytes = Number.POSITIVE_INFINITY) {
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (sent++ < megabytes) return controller.enqueue(megabyte);
        controller.enqueue(new TextEncoder().encode(JSON.stringify(payment)));
        controller.close();
      },
    });
    return { body, sent: () => sent };
  }

  it.each([200, 400])('is given up after 10 MB, with status %i', async (status) => {
    const { body, sent } = endlessBody();
    const { payments, failed } = createAnsweredClient(() => new Response(body, { status }));
    expect(await failed(payments.verify('ord_1'))).toMatchObject({
      code: 'invalid_response',
      status,
      attempts: 1,
    });
    expect(sent()).toBeLessThan(15);
  });

  it('is one that is longer: 9 MB are read', async () => {
    const { payments } = createAnsweredClient(() => new Response(endlessBody(9).body));
    expect((await payments.verify('ord_1')).id).toBe('pay_1');
  });
});

describe('a page of a gateway in bytes that are no UTF-8', () => {
  it('is told by its status', async () => {
    const { payments, failed } = createAnsweredClient(
      () => new Response(new Uint8Array([0xff, 0xfe]), { status: 400 }),
    );
    expect(await failed(payments.verify('ord_1'))).toMatchObject({ code: 'invalid_request', status: 400 });
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
    [
      'a toJSON that throws nothing',
      {
        a: {
          toJSON() {
            throw null;
          },
        },
      },
    ],
    ['a hole', { a: [undefined] }],
  ])('is an InvalidRequestError: metadata with %s', async (_name, metadata) => {
    const { payments, failed, sent } = createAnsweredClient(() => Response.json(payment));
    const error = await failed(payments.initiate({ ...request, metadata }));
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(error).toMatchObject({ code: 'invalid_request', operation: 'payments.initiate' });
    expect(sent()).toBe(0);
  });

  it.each([
    ['a Map', new Map([['a', 1]])],
    ['a Date', new Date(0)],
    ['a RegExp', /x/],
    ['a Promise', Promise.resolve()],
    ['an instance of a class', new URL('https://shop.example')],
    ['an object that makes something else of itself', { toJSON: () => 'text' }],
  ])('is an InvalidRequestError: %s as metadata', async (_name, metadata) => {
    const { payments, failed, sent } = createAnsweredClient(() => Response.json(payment));
    expect(await failed(payments.initiate({ ...request, metadata }))).toMatchObject({ params: ['metadata'] });
    expect(sent()).toBe(0);
  });

  it.each([new Map(), [], new URLSearchParams()])('is an InvalidRequestError: %s as a body', async (body) => {
    const { invoices, failed, sent } = createAnsweredClient(() => Response.json({ id: '1' }));
    expect(await failed(invoices.cancel('inv_1', body as never))).toMatchObject({ params: ['body'] });
    expect(sent()).toBe(0);
  });

  it('is an InvalidRequestError: an amount that has too many digits for its unit', async () => {
    const { payments, failed, sent } = createAnsweredClient(() => Response.json(payment), {
      dialect: { amountUnit: 'major' },
    });
    const amount = { value: 7_036_874_417_766_401, currency: 'NGN' } as const;
    const error = await failed(payments.initiate({ ...request, amount }));
    expect(error).toMatchObject({ code: 'invalid_request', params: ['amount.value'] });
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
