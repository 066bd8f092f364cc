import { describe, expect, it } from 'vitest';
import type { CheckoutOptions } from '../../../server-kit/checkout-options.ts';
import type { Session } from '../../../src/contract/index.ts';
import { changing, codeOf, createCart, readSession, readView } from '../kit/wire-faults.ts';
import { createWiredShop, order } from '../kit/wired-shop.ts';

type Shop = ReturnType<typeof createWiredShop>;

const minuteMs = 60_000;
const unknown = { outcome: 'unclear', status: 'not_found' };

/** Runs after the payment was opened. */
type Prepare = (shop: Shop, session: Session) => Promise<void>;

type Restart = {
  options?: Partial<CheckoutOptions>;
  /** Changes the responses of the first service. */
  change?: object;
  prepare?: Prepare;
};

/** A shop whose store remembers a payment, and whose service was restarted without its records. */
async function restartedShop({ options = {}, change = {}, prepare }: Restart = {}) {
  const before = createWiredShop(options);
  before.wire.intercept = changing(change);
  const session = await before.open();
  before.clock.advance(minuteMs);
  await prepare?.(before, session);
  const { store, clock } = before;
  const shop = createWiredShop({ ...options, store }, {}, { clock });
  const countAccounts = (): number => shop.sandbox.control.listPayments().length;
  return { ...shop, before, session, countAccounts, retrieve: () => readView(shop.get(session)) };
}

/** The same for a payment of live mode. */
const restartedLiveShop = ({ options, ...restart }: Restart = {}) =>
  restartedShop({
    options: { allowVolatileStore: true, ...options },
    change: { liveMode: true },
    ...restart,
  });

/** A part of the money arrives before the restart. */
const receivePart =
  (liveMode: boolean): Prepare =>
  async ({ wire, get }, session) => {
    wire.intercept = changing({ liveMode, status: 'awaiting_charge', chargedAmount: 400_000 });
    expect(await readView(get(session))).toMatchObject({ chargedAmount: 400_000 });
  };

describe('a payment that the service does not know any more', () => {
  it('is shown as such, with its account for the record', async () => {
    const { retrieve, session } = await restartedShop();
    expect(await retrieve()).toMatchObject({
      ...unknown,
      reference: session.reference,
      account: session.account,
    });
  });

  it('is logged once, in plain words, and causes no other entry', async () => {
    const { retrieve, log, session, clock, checkout } = await restartedShop();
    for (let minutes = 0; minutes < 60; minutes++) {
      await retrieve();
      await checkout.reconcile();
      clock.advance(minuteMs);
    }
    expect(log).toEqual([
      {
        ...{ level: 'warn', type: 'paymentNotFound', reference: session.reference, orderId: 'order-1' },
        advice: expect.stringMatching(/does not know this payment.*sandbox was restarted.*--data/),
      },
    ]);
  });

  it('holds a request like that of any other payment, and is seldom verified', async () => {
    const { get, session, wire, clock } = await restartedShop();
    const etag = (await get(session)).headers.get('etag') ?? '';
    const before = wire.calls.length;
    const held = get(session, { 'if-none-match': etag, prefer: 'wait=25' });
    for (let seconds = 0; seconds < 25; seconds++) {
      await new Promise((resolve) => setTimeout(resolve));
      clock.advance(1000);
    }
    expect((await held).status).toBe(304);
    expect(wire.calls.length - before).toBeLessThanOrEqual(2);
  });

  it('is shown as before once the service knows it again, and is logged when it is lost again', async () => {
    const { retrieve, before, session, clock, log } = await restartedShop();
    await retrieve();
    clock.advance(minuteMs);
    expect(await readView(before.get(session))).toMatchObject({
      outcome: 'pending',
      status: 'awaiting_charge',
    });
    clock.advance(minuteMs);
    expect(await retrieve()).toMatchObject(unknown);
    expect(log.map(({ type }) => type)).toEqual(['paymentNotFound', 'paymentNotFound']);
  });

  it('may be unknown for ten seconds after it was opened', async () => {
    const before = createWiredShop();
    const session = await before.open();
    const { store, clock } = before;
    const { get, log } = createWiredShop({ store }, {}, { clock });
    clock.advance(9000);
    expect(await readView(get(session))).toMatchObject({ outcome: 'pending', status: 'initiated' });
    expect(log.map(({ type }) => type)).toEqual(['verificationFailed']);
    clock.advance(2000);
    expect(await readView(get(session))).toMatchObject(unknown);
  });

  it('is shown as such also if it was known to have expired', async () => {
    const { retrieve, clock } = await restartedShop({
      async prepare(shop, session) {
        shop.clock.advance(60 * minuteMs);
        expect(await readView(shop.get(session))).toMatchObject({ outcome: 'expired' });
      },
    });
    clock.advance(minuteMs);
    expect(await retrieve()).toMatchObject(unknown);
  });

  it('has no payment page any more', async () => {
    const before = createWiredShop();
    const link = await before.checkout.createLink(order);
    before.sandbox.control.openCheckoutLink(before.sandbox.control.listCheckoutLinks()[0]?.id ?? '');
    before.clock.advance(minuteMs);
    expect((await readView(before.get(link))).authorizationUrl).toBe(link.authorizationUrl);
    const { get } = createWiredShop({ store: before.store }, {}, { clock: before.clock });
    before.clock.advance(minuteMs);
    const view = await readView(get(link));
    expect(view).toMatchObject(unknown);
    expect(view.authorizationUrl).toBeUndefined();
  });

  it('stays paid if it was', async () => {
    const { retrieve, post, session, clock, log } = await restartedShop({
      async prepare({ sandbox, get }, { account, ...opened }) {
        sandbox.control.transfer({ accountNumber: account.number, amount: order.amount.value });
        await get(opened);
      },
    });
    clock.advance(2 * minuteMs);
    expect(await retrieve()).toMatchObject({ outcome: 'paid', status: 'succeeded' });
    expect(await readSession(post())).toMatchObject({ outcome: 'paid', reference: session.reference });
    expect(log.map(({ type }) => type)).toEqual(['paymentNotFound']);
  });
});

describe('an order whose test payment the service does not know any more', () => {
  it.each([
    ['while its account was open', 0],
    ['after its account has expired', 60 * minuteMs],
  ])('gets another account: lost %s', async (_name, afterMs) => {
    const { retrieve, post, get, sandbox, session, clock, countAccounts } = await restartedShop();
    clock.advance(afterMs);
    expect(await retrieve()).toMatchObject(unknown);
    const response = await post();
    expect(response.status).toBe(201);
    const next = await readSession(response);
    expect(next).toMatchObject({ outcome: 'pending', status: 'initiated' });
    expect(next.reference).not.toBe(session.reference);
    expect(await readSession(post())).toMatchObject({ reference: next.reference });
    expect(countAccounts()).toBe(1);
    expect(await retrieve()).toMatchObject({ outcome: 'replaced' });
    sandbox.control.transfer({ accountNumber: next.account.number, amount: order.amount.value });
    clock.advance(minuteMs);
    expect(await readView(get(next))).toMatchObject({ outcome: 'paid' });
    expect(await retrieve()).toMatchObject({ outcome: 'paid', paymentReference: next.reference });
  });

  it('gets another account even if a part had arrived', async () => {
    const { retrieve, post, session } = await restartedShop({ prepare: receivePart(false) });
    expect(await retrieve()).toMatchObject({ ...unknown, chargedAmount: 400_000 });
    expect((await readSession(post())).reference).not.toBe(session.reference);
  });
});

describe('an order whose live payment the service does not know any more', () => {
  it('keeps its payment', async () => {
    const { retrieve, post, session, countAccounts } = await restartedLiveShop();
    expect(await retrieve()).toMatchObject({ ...unknown, liveMode: true });
    const response = await post();
    expect(response.status).toBe(200);
    expect(await readSession(response)).toMatchObject({ ...unknown, reference: session.reference });
    expect(countAccounts()).toBe(0);
  });

  it('keeps its payment with the part that had arrived', async () => {
    const { retrieve, post, session, countAccounts } = await restartedLiveShop({
      prepare: receivePart(true),
    });
    expect(await retrieve()).toMatchObject({ ...unknown, chargedAmount: 400_000 });
    expect(await readSession(post())).toMatchObject({ reference: session.reference, chargedAmount: 400_000 });
    expect(countAccounts()).toBe(0);
  });

  it('gets no other account after the expiry', async () => {
    const { retrieve, post, clock, countAccounts } = await restartedLiveShop();
    clock.advance(60 * minuteMs);
    await retrieve();
    const response = await post();
    expect([response.status, await codeOf(response)]).toEqual([502, 'service_rejected']);
    expect(countAccounts()).toBe(0);
  });

  it('gets no other account when the cart changes', async () => {
    const cart = createCart();
    const { retrieve, post, countAccounts } = await restartedLiveShop({
      options: { createPayment: cart.createPayment },
    });
    await retrieve();
    cart.change();
    const response = await post();
    expect([response.status, await codeOf(response)]).toEqual([502, 'service_rejected']);
    expect(countAccounts()).toBe(0);
  });
});
