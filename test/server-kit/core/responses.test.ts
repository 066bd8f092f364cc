import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { listPayouts, updateApp } from '../../../server-kit/service/index.ts';
import {
  clientOf,
  failureOf,
  initiationRequest,
  leastResponses,
  linkRequest,
  payment as unpaid,
} from '../kit/client-kit.ts';

const payment = { ...unpaid, status: 'succeeded', expectedAmount: 100, chargedAmount: 100 };

const dialect = { chargedAmountBasis: 'net' } as const;

describe('a fee that cannot be read', () => {
  it.each([
    ['fee', 930.23],
    ['fee', '900'],
    ['vat', 69.77],
    ['emtl', {}],
  ])('is refused if it decides what was paid: %s %j', async (field, value) => {
    const record = { ...payment, chargedAmount: 90, [field]: value };
    const { payments } = clientOf(() => Response.json(record), { dialect });
    for (const call of [payments.verify('ord_1'), payments.retrieve('pay_1')]) {
      const error = await failureOf(call);
      expect(error).toMatchObject({ code: 'invalid_response', params: ['chargedAmount'] });
      expect(error.message).toContain('fees');
    }
  });

  it.each([
    ['without money', { chargedAmount: 0 }],
    ['without an amount', { chargedAmount: null }],
    ['whose money was taken back', { status: 'reversed', chargedAmount: 90 }],
  ])('is left out of a payment %s', async (_what, change) => {
    const record = { ...payment, ...change, fee: 'free' };
    const { payments } = clientOf(() => Response.json(record), { dialect });
    const { fee, chargedAmount } = await payments.verify('ord_1');
    expect({ fee, chargedAmount }).toEqual({ fee: undefined, chargedAmount: record.chargedAmount });
  });

  it('may be missing', async () => {
    const { payments } = clientOf(() => Response.json({ ...payment, fee: null, vat: 5 }), { dialect });
    expect((await payments.verify('ord_1')).vat).toBe(5);
  });
});

describe('an endless response', () => {
  const chunk = new Uint8Array(10_000).fill(0x20);
  /** Sends white space and then this record, and counts the bytes that were read. */
  function longBody(bytes: number, record: object = payment) {
    let sent = 0;
    let isCancelled = false;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += chunk.length;
        if (sent <= bytes) return controller.enqueue(chunk);
        controller.enqueue(new TextEncoder().encode(JSON.stringify(record)));
        controller.close();
      },
      cancel() {
        isCancelled = true;
      },
    });
    return { body, sent: () => sent, isCancelled: () => isCancelled };
  }
  const page = { hasMore: false, data: [{ id: '1' }] };

  it('is aborted after 64 KB for one record', async () => {
    const { body, sent, isCancelled } = longBody(Number.POSITIVE_INFINITY);
    const { payments } = clientOf(() => new Response(body));
    const error = await failureOf(payments.verify('ord_1'));
    expect(error).toMatchObject({ code: 'invalid_response', status: 200, attempts: 1 });
    expect(error.message).toContain('too large');
    expect(sent()).toBeLessThan(100_000);
    expect(isCancelled()).toBe(true);
  });

  it('is aborted after 10 MB for a page', async () => {
    const { body, sent } = longBody(Number.POSITIVE_INFINITY, page);
    const { client } = clientOf(() => new Response(body));
    expect(await failureOf(listPayouts(client))).toMatchObject({ code: 'invalid_response', status: 200 });
    expect(sent()).toBeLessThan(10_100_000);
  });

  it.each([
    [400, 'invalid_request', 1],
    [404, 'invalid_response', 1],
    [429, 'rate_limited', 4],
    [503, 'service_error', 4],
  ])('is an error by its status: %i', async (status, code, attempts) => {
    const bodies = Array.from({ length: 4 }, () => longBody(Number.POSITIVE_INFINITY));
    let next = 0;
    const { payments } = clientOf(() => new Response(bodies[next++]?.body, { status }));
    expect(await failureOf(payments.verify('ord_1'))).toMatchObject({ code, status, attempts });
    for (const { sent } of bodies) expect(sent()).toBeLessThan(100_000);
  });

  it('is not 50 KB for a record or 9 MB for a page', async () => {
    const { payments } = clientOf(() => new Response(longBody(50_000).body));
    expect((await payments.verify('ord_1')).id).toBe('pay_1');
    const { client } = clientOf(() => new Response(longBody(9_000_000, page).body));
    expect((await listPayouts(client)).data).toEqual(page.data);
  });

  it('is not a megabyte for an app with its icon', async () => {
    const app = { id: 'app_1', base64Icon: 'A'.repeat(900_000) };
    const { client } = clientOf(() => Response.json(app), { authToken: 'auth_1' });
    expect((await updateApp(client, 'app_1', { name: 'Till' })).base64Icon).toHaveLength(900_000);
  });
});

describe('an ambiguous response', () => {
  const text = JSON.stringify(payment);
  it.each([
    ['a key twice', text.replace('{', '{"chargedAmount":0,')],
    ['a key twice, once with an escape', text.replace('{', '{"st\\u0061tus":"failed",')],
    ['a key twice far below', text.replace('{', '{"metadata":[{"a":{"b":1,"b":2}}],')],
    ['levels without an end', text.replace('{', `{"metadata":${'['.repeat(30_000)}${']'.repeat(30_000)},`)],
    ['a list', `[${text}]`],
    ['NaN', text.replace('"chargedAmount":100', '"chargedAmount":NaN')],
    ['bytes that are not UTF-8', new Uint8Array([...new TextEncoder().encode('{"id":"'), 0xff])],
  ])('is refused: %s', async (_name, body) => {
    const { payments } = clientOf(() => new Response(body));
    const error = await failureOf(payments.verify('ord_1'));
    expect(error).toMatchObject({ code: 'invalid_response', status: 200 });
    // The parser's own error quotes the text.
    expect(error.cause).toBeUndefined();
  });

  it('may nest a hundred levels', async () => {
    const metadata = { deep: JSON.parse('['.repeat(98) + ']'.repeat(98)) as unknown };
    const { payments } = clientOf(() => Response.json({ ...payment, metadata }));
    expect((await payments.verify('ord_1')).metadata).toEqual(metadata);
  });
});

describe('an error of the client', () => {
  it.each([
    ['a field of the wrong kind', JSON.stringify({ ...payment, liveMode: 'tok_secret' })],
    ['a body that ends within a secret', '{"accessToken":"tok_secret'],
    ['a body that ends after a secret', '{"accessToken":"tok_secret" x'],
    ['a body that is a secret', 'tok_secret'],
  ])('quotes nothing that was received: %s', async (_name, body) => {
    const { payments } = clientOf(() => new Response(body));
    const error = await failureOf(payments.verify('ord_1'));
    expect(error.code).toBe('invalid_response');
    expect(inspect(error, { depth: 9 })).not.toMatch(/tok_|secret/);
  });

  it('quotes nothing of a customer who was refused', async () => {
    const { payments } = clientOf(() => Response.json(payment));
    const body = { ...initiationRequest, customer: 'ada@example.com', metadata: 'card 4242' };
    const error = await failureOf(payments.initiate(body as never));
    expect(inspect(error, { depth: 9 })).not.toMatch(/ada@|4242/);
    expect(error).toMatchObject({ params: ['customer', 'metadata'] });
  });
});

describe('a request that cannot be sent', () => {
  const circular: Record<string, unknown> = {};
  circular.self = circular;
  const throwNull = () => {
    throw null;
  };

  it.each<[string, Readonly<Record<string, unknown>>, string]>([
    ['a BigInt', { a: 1n }, 'body'],
    ['NaN', { a: Number.NaN }, 'body'],
    ['a circle', circular, 'body'],
    ['the key __proto__', JSON.parse('{"__proto__":1}'), 'body'],
    ['a toJSON that throws null', { a: { toJSON: throwNull } }, 'body'],
    ['a hole', { a: [undefined] }, 'body'],
    ['a Map', new Map([['a', 1]]) as never, 'metadata'],
    ['a Date', new Date(0) as never, 'metadata'],
    ['an instance of a class', new URL('https://shop.example') as never, 'metadata'],
    ['an object that makes something else of itself', { toJSON: () => 'text' }, 'metadata'],
  ])('is invalid: metadata with %s', async (_name, metadata, param) => {
    const { payments, sent } = clientOf(() => Response.json(payment));
    const error = await failureOf(payments.initiate({ ...initiationRequest, metadata }));
    expect(error).toMatchObject({ code: 'invalid_request', operation: 'payments.initiate', params: [param] });
    expect(sent).toEqual([]);
  });

  it('is invalid: an amount with too many digits for its unit', async () => {
    const { payments, sent } = clientOf(() => Response.json(payment), {
      dialect: { amountUnit: 'major' },
    });
    const amount = { value: 7_036_874_417_766_401, currency: 'NGN' } as const;
    const error = await failureOf(payments.initiate({ ...initiationRequest, amount }));
    expect(error).toMatchObject({ code: 'invalid_request', params: ['body'] });
    expect(sent).toEqual([]);
  });

  it.each([
    ['long', { a: 'x'.repeat(32_761) }],
    ['long once it is escaped', { a: 'é'.repeat(5461) }],
    ['long once a careful writer has escaped it', { a: '</script>'.repeat(1820) }],
    ['far too long', { a: 'x'.repeat(5_000_000) }],
  ])('is invalid: metadata that verify could not return: %s', async (_name, metadata) => {
    const { payments, checkout, sent } = clientOf(() => Response.json(payment));
    const calls = [
      payments.initiate({ ...initiationRequest, metadata }),
      checkout.create({ ...linkRequest, metadata }),
    ];
    for (const call of calls) {
      const error = await failureOf(call);
      expect(error).toMatchObject({ code: 'invalid_request', params: ['metadata'] });
      expect(error.message).toContain('32,768 bytes');
    }
    expect(sent).toEqual([]);
  });

  it('is not metadata of 32 KB', async () => {
    const { payments, sent } = clientOf(() => Response.json(leastResponses['payments.initiate']));
    await payments.initiate({ ...initiationRequest, metadata: { a: 'x'.repeat(32_760) } });
    await payments.initiate({ ...initiationRequest, metadata: { a: 'é'.repeat(5460) } });
    expect(sent).toHaveLength(2);
  });
});
