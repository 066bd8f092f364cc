import { describe, expect, it } from 'vitest';
import type { CheckoutOptions } from '../../../../server-kit/engine/options.ts';
import type { GetOrderRequest } from '../../../../server-kit/index.ts';
import { createMemoryStore } from '../../../../server-kit/stores/memory.ts';
import { CheckoutError, type StoredPayment } from '../../../../src/contract/index.ts';
import { createNotifiedShop } from '../../kit/notified-shop.ts';
import { readSession } from '../../kit/wire-faults.ts';
import { order } from '../../kit/wired-shop.ts';
import { madeUp, naming } from '../shell/naming.ts';

/** The header of a web token, its claims and its signature. */
const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U';

/** A shop whose cookie is the id of the order, with what its `getOrder` has received. */
function createSeeingShop(options: Partial<CheckoutOptions> = {}) {
  const seen: GetOrderRequest[] = [];
  const reads: string[] = [];
  const store = options.store ?? createMemoryStore();
  const shop = createNotifiedShop({
    getOrder: (request) => {
      seen.push(request);
      return { ...order, orderId: request.headers.get('cookie') ?? order.orderId };
    },
    ...options,
    store: {
      ...store,
      find: (by) => {
        if ('reference' in by) reads.push(by.reference);
        return store.find(by);
      },
    },
  });
  /** Posts with these headers, and returns what `getOrder` received. */
  const postSeen = async (headers: Record<string, string>) => {
    const response = await shop.post(headers);
    return { response, request: seen.at(-1) };
  };
  return { ...shop, seen, reads, postSeen, store };
}

it('opens a payment of the amount that getOrder returns, whatever the page sends', async () => {
  const { checkout, seen } = createSeeingShop();
  const sent = { orderId: 'order-2', amount: { value: 1, currency: 'NGN' }, reference: 'tc_1' };
  const headers = { 'content-type': 'application/json' };
  const init = { method: 'POST', headers, body: JSON.stringify(sent) };
  const response = await checkout.handler(new Request('https://shop.example/checkout/sessions', init));
  expect((await readSession(response)).amount).toEqual(order.amount);
  expect(seen.map(({ body }) => body)).toEqual([sent]);
});

describe('storedOrderId', () => {
  it('is the order of the payment that the browser has stored', async () => {
    const { open, postSeen } = createSeeingShop();
    const session = await open();
    const { request, response } = await postSeen({ ...naming(session), cookie: 'order-2' });
    expect(request?.storedOrderId).toBe('order-1');
    expect(request?.headers.has('checkout-secret')).toBe(false);
    expect(request?.headers.get('cookie')).toBe('order-2');
    expect(response.status).toBe(201);
  });

  it('is that of the one used last whose secret is right, of several, and costs one read', async () => {
    const { open, post, postSeen, reads } = createSeeingShop();
    const first = await open();
    const second = await readSession(post({ cookie: 'order-2' }));
    const third = await readSession(post({ cookie: 'order-3' }));
    const storedOrderIdOf = async (...stored: StoredPayment[]) =>
      (await postSeen({ ...naming(...stored), cookie: 'order-9' })).request?.storedOrderId;
    reads.length = 0;
    expect(await storedOrderIdOf(second, first, third)).toBe('order-2');
    expect(reads).toEqual([second.reference]);
    expect(await storedOrderIdOf(madeUp(second.reference), third, first)).toBe('order-3');
    expect(await storedOrderIdOf({ ...second, clientSecret: first.clientSecret }, first)).toBe('order-1');
  });

  it('is left out without a right secret, and no record is read for it', async () => {
    const { open, postSeen, reads, clock } = createSeeingShop();
    const session = await open();
    reads.length = 0;
    for (const headers of [
      {},
      naming(madeUp(session.reference)),
      naming({ ...session, clientSecret: session.clientSecret.replace('cs_test', 'cs_live') }),
      naming({ ...session, reference: 'tc_doesnotexist' }),
    ]) {
      const { request } = await postSeen({ ...headers, cookie: 'order-9' });
      expect(request).not.toHaveProperty('storedOrderId');
    }
    expect(reads).not.toContain(session.reference);
    clock.advance(38 * 24 * 3_600_000);
    expect((await postSeen(naming(session))).request).not.toHaveProperty('storedOrderId');
  });
});

it.each([
  ['a JWT', `Bearer ${jwt}`],
  ['an unsigned JWT', 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.'],
  ['a payload and its signature', 'Bearer eyJ1c2VyIjoxfQ.dozjgNryP4J3jVmNHl0w5N'],
  ['a key', 'Bearer sk_shop_1234567890'],
  ['parts between tildes', 'Bearer a.b~c.d~~e'],
  ['an empty token', 'Bearer '],
  ['a name and a password', 'Basic YWRhOnNlY3JldA=='],
  ['another scheme', `DPoP tc_1.cs_test_zz_${'0'.repeat(64)}`],
  ['a client secret without a reference', `Bearer cs_test_zz_${'0'.repeat(64)}`],
])('an Authorization of the merchant’s own is passed on untouched: %s', async (_name, authorization) => {
  const { postSeen } = createSeeingShop();
  const { request, response } = await postSeen({ authorization });
  expect(request?.headers.get('authorization')).toBe(authorization.trim());
  expect(request).not.toHaveProperty('storedOrderId');
  expect(response.status).toBe(201);
});

it.each([
  ['beside parts of another form', 'v2~a.b.c~~REF.SECRET~'],
  ['with a secret that nobody issued', `REF.cs_live_zz_${'f'.repeat(64)}`],
  ['with a secret of a later form', 'REF.cs_test_2_abc_def'],
])('a token of stored payments is removed from the headers %s', async (_name, token) => {
  const { open, postSeen, clock } = createSeeingShop();
  const { reference, clientSecret } = await open();
  clock.advance(31 * 60_000);
  const named = token.replace('REF', reference).replace('SECRET', clientSecret);
  for (const headers of [{ 'checkout-secret': named }, { authorization: `bearer ${named}` }]) {
    const { request, response } = await postSeen(headers);
    expect([...(request?.headers.values() ?? [])].join()).not.toContain(reference);
    expect(await readSession(response)).toMatchObject({ reference, outcome: 'expired' });
  }
});

it.each([
  ['forbidden', 403],
  ['session_unauthorized', 401],
] as const)('a refusal by getOrder says nothing of what is stored: %s', async (code, status) => {
  const store = createMemoryStore();
  const session = await createSeeingShop({ store }).open();
  const refusing = createNotifiedShop({
    store,
    getOrder: () => {
      throw new CheckoutError(code, 'Sign in first.');
    },
  });
  for (const prefer of ['', 'payment=existing', 'payment=new']) {
    const response = await refusing.post({ ...naming(session), prefer });
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({ status, code, detail: 'Sign in first.' });
  }
  expect(refusing.wire.calls).toEqual([]);
});
