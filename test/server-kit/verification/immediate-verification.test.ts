import { describe, expect, it } from 'vitest';
import {
  changedOrder,
  changing,
  codeOf,
  createCart,
  down,
  hanging,
  onlyFor,
  readSession,
  readView,
  refusing,
} from '../kit/wire-faults.ts';
import { createWiredShop, order } from '../kit/wired-shop.ts';

/** A shop whose order has an open, verified payment, and a cart that can change. */
async function openedShop(...[options, ...others]: Parameters<typeof createWiredShop>) {
  const cart = createCart();
  const shop = createWiredShop({ createPayment: cart.createPayment, ...options }, ...others);
  const session = await shop.open();
  shop.clock.advance(5000);
  const pay = () =>
    shop.sandbox.control.transfer({ accountNumber: session.account.number, amount: order.amount.value });
  return { ...shop, session, pay, changeCart: cart.change };
}

describe('a changed cart', () => {
  it('gets no second account from a second click after a failed verification', async () => {
    const { post, wire, session, pay, changeCart, clock, open, sandbox } = await openedShop();
    pay();
    changeCart();
    wire.intercept = onlyFor('verify', refusing(503));
    expect((await post()).status).toBe(503);
    expect((await post()).status).toBe(503);
    wire.intercept = undefined;
    expect((await post()).status).toBe(503);
    clock.advance(2000);
    expect(await open()).toMatchObject({ reference: session.reference, outcome: 'paid' });
    expect(sandbox.control.listPayments()).toHaveLength(1);
  });

  it('gets no second account for money that came a second after the last verification', async () => {
    const { get, open, session, pay, changeCart, clock, sandbox } = await openedShop();
    await get(session);
    pay();
    clock.advance(1000);
    changeCart();
    expect(await open()).toMatchObject({ reference: session.reference, outcome: 'paid' });
    expect(sandbox.control.listPayments()).toHaveLength(1);
  });

  it('gets no second account for money that came during a verification', async () => {
    const { get, post, session, pay, changeCart, wire, sandbox } = await openedShop();
    let arrived = (): void => {};
    let goOn = (): void => {};
    const atService = new Promise<void>((resolve) => (arrived = resolve));
    wire.intercept = async (_path, send) => {
      const response = await send();
      arrived();
      await new Promise<void>((resolve) => (goOn = resolve));
      return response;
    };
    const verified = get(session);
    await atService;
    wire.intercept = undefined;
    pay();
    changeCart();
    const response = post();
    goOn();
    await verified;
    expect(await readSession(response)).toMatchObject({ reference: session.reference, outcome: 'paid' });
    expect(sandbox.control.listPayments()).toHaveLength(1);
  });

  it('gets a new account after an immediate verification that finds nothing', async () => {
    const { get, open, session, changeCart, clock, wire } = await openedShop();
    await get(session);
    clock.advance(1000);
    changeCart();
    const before = wire.calls.length;
    const next = await open();
    expect(next).toMatchObject({ amount: changedOrder.amount, outcome: 'pending' });
    expect(wire.calls.slice(before)).toEqual([`/v1/payments/${session.reference}/verify`, '/v1/payments']);
  });

  it('gets Retry-After when the service hangs', async () => {
    const { post, session, changeCart, clock, wire, sandbox } = await openedShop();
    changeCart();
    wire.intercept = hanging;
    const pending = post();
    // Two calls of five seconds each: the verification, and its one retry.
    for (const _call of [1, 2]) {
      await clock.untilWaiting(5000);
      clock.advance(5000);
    }
    const response = await pending;
    expect(response.status).toBe(503);
    expect(await codeOf(response)).toBe('service_unavailable');
    expect(sandbox.control.listPayments()).toMatchObject([{ reference: session.reference }]);
  });

  it.each([
    ['charged, without an amount yet', { status: 'charged', chargedAmount: 0 }],
    ['a status of tomorrow', { status: 'on_hold' }],
  ])('keeps an attempt that is %s', async (_name, response) => {
    const { open, session, changeCart, wire } = await openedShop();
    wire.intercept = onlyFor('verify', changing({ ...response, updatedAt: '2026-03-01T12:00:04.000Z' }));
    changeCart();
    expect(await open()).toMatchObject({ reference: session.reference, amount: order.amount });
  });
});

describe('an expired payment', () => {
  it('whose verification got 503 gets 503 again, and no second account', async () => {
    const { post, clock, wire, sandbox } = await openedShop();
    clock.advance(31 * 60_000);
    wire.intercept = onlyFor('verify', refusing(503));
    for (let click = 0; click < 3; click++) expect((await post()).status).toBe(503);
    expect(sandbox.control.listPayments()).toHaveLength(1);
  });

  it('gets no second account for money that came a second after the verification that found it expired', async () => {
    const { get, open, session, pay, clock, sandbox } = await openedShop();
    clock.advance(31 * 60_000);
    expect(await readView(get(session))).toMatchObject({ outcome: 'expired' });
    pay();
    clock.advance(1000);
    expect(await open()).toMatchObject({ reference: session.reference, outcome: 'paid' });
    expect(sandbox.control.listPayments()).toHaveLength(1);
  });
});

describe('a payment that is known to hold money', () => {
  /** Its money is known, its account has expired since, and the service is down. */
  async function shopInOutage(sandboxOptions: Parameters<typeof createWiredShop>[1] = {}) {
    const shop = await openedShop({}, sandboxOptions);
    shop.pay();
    await shop.get(shop.session);
    shop.clock.advance(60 * 60_000);
    shop.wire.intercept = down;
    return shop;
  }

  it('is returned while the service is down, after its account has expired', async () => {
    const { post, checkout, session } = await shopInOutage();
    const expected = { reference: session.reference, outcome: 'paid' };
    expect(await readSession(post())).toMatchObject(expected);
    expect(await checkout.createSession(order)).toMatchObject(expected);
    expect(await checkout.createLink(order)).toMatchObject(expected);
  });

  it('is returned also if that is unconfirmed, and the price has changed', async () => {
    const { post, session, changeCart, sandbox } = await shopInOutage({ confirmationSeconds: 7200 });
    changeCart();
    const expected = { reference: session.reference, status: 'charged' };
    expect(await readSession(post())).toMatchObject(expected);
    expect(sandbox.control.listPayments()).toHaveLength(1);
  });
});

describe('an open payment at the right price', () => {
  it('is returned after four seconds if the service hangs', async () => {
    const { post, session, clock, wire, errors } = await openedShop();
    wire.intercept = hanging;
    const response = post();
    await clock.untilWaiting(5000);
    clock.advance(4000);
    expect(await readSession(response)).toMatchObject({ reference: session.reference });
    expect(errors).toEqual([]);
  });

  it('is returned also if an earlier payment must be verified', async () => {
    const { post, open, clock, wire } = await openedShop();
    clock.advance(31 * 60_000);
    const second = await open();
    clock.advance(60_000);
    wire.intercept = hanging;
    const response = post();
    await clock.untilWaiting(5000);
    clock.advance(4000);
    expect(await readSession(response)).toMatchObject({ reference: second.reference });
  });

  it('leaves no timer behind', async () => {
    const { open, clock } = await openedShop();
    await open();
    expect(clock.pending()).toBe(0);
  });

  it('at another price is not returned, although it is open', async () => {
    const { post, changeCart, wire } = await openedShop();
    changeCart();
    wire.intercept = down;
    expect((await post()).status).toBe(503);
  });

  it('is not returned once it has expired, although the price is right', async () => {
    const { post, clock, wire } = await openedShop();
    clock.advance(30 * 60_000 - 5000 - 1);
    wire.intercept = down;
    expect((await post()).status).toBe(200);
    clock.advance(2000);
    expect((await post()).status).toBe(503);
  });
});

describe('an order whose price has changed often', () => {
  it('has only its open account verified, and none of the earlier ones', async () => {
    let value = 1000;
    const createPayment = () => ({ ...order, amount: { value, currency: 'NGN' } as const });
    const { open, clock, wire } = createWiredShop({ createPayment });
    for (; value < 1010; value++) {
      await open();
      clock.advance(5000);
    }
    value--;
    wire.calls.length = 0;
    const { reference } = await open();
    expect(wire.calls).toEqual([`/v1/payments/${reference}/verify`]);
  });
});
