import { describe, expect, it } from 'vitest';
import type { UnmatchedMoneyEvent } from '../../../../server-kit/checkout/outbox/handlers.ts';
import { createMemoryBus } from '../../../../server-kit/checkout/ports/memory-bus.ts';
import { createMemoryStore } from '../../../../server-kit/drivers/memory/store.ts';
import { callbackUrl, createNotifiedShop } from '../../kit/notified-shop.ts';
import { storedPayment } from '../../kit/payment-facts.ts';
import { silenceConsole } from '../../kit/silence-console.ts';
import { createCart, down, onlyFor } from '../../kit/wire-faults.ts';
import { createWiredShop, order } from '../../kit/wired-shop.ts';

const payout = { id: 'po_1', destinationAccountNumber: '0123456789', status: 'succeeded' };

describe('a callback', () => {
  it('reports a paid order without a browser', async () => {
    const { open, pay, delivered, notified, sandbox } = createNotifiedShop();
    const session = await open();
    pay(session.account.number);
    await delivered();
    expect(notified).toEqual(['order-1:paid']);
    const attempts = sandbox.control.listCallbacks().flatMap((callback) => callback.attempts);
    expect(new Set(attempts.map(({ status }) => status))).toEqual(new Set([204]));
  });

  it('that comes twice is reported once', async () => {
    const { open, pay, delivered, notified, sandbox } = createNotifiedShop();
    sandbox.control.setCallbackDelivery({ double: true });
    const session = await open();
    pay(session.account.number);
    await delivered();
    expect(notified).toEqual(['order-1:paid']);
  });

  it('that is old, or out of order, harms nothing', async () => {
    const { open, pay, delivered, notified, callBack, clock, store } = createNotifiedShop();
    const session = await open();
    pay(session.account.number);
    await delivered();
    const { reference } = session;
    const response = await callBack({ id: 'pay_x', reference, status: 'expired', expectedAmount: 1 });
    expect(response.status).toBe(204);
    clock.advance(60_000);
    expect(await storedPayment(store, reference)).toMatchObject({ outcome: 'paid' });
    expect(notified).toEqual(['order-1:paid']);
  });

  it('is no evidence: what it says about money is ignored', async () => {
    const { open, notified, callBack, store } = createNotifiedShop();
    const { reference } = await open();
    const claim = { reference, status: 'succeeded', chargedAmount: 1_250_000, expectedAmount: 1_250_000 };
    expect((await callBack(claim)).status).toBe(204);
    expect(notified).toEqual([]);
    expect(await storedPayment(store, reference)).toMatchObject({ outcome: 'pending' });
  });

  it('finds what came a moment after the last verification', async () => {
    const { open, get, pay, delivered, notified, clock } = createNotifiedShop();
    const session = await open();
    clock.advance(5000);
    await get(session);
    pay(session.account.number);
    await delivered();
    expect(notified).toEqual(['order-1:paid']);
  });

  it('is acknowledged while the service is down, and verified when it is back', async () => {
    const { open, pay, delivered, notified, wire, clock, checkout, sandbox } = createNotifiedShop();
    const session = await open();
    wire.intercept = onlyFor('verify', down);
    pay(session.account.number);
    await delivered();
    expect(sandbox.control.listCallbacks().map(({ state }) => state)).not.toContain('pending');
    expect(notified).toEqual([]);
    wire.intercept = undefined;
    clock.advance(30_000);
    checkout.start();
    await checkout.settled();
    expect(notified).toEqual(['order-1:paid']);
    await checkout.stop();
  });

  it.each([
    ['a payment', { expectedAmount: 1_250_000 }],
    ['an unknown record', {}],
  ])('of %s may name it by id alone: the service knows the reference', async (_kind, fields) => {
    const { open, pay, callBack, notified, sandbox } = createNotifiedShop();
    sandbox.control.setCallbackDelivery({ drop: true });
    const session = await open();
    pay(session.account.number);
    const [payment] = sandbox.control.listPayments();
    expect((await callBack({ id: payment?.id, ...fields })).status).toBe(204);
    expect(notified).toEqual(['order-1:paid']);
  });

  it('that has only an id makes one call, because the service sends it again', async () => {
    const { callBack, wire } = createNotifiedShop();
    wire.intercept = down;
    expect((await callBack({ id: 'pay_1', expectedAmount: 1 })).status).toBe(500);
    expect(wire.calls).toEqual(['/v1/payments/pay_1']);
  });

  it.each(['inv_1', '..', ''])('whose id %j is that of no payment is ignored', async (id) => {
    const { callBack, events } = createNotifiedShop();
    expect((await callBack({ id, status: 'open' })).status).toBe(204);
    expect(events()).toEqual(['ignored unknown']);
  });

  it('that changes nothing wakes no held request', async () => {
    const published: string[] = [];
    const publish = async (reference: string) => void published.push(reference);
    const bus = { ...createMemoryBus(), publish };
    const { open, callBack, events } = createNotifiedShop({ bus });
    const { reference } = await open();
    await callBack({ reference, expectedAmount: 1 });
    published.length = 0;
    await callBack({ reference, expectedAmount: 1 });
    await callBack({ ...payout, reference });
    expect([events().slice(1), published]).toEqual([['verify payment', 'ignored payout'], []]);
  });

  it('of a payout with a payment’s reference is ignored', async () => {
    const { open, callBack, events, wire } = createNotifiedShop();
    const { reference } = await open();
    const calls = wire.calls.length;
    expect((await callBack({ ...payout, reference })).status).toBe(204);
    expect(events()).toEqual(['ignored payout']);
    expect(wire.calls.length).toBe(calls);
  });

  it('of an unknown kind is verified if it has a recorded reference, and ignored otherwise', async () => {
    const { open, callBack, events } = createNotifiedShop();
    const { reference } = await open();
    await callBack({ reference, status: 'succeeded' });
    await callBack({ reference: 'tc_other', status: 'succeeded' });
    await callBack({ status: 'succeeded' });
    expect(events()).toEqual(['verify unknown', 'ignored unknown', 'ignored unknown']);
  });

  it('goes to the address that the options say, whatever Host a browser names', async () => {
    const { checkout, sandbox } = createWiredShop({ basePath: '/shop/pay/' });
    const body = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
    await checkout.handler(new Request('https://evil.example/checkout/sessions', body));
    expect(sandbox.control.listPayments()).toMatchObject([
      { callbackUrl: 'https://shop.example/shop/pay/callbacks' },
    ]);
  });

  it('to the address of a payment that was registered before the shop moved is believed', async () => {
    const old = createNotifiedShop({ publicUrl: 'https://old.example' });
    const { reference } = await old.open();
    const moved = createNotifiedShop({ store: old.store });
    const url = 'https://old.example/checkout/callbacks';
    expect((await moved.callBack({ reference, expectedAmount: 1 }, { url })).status).toBe(204);
    expect((await moved.callBack({ reference: 'tc_x', expectedAmount: 1 }, { url })).status).toBe(401);
  });

  it('continues when the merchant’s log fails', async () => {
    const spy = silenceConsole();
    const { open, pay, delivered, notified } = createNotifiedShop({
      onLog: () => {
        throw new Error('no log');
      },
    });
    pay((await open()).account.number);
    await delivered();
    expect(notified).toEqual(['order-1:paid']);
    expect(spy.mock.calls[0]).toMatchObject([expect.any(String), expect.stringContaining('Error: no log')]);
  });
});

describe('a callback that the service has not signed', () => {
  it.each([
    ['a wrong signature', { 'request-signature': 'ab'.repeat(64) }],
    ['no signature', { 'request-signature': '' }],
    ['an old timestamp', { 'request-timestamp': '1600000000' }],
  ])('with %s gets 401, and nothing is looked up', async (_name, headers) => {
    const { open, callBack, wire, events } = createNotifiedShop();
    const { reference } = await open();
    const calls = wire.calls.length;
    const response = await callBack({ reference, expectedAmount: 1 }, { headers });
    expect(response.status).toBe(401);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(response.headers.get('www-authenticate')).toBe('Request-Signature');
    expect(await response.json()).toMatchObject({ code: 'callback_unauthorized' });
    expect(wire.calls.length).toBe(calls);
    expect(events()).toEqual([]);
  });

  it.each(['', '{', '[]', '{"data":1}', '{"data":{},"data":{}}'])('%j gets 401', async (body) => {
    const { checkout } = createNotifiedShop();
    const headers = { 'request-signature': 'ab'.repeat(64), 'request-timestamp': '1772366400' };
    const response = await checkout.handler(new Request(callbackUrl, { method: 'POST', headers, body }));
    expect(response.status).toBe(401);
  });

  it('is read no further than 64 kB', async () => {
    const { checkout } = createNotifiedShop();
    const response = await checkout.handler(
      new Request(callbackUrl, { method: 'POST', body: 'x'.repeat(65_537) }),
    );
    expect(response.status).toBe(413);
  });

  it('may only be sent with POST', async () => {
    const { checkout } = createNotifiedShop();
    const response = await checkout.handler(new Request(callbackUrl));
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('POST');
  });
});

describe('a callback of a payment that the store does not know', () => {
  /** The store was lost, or another system of the merchant's made the payment. */
  async function forgottenShop() {
    const notified: unknown[] = [];
    const note = ({ idempotencyKey, payment, money }: UnmatchedMoneyEvent): void =>
      void notified.push([idempotencyKey, payment.reference, money]);
    const shop = createNotifiedShop({ onUnmatchedMoney: note, onUnmatchedMoneyReversed: note });
    const made = createWiredShop({ store: createMemoryStore({ now: shop.clock.now }) }, {}, shop);
    const session = await made.open();
    const { reference } = session;
    const event = [`unmatchedMoney:${reference}:1`, reference, { amount: order.amount, total: order.amount }];
    return { ...shop, notified, session, event };
  }

  it('has its money reported once the service confirms it, and again when it is taken back', async () => {
    const { session, event, pay, setStatus, delivered, notified, events, clock } = await forgottenShop();
    pay(session.account.number);
    await delivered();
    expect(events()[0]).toBe('unmatched payment');
    expect(notified).toEqual([event]);
    clock.advance(60_000);
    setStatus(session, 'reversed');
    await delivered();
    const { reference } = session;
    const money = { amount: order.amount, total: { ...order.amount, value: 0 } };
    expect(notified.slice(1)).toEqual([[`unmatchedMoneyReversed:${reference}:2`, reference, money]]);
  });

  it('has its money reported even if the callback only names the payment', async () => {
    const { session, event, sandbox, pay, callBack, notified, events } = await forgottenShop();
    sandbox.control.setCallbackDelivery({ drop: true });
    pay(session.account.number);
    await callBack({ reference: session.reference, status: 'succeeded' });
    expect(events()).toEqual(['unmatched unknown']);
    expect(notified).toEqual([event]);
  });

  it('is not acknowledged while the service cannot identify it', async () => {
    const { session, sandbox, wire, pay, callBack, notified } = await forgottenShop();
    sandbox.control.setCallbackDelivery({ drop: true });
    pay(session.account.number);
    wire.intercept = down;
    expect((await callBack({ reference: session.reference })).status).toBe(500);
    wire.intercept = undefined;
    expect((await callBack({ reference: session.reference })).status).toBe(204);
    expect(notified).toHaveLength(1);
  });

  it('is not reported if the service does not know it either', async () => {
    const { callBack, notified } = await forgottenShop();
    const claim = { id: 'pay_9', currency: 'NGN', liveMode: false, expectedAmount: 1, chargedAmount: 1 };
    expect((await callBack({ ...claim, reference: 'tc_invented' })).status).toBe(204);
    expect(notified).toEqual([]);
  });

  it('is not reported without money', async () => {
    const { delivered, notified, sandbox, session } = await forgottenShop();
    sandbox.control.updatePayment(session.reference, { status: 'failed' });
    await delivered();
    expect(notified).toEqual([]);
  });
});

describe('money that a callback names', () => {
  it('that comes late pays the order after all', async () => {
    const { open, pay, delivered, notified, clock } = createNotifiedShop();
    const session = await open();
    clock.advance(31 * 60_000);
    pay(session.account.number);
    await delivered();
    expect(notified).toEqual(['order-1:paid']);
  });

  it('that comes for a changed cart, or a second time, is unexpected', async () => {
    const cart = createCart();
    const { open, pay, delivered, notified, clock } = createNotifiedShop({
      createPayment: cart.createPayment,
    });
    const first = await open();
    cart.change();
    clock.advance(5000);
    await open();
    pay(first.account.number);
    await delivered();
    expect(notified).toEqual([`order-1:unexpectedMoney:${first.reference}:1`]);
  });
});
