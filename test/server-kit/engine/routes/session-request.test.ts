import { describe, expect, it, vi } from 'vitest';
import type { CheckoutOptions } from '../../../../server-kit/engine/options.ts';
import type { GetOrderRequest } from '../../../../server-kit/index.ts';
import { CheckoutError, type StoredPayment } from '../../../../src/contract/index.ts';
import { createNotifiedShop } from '../../kit/notified-shop.ts';
import { codeOf, readSession } from '../../kit/wire-faults.ts';
import { order } from '../../kit/wired-shop.ts';
import { madeUp, naming, preferring } from '../shell/naming.ts';

/** The header of a web token, its claims and its signature. */
const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U';

/** A shop whose cookie is the id of the order, and what its `getOrder` has received. */
function createSeeingShop(options: Partial<CheckoutOptions> = {}) {
  const seen: GetOrderRequest[] = [];
  const getOrder = (request: GetOrderRequest) => {
    seen.push(request);
    return { ...order, orderId: request.headers.get('cookie') ?? order.orderId };
  };
  const shop = createNotifiedShop({ getOrder, ...options });
  const find = vi.spyOn(shop.store, 'find');
  /** The payments whose records were read so far. */
  const reads = () => find.mock.calls.flatMap(([by]) => ('reference' in by ? by.reference : []));
  /** Posts with these headers, and returns what `getOrder` received. */
  const postSeen = async (headers: Record<string, string>) => {
    const response = await shop.post(headers);
    return { response, request: seen.at(-1) };
  };
  return { ...shop, seen, reads, postSeen };
}

it('opens a payment of the amount that getOrder returns, whatever the page sends', async () => {
  const { post, seen } = createSeeingShop();
  const sent = { orderId: 'order-2', amount: { value: 1, currency: 'NGN' }, reference: 'tc_1' };
  expect((await readSession(post({}, JSON.stringify(sent)))).amount).toEqual(order.amount);
  expect(seen.map(({ body }) => body)).toEqual([sent]);
});

describe('storedOrderId', () => {
  it('is the order of the payment that the browser has stored', async () => {
    const { open, postSeen } = createSeeingShop();
    const { request, response } = await postSeen({ ...naming(await open()), cookie: 'order-2' });
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
    const before = reads().length;
    expect(await storedOrderIdOf(second, first, third)).toBe('order-2');
    expect(reads().slice(before)).toEqual([second.reference]);
    expect(await storedOrderIdOf(madeUp(second.reference), third, first)).toBe('order-3');
    expect(await storedOrderIdOf({ ...second, clientSecret: first.clientSecret }, first)).toBe('order-1');
  });

  it('is left out without a right secret, and no record is read for it', async () => {
    const { open, postSeen, reads, clock } = createSeeingShop();
    const session = await open();
    const before = reads().length;
    for (const headers of [
      {},
      naming(madeUp(session.reference)),
      naming({ ...session, clientSecret: session.clientSecret.replace('cs_test', 'cs_live') }),
      naming({ ...session, reference: 'tc_doesnotexist' }),
    ])
      expect((await postSeen({ ...headers, cookie: 'order-9' })).request).not.toHaveProperty('storedOrderId');
    expect(reads().slice(before)).not.toContain(session.reference);
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
  ['with a secret that was never issued', `REF.cs_live_zz_${'f'.repeat(64)}`],
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
  const { store, open } = createSeeingShop();
  const session = await open();
  const getOrder = () => Promise.reject(new CheckoutError(code, 'Sign in first.'));
  const refusing = createNotifiedShop({ store, getOrder });
  for (const prefer of ['', 'payment=existing', 'payment=new']) {
    const response = await refusing.post({ ...naming(session), prefer });
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({ status, code, detail: 'Sign in first.' });
  }
  expect(refusing.wire.calls).toEqual([]);
});

const existing = preferring('existing');

async function openedShop() {
  const shop = createSeeingShop();
  const first = await shop.open();
  shop.clock.advance(5000);
  const expire = () => shop.clock.advance(31 * 60_000);
  const receive = async () => {
    shop.pay(first.account.number);
    await shop.delivered();
    shop.clock.advance(60_000);
  };
  return { ...shop, first, expire, receive };
}

it('a reload in a browser that has stored a payment of the order reads ten payments that are named, with any secret, and no eleventh', async () => {
  const { first, post, expire, accounts } = await openedShop();
  expire();
  const others = Array.from({ length: 10 }, (_, index) => madeUp(`tc_${index}`));
  const tenth = await readSession(post(naming(...others.slice(1), madeUp(first.reference))));
  expect(tenth).toMatchObject({ reference: first.reference, outcome: 'expired' });
  expect(await readSession(post(naming(...others, first)))).toMatchObject({ outcome: 'pending' });
  expect(accounts()).toHaveLength(2);
});

it('a browser that has stored payments of other orders gets the session of the order that the server names, and nothing of the others', async () => {
  const { first, post, receive } = await openedShop();
  await receive();
  const other = { ...naming(first), cookie: 'order-2' };
  expect((await post({ ...other, ...existing })).status).toBe(404);
  const response = await post(other);
  expect(response.status).toBe(201);
  const text = await response.text();
  expect(JSON.parse(text)).toMatchObject({ outcome: 'pending' });
  for (const theirs of [first.reference, first.clientSecret, first.account.number, 'order-1'])
    expect(text).not.toContain(theirs);
});

it.each([
  ['payment=new, wait=5', 201],
  ['handling=lenient,  Payment = "new" ; a=b', 201],
  ['PAYMENT=new;x', 201],
  ['payment=newest', 200],
  ['payment', 200],
  ['payment=', 200],
  ['other-payment=new', 200],
  ['a; payment=new', 200],
  ['x="payment=new"', 200],
])('a page that prefers another payment says so as the standard does: %s gets %i', async (prefer, status) => {
  const { first, expire, post } = await openedShop();
  expire();
  expect((await post({ ...naming(first), prefer })).status).toBe(status);
});

it.each([
  ['nothing', {}],
  ['a payment that does not exist', naming(madeUp('tc_unknown'))],
])('a page that prefers an existing payment gets 404 at once if it has stored %s', async (_what, named) => {
  const { first, receive, post, wire, accounts } = await openedShop();
  await receive();
  const before = wire.calls.length;
  const response = await post({ ...named, ...existing });
  expect([response.status, await codeOf(response.clone())]).toEqual([404, 'session_unknown']);
  expect(await response.text()).not.toContain(first.reference);
  expect([wire.calls.length, accounts().length]).toEqual([before, 1]);
});
