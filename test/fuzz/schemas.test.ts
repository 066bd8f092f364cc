import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect } from 'vitest';
import { type Endpoint, readRecord } from '../../server-kit/core/endpoints.ts';
import { PaymentsError } from '../../server-kit/core/errors.ts';
import { parseOrder } from '../../server-kit/engine/order/request.ts';
import { createDialect } from '../../server-kit/service/dialect.ts';
import { endpoints, type Operation } from '../../server-kit/service/endpoints.ts';
import {
  isCheckoutError,
  PaymentView,
  parseStoredPaymentsToken,
  parseWebUrl,
  Session,
  toStoredPaymentsToken,
} from '../../src/contract/index.ts';
import { parseBody, readResponse } from '../../src/core/http.ts';
import { createLink } from '../../src/entry/redirect.ts';
import { sessionOf } from '../core/views.ts';
import { leastResponses } from '../server-kit/kit/client-kit.ts';
import { order } from '../server-kit/kit/wired-shop.ts';
import { anyJson, anyText, anyValue, damaged, damagedText } from './arbitraries.ts';
import { fuzz } from './fuzz.ts';

const session = {
  ...sessionOf(),
  orderAmount: { value: 5, currency: 'NGN' },
  authorizationUrl: 'https://pay.example/1',
};
const { reference, clientSecret, authorizationUrl } = session;
const link = { reference, clientSecret, authorizationUrl };
const contract = [
  { name: 'Session', schema: Session, valid: session },
  {
    name: 'PaymentView',
    schema: PaymentView,
    valid: { ...session, paidAt: session.openedAt, orderId: 'order-1' },
  },
];

const bombs = [`${'['.repeat(5000)}`, `{"a":`.repeat(3000), '{"__proto__":{"isPolluted":true}}'];
const wireText = (valid: unknown): fc.Arbitrary<string> =>
  fc.oneof(
    damaged(fc.constant(valid)).map((value) => JSON.stringify(value) ?? ''),
    damagedText(fc.constant(JSON.stringify(valid))),
    fc.constantFrom(...bombs),
    anyText,
  );

/** Every amount that the page may show, and every address that it may open. */
function expectSafe(value: object): void {
  for (const [name, inner] of Object.entries(value)) {
    if (/url$/i.test(name) && inner !== undefined) expect(parseWebUrl(inner)?.protocol).toMatch(/^https?:$/);
    if (/^(value|chargedAmount|orderChargedAmount)$/.test(name) && inner !== undefined) {
      expect(Number.isSafeInteger(inner)).toBe(true);
      expect(inner).toBeGreaterThanOrEqual(0);
    }
    if (typeof inner === 'object' && inner !== null) expectSafe(inner);
  }
}

describe.each(contract)('$name, whatever the server sends', ({ schema, valid }) => {
  const own = Object.keys(schema.entries);

  fuzz(
    'is refused with invalid_response, or has its own fields only, amounts in whole units, and web addresses',
    wireText(valid),
    async (text) => {
      const response = new Response(text);
      const read = await readResponse(response);
      let parsed: object;
      try {
        parsed = parseBody(schema as v.GenericSchema<object>, read) as object;
      } catch (error) {
        expect(error).toMatchObject({ name: 'CheckoutError', code: 'invalid_response' });
        return;
      }
      expect(Object.keys(parsed).filter((key) => !own.includes(key))).toEqual([]);
      expectSafe(parsed);
      // Parsing again changes nothing.
      expect(v.parse(schema, JSON.parse(JSON.stringify(parsed)))).toEqual(parsed);
      expect(Object.hasOwn(Object.prototype, 'isPolluted')).toBe(false);
    },
  );
});

/** Requests a link from a server that responds with this. */
function createLinkFrom(response: Response): Promise<string> {
  const environment = {
    fetch: async () => response,
    setTimer: () => () => {},
    date: () => 0,
    readStored: () => null,
    writeStored: () => {},
  } as unknown as Parameters<typeof createLink>[0]['environment'];
  return createLink({ environment, baseUrl: '/checkout', body: '{}' });
}

fuzz(
  'a link, whatever the server sends, leads to a web page or is refused with invalid_response',
  wireText(link),
  async (text) => {
    try {
      const url = await createLinkFrom(new Response(text));
      expect(parseWebUrl(url)?.protocol).toMatch(/^https?:$/);
    } catch (error) {
      expect(error).toMatchObject({ name: 'CheckoutError', code: 'invalid_response' });
    }
  },
);

const dialects = [
  createDialect({}),
  createDialect({ amountUnit: 'major' }),
  createDialect({ chargedAmountBasis: 'net' }),
];
const fees = { fee: 100, vat: 7.5, chargedAmount: 5, status: 'succeeded', metadata: { a: [1] } };

describe.each(Object.keys(endpoints) as Operation[])(
  'a response to %s, whatever the service sends',
  (operation) => {
    const least = leastResponses[operation];
    const valid = { ...('data' in least ? (least.data as object[])[0] : least), ...fees };
    const body = fc.oneof(damaged(fc.constant(valid)), anyJson);

    fuzz(
      'is refused with invalid_response, or parsed with amounts in whole units',
      fc.tuple(body, fc.constantFrom(...dialects)),
      ([sent, dialect]) => {
        let parsed: object;
        try {
          parsed = readRecord(
            { dialect, liveMode: undefined },
            endpoints[operation] as Endpoint,
            sent,
          ) as object;
        } catch (error) {
          expect(error).toBeInstanceOf(PaymentsError);
          expect((error as PaymentsError).code).toBe('invalid_response');
          return;
        }
        const { expectedAmount, chargedAmount, accountNumber } = parsed as Record<string, unknown>;
        const hasAmounts = operation.startsWith('payments.') && operation !== 'payments.initiate';
        if (hasAmounts)
          for (const amount of [expectedAmount, chargedAmount])
            expect(amount ?? 0).toSatisfy(Number.isSafeInteger);
        if (operation.startsWith('payments.')) expect(accountNumber ?? '').toMatch(/^[\d -]*$/);
        expect(Object.hasOwn(Object.prototype, 'isPolluted')).toBe(false);
      },
      { share: 0.3 },
    );
  },
);

fuzz(
  'an order of getOrder, whatever it is, is valid or refused with invalid_options',
  fc.oneof(damaged(fc.constant(order)), anyValue),
  (input) => {
    try {
      const { orderId, amount } = parseOrder(input, 'Input', () => {});
      expect(orderId).toMatch(/^[^\p{Cc}\p{Surrogate}]{1,200}$/u);
      expect(amount.value).toSatisfy(Number.isSafeInteger);
    } catch (error) {
      expect(isCheckoutError(error) && error.code).toBe('invalid_options');
    }
  },
);

const storable = { reference: 'tc_7f3k9qxm2d4w', clientSecret: 'cs_test_abc' };

fuzz(
  'stored payments in a header, however they are damaged, are at most ten that fit into one',
  damagedText(fc.array(fc.constant(storable), { maxLength: 12 }).map(toStoredPaymentsToken)),
  (token) => {
    const payments = parseStoredPaymentsToken(token);
    expect(payments.length).toBeLessThanOrEqual(10);
    for (const { reference, clientSecret } of payments)
      expect(reference + clientSecret).toMatch(/^[\w-]{2,400}$/);
    expect(parseStoredPaymentsToken(toStoredPaymentsToken(payments))).toEqual(payments);
  },
);
