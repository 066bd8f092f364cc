import { describe, expect, it } from 'vitest';
import { createMemoryBus } from '../../../server-kit/buses/memory.ts';
import { createMemoryStore } from '../../../server-kit/stores/memory.ts';
import { settle } from '../../settle.ts';
import { createNotifiedShop } from '../kit/notified-shop.ts';
import { createTestClock } from '../kit/test-clock.ts';
import { changing, createCart, down, hanging, readView, refusing } from '../kit/wire-faults.ts';
import { createWiredShop, keys, order, shopUrl } from '../kit/wired-shop.ts';
import { takeElsewhere } from './shared-budget.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;

/** A shop whose callbacks are all lost, with an open payment. */
async function lostCallbacks(...options: Parameters<typeof createNotifiedShop>) {
  const shop = createNotifiedShop(...options);
  const { checkout, clock, sandbox } = shop;
  sandbox.control.setCallbackDelivery({ drop: true });
  const session = await shop.open();
  /** Lets one round come after so much time, and end. Where nothing is random, rounds are two seconds apart. */
  const round = async (afterMs: number): Promise<void> => {
    await clock.untilWaiting(2000);
    clock.advance(afterMs);
    await clock.untilWaiting(2000);
    await checkout.settled();
  };
  const pass = async (ms: number): Promise<void> => {
    for (let passedMs = 0; passedMs < ms; passedMs += 2000) await round(2000);
  };
  const verifications = () => shop.wire.calls.filter((path) => path.endsWith('/verify')).length;
  return { ...shop, session, round, pass, verifications };
}

describe('a checkout that was started', () => {
  it('is not misled for good by one response with a wrong date', async () => {
    const { checkout, session, pay, pass, round, notified, wire, clock } = await lostCallbacks();
    wire.intercept = async (_path, send) => {
      wire.intercept = undefined;
      const { status, headers, body } = await send();
      const date = new Date(clock.now() + 9 * dayMs).toUTCString();
      return new Response(body, { status, headers: { ...Object.fromEntries(headers), date } });
    };
    checkout.start();
    await pass(minuteMs);
    pay(session.account.number);
    await round(60 * minuteMs);
    await round(2000);
    expect(notified).toEqual(['order-1:paid']);
    await checkout.stop();
  });

  it('verifies what callbacks name although more shoppers wait than the budget allows', async () => {
    let orders = 0;
    const { checkout, store, wire, open, get, clock } = createNotifiedShop({
      createPayment: () => ({ ...order, orderId: `order-${orders}` }),
      maxVerificationsPerSecond: 1,
    });
    const sessions = [];
    for (orders = 1; orders <= 6; orders++) sessions.push(await open());
    clock.advance(5000);
    const verified = () => wire.calls.flatMap((path) => /payments\/(.+)\/verify$/.exec(path)?.[1] ?? []);
    for (const session of sessions) await get(session);
    const waiting = sessions.map(({ reference }) => reference);
    expect(verified()).toEqual(waiting.slice(0, 1));
    await store.wake(waiting[5] ?? '');
    checkout.start();
    await settle();
    clock.advance(750);
    await checkout.settled();
    expect(verified()).toEqual([waiting[0], waiting[5]]);
    await checkout.stop();
  });

  it('verifies for a callback only what it names, however much is due', async () => {
    let orderId = 'order-1';
    const { wire, open, pay, delivered, clock, notified } = createNotifiedShop({
      createPayment: () => ({ ...order, orderId }),
    });
    const named = await open();
    orderId = 'order-2';
    const due = await open();
    clock.advance(2 * minuteMs);
    pay(named.account.number);
    await delivered();
    expect(notified).toEqual(['order-1:paid']);
    expect(wire.calls).not.toContain(`/v1/payments/${due.reference}/verify`);
  });

  it('settles after a stop too, whatever callbacks ask for then', async () => {
    const { checkout, open, pay, delivered, notified } = createNotifiedShop();
    const session = await open();
    checkout.start();
    await checkout.stop();
    pay(session.account.number);
    await delivered();
    expect(notified).toEqual([]);
  });

  it('is not held up by a verification that hangs', async () => {
    let orderId = 'order-1';
    const { checkout, wire, open, pay, clock, notified, delivered } = createNotifiedShop({
      createPayment: () => ({ ...order, orderId }),
    });
    const first = await open();
    orderId = 'order-2';
    const second = await open();
    wire.intercept = (path, send) => (path.includes(first.reference) ? hanging(path, send) : send());
    pay(first.account.number);
    await clock.untilWaiting(5000);
    pay(second.account.number);
    await expect.poll(() => notified).toEqual(['order-2:paid']);
    wire.intercept = undefined;
    clock.advance(5000);
    await delivered();
    expect(notified).toEqual(['order-2:paid', 'order-1:paid']);
    await checkout.stop();
  });

  it('finds the money of a shopper who has gone, whose callback was lost', async () => {
    const { checkout, session, pay, pass, notified } = await lostCallbacks();
    checkout.start();
    pay(session.account.number);
    await pass(minuteMs);
    expect(notified).toEqual(['order-1:paid']);
    await checkout.stop();
  });

  it('finds late money, and a reversal', async () => {
    const { checkout, session, pay, notified, round, sandbox } = await lostCallbacks();
    checkout.start();
    await round(31 * minuteMs);
    await round(3 * dayMs);
    pay(session.account.number);
    await round(dayMs);
    sandbox.control.updatePayment(session.reference, { status: 'reversed' });
    await round(dayMs);
    expect(notified).toEqual(['order-1:expired', 'order-1:paid', 'order-1:reversed']);
    await checkout.stop();
  });

  it('verifies an open account once a minute, and no more once its watch time is over', async () => {
    const { checkout, pass, round, verifications, store } = await lostCallbacks();
    checkout.start();
    await pass(10 * minuteMs);
    expect(verifications()).toBeGreaterThanOrEqual(9);
    expect(verifications()).toBeLessThanOrEqual(10);
    for (let day = 0; day < 9; day++) {
      await round(dayMs);
    }
    const before = verifications();
    await round(dayMs);
    expect(verifications()).toBe(before);
    expect(await store.measure()).toMatchObject({ checkLagMs: 0 });
    await checkout.stop();
  });

  it('closes a payment that a crash left without an account', async () => {
    const { checkout, session, store } = await lostCallbacks();
    const known = await store.findByReference(session.reference);
    if (known === undefined) return expect.unreachable();
    const crashed = { ...known, reference: 'tc_crashed', orderId: 'order-2', opened: null };
    await store.insert(crashed, { checkAfterMs: 0 });
    checkout.start();
    await checkout.settled();
    expect(await store.findByReference('tc_crashed')).toMatchObject({ outcome: 'replaced' });
    await checkout.stop();
  });

  it('keeps a payment without an account for five more minutes if a callback names it', async () => {
    const { checkout, session, store, clock } = await lostCallbacks();
    const known = await store.findByReference(session.reference);
    if (known === undefined) return expect.unreachable();
    const reference = 'tc_opening';
    const opening = { ...known, reference, orderId: 'order-2', opened: null };
    await store.insert(opening, { checkAfterMs: 5 * minuteMs });
    await store.wake(reference);
    await checkout.reconcile();
    expect(await store.findByReference(reference)).toMatchObject({ outcome: 'pending' });
    clock.advance(5 * minuteMs);
    await checkout.reconcile();
    expect(await store.findByReference(reference)).toMatchObject({ outcome: 'replaced' });
  });

  it('reports once a round while the service is down, backs off, and continues when it is back', async () => {
    const { checkout, session, pay, pass, notified, errors, wire, verifications } = await lostCallbacks();
    wire.intercept = down;
    checkout.start();
    await pass(10 * minuteMs);
    // Each try is sent twice; they are ever further apart.
    expect(verifications()).toBeGreaterThan(10);
    expect(verifications()).toBeLessThan(34);
    expect(errors.length).toBe(verifications() / 2);
    wire.intercept = undefined;
    pay(session.account.number);
    await pass(2 * minuteMs);
    expect(notified).toEqual(['order-1:paid']);
    await checkout.stop();
  });

  it.each([
    ['refuses the signature', refusing(401)],
    ['responds with something unreadable', async () => new Response('<html>', { status: 200 })],
  ])('keeps what a callback has named, also after its time, while the service %s', async (_name, fault) => {
    const { checkout, session, pay, notified, round, wire, sandbox, store } = await lostCallbacks();
    checkout.start();
    pay(session.account.number);
    await round(2 * minuteMs);
    for (let day = 0; day < 31; day++) await round(dayMs);
    sandbox.control.updatePayment(session.reference, { status: 'reversed' });
    wire.intercept = fault;
    await store.wake(session.reference);
    await round(2000);
    wire.intercept = undefined;
    expect(notified).toEqual(['order-1:paid']);
    await round(2 * 60 * minuteMs);
    expect(notified).toEqual(['order-1:paid', 'order-1:reversed']);
    await checkout.stop();
  });

  it('gives up what the service refuses when its time is over', async () => {
    const { checkout, wire, round, store } = await lostCallbacks();
    wire.intercept = refusing(404);
    checkout.start();
    for (let day = 0; day < 9; day++) {
      await round(dayMs);
    }
    const calls = wire.calls.length;
    await round(dayMs);
    expect(wire.calls.length).toBe(calls);
    expect(await store.measure()).toMatchObject({ oldestUnpaidMs: expect.any(Number), checkLagMs: 0 });
    await checkout.stop();
  });

  it('survives a store that fails, and says so', async () => {
    const clock = createTestClock();
    const inner = createMemoryStore({ now: clock.now });
    let isDown = true;
    const claimDue: typeof inner.claimDue = (options) =>
      isDown ? Promise.reject(new Error('the database is gone')) : inner.claimDue(options);
    const { checkout, errors, open, sandbox } = createWiredShop(
      { store: { ...inner, claimDue }, random: () => 0 },
      {},
      { clock },
    );
    const session = await open();
    checkout.start();
    await checkout.settled();
    expect(errors).toMatchObject([{ message: 'the database is gone' }]);
    isDown = false;
    sandbox.control.transfer({ accountNumber: session.account.number, amount: order.amount.value });
    clock.advance(minuteMs);
    await clock.untilWaiting(2000);
    await checkout.settled();
    expect(await inner.findByReference(session.reference)).toMatchObject({ outcome: 'paid' });
    await checkout.stop();
  });

  it('leaves nothing behind when it is stopped, even during a verification that hangs', async () => {
    const { checkout, clock, wire } = await lostCallbacks();
    wire.intercept = hanging;
    checkout.start();
    checkout.start();
    await clock.untilWaiting(2000);
    clock.advance(minuteMs);
    await clock.untilWaiting(5000);
    const stopped = checkout.stop({ patienceMs: 1000 });
    await clock.untilWaiting(1000);
    clock.advance(1000);
    await stopped;
    expect(clock.pending()).toBe(1);
    // The call itself, with its retry.
    for (const _call of [1, 2]) {
      await clock.untilWaiting(5000);
      clock.advance(5000);
    }
    await expect.poll(() => clock.pending()).toBe(0);
  });
});

describe('the verification budget', () => {
  it('limits shoppers, who then see the stored record', async () => {
    const { open, get, clock, sandbox, store } = createWiredShop({ maxVerificationsPerSecond: 1 });
    const session = await open();
    sandbox.control.transfer({ accountNumber: session.account.number, amount: order.amount.value });
    clock.advance(5000);
    // Another instance has taken the permit of this second.
    expect(await takeElsewhere(store, 1, 1)).toBe(1);
    expect(await readView(get(session))).toMatchObject({ outcome: 'pending' });
    clock.advance(2000);
    await settle();
    expect(await readView(get(session))).toMatchObject({ outcome: 'paid' });
  });

  it('is waited for by the reconciler', async () => {
    const shop = await lostCallbacks({ maxVerificationsPerSecond: 1 });
    const { checkout, clock, store, verifications } = shop;
    clock.advance(minuteMs);
    await takeElsewhere(store, 1, 1);
    checkout.start();
    await clock.untilWaiting(750);
    expect(verifications()).toBe(0);
    clock.advance(1000);
    await checkout.settled();
    expect(verifications()).toBe(1);
    await checkout.stop();
  });

  it('does not hold up decisions', async () => {
    const cart = createCart();
    const { open, clock, store } = createWiredShop({
      maxVerificationsPerSecond: 1,
      createPayment: cart.createPayment,
    });
    await open();
    clock.advance(5000);
    await takeElsewhere(store, 1, 1);
    cart.change();
    expect(await open()).toMatchObject({ amount: { value: 999_00 }, outcome: 'pending' });
  });
});

describe('POST reconcile', () => {
  const reconcileKey = 'reconcile-key-of-at-least-32-characters';
  const call = (shop: Pick<ReturnType<typeof createWiredShop>, 'checkout'>, key: string) =>
    shop.checkout.handler(
      new Request(`${shopUrl}/checkout/reconcile`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}` },
      }),
    );

  it('verifies what is due, calls handlers, and counts', async () => {
    const shop = await lostCallbacks({ reconcileKey });
    shop.pay(shop.session.account.number);
    expect(await (await call(shop, reconcileKey)).json()).toEqual({ due: 0, failed: 0, hasMore: false });
    shop.clock.advance(minuteMs);
    const response = await call(shop, reconcileKey);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ due: 1, failed: 0, hasMore: false });
    expect(shop.notified).toEqual(['order-1:paid']);
    expect(shop.clock.pending()).toBe(0);
  });

  it('counts failed verifications', async () => {
    const shop = await lostCallbacks({ reconcileKey });
    shop.clock.advance(minuteMs);
    shop.wire.intercept = down;
    expect(await (await call(shop, reconcileKey)).json()).toEqual({ due: 1, failed: 1, hasMore: false });
  });

  it.each(['', 'wrong', keys[0] ?? ''])('refuses the key "%s"', async (key) => {
    const shop = await lostCallbacks({ reconcileKey });
    expect((await call(shop, key)).status).toBe(401);
  });

  it('is not there without a key', async () => {
    expect((await call(await lostCallbacks(), reconcileKey)).status).toBe(404);
  });

  it('shares its work with other instances', async () => {
    const shop = await lostCallbacks({ reconcileKey });
    const other = createWiredShop({ store: shop.store, reconcileKey }, {}, shop);
    shop.clock.advance(minuteMs);
    const before = shop.verifications();
    await Promise.all([call(shop, reconcileKey), call(other, reconcileKey)]);
    const theirs = other.wire.calls.filter((path) => path.endsWith('/verify')).length;
    expect(shop.verifications() - before + theirs).toBe(1);
  });
});

describe('a request that is held on one instance', () => {
  it.each([
    ['at once, over a bus', true, 6000, 0],
    ['within three seconds, without one', false, 3000, 3000],
  ])('gets what another has seen: %s', async (_name, hasBus, rereadMs, afterMs) => {
    const bus = createMemoryBus();
    const shared = hasBus ? { bus } : {};
    const one = createWiredShop({ ...shared, verificationIntervalMs: 60_000 });
    const two = createWiredShop({ ...shared, store: one.store }, {}, one);
    const session = await one.open();
    const etag = (await one.get(session)).headers.get('etag') ?? '';
    const held = one.get(session, { 'if-none-match': etag, prefer: 'wait=25' });
    await one.clock.untilWaiting(rereadMs);
    one.sandbox.control.transfer({ accountNumber: session.account.number, amount: order.amount.value });
    await two.get(session);
    one.clock.advance(afterMs);
    expect(await readView(held)).toMatchObject({ outcome: 'paid' });
    expect(one.clock.pending()).toBe(0);
  });
});

describe('live mode', () => {
  const live = changing({ liveMode: true });

  it('refuses a store that forgets, and says what to do', async () => {
    const { post, wire, errors } = createWiredShop();
    wire.intercept = live;
    expect((await post()).status).toBe(500);
    expect(errors).toMatchObject([
      { code: 'invalid_options', message: expect.stringContaining('allowVolatileStore') },
    ]);
  });

  it('accepts it with allowVolatileStore, and a durable one always', async () => {
    for (const options of [
      { allowVolatileStore: true },
      { store: { ...createMemoryStore(), isVolatile: false } },
    ]) {
      const { open, wire } = createWiredShop(options);
      wire.intercept = live;
      expect(await open()).toMatchObject({ liveMode: true });
    }
  });
});
