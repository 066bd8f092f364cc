import { describe, expect, it } from 'vitest';
import { newOrder } from '../../../../server-kit/engine/order/record.ts';
import { createMemoryStore } from '../../../../server-kit/stores/memory.ts';
import type { Session } from '../../../../src/contract/index.ts';
import { createNotifiedShop, openedWithoutCallbacks } from '../../kit/notified-shop.ts';
import { storedPayment } from '../../kit/payment-facts.ts';
import { createTestClock, pass } from '../../kit/test-clock.ts';
import { down, hanging, refusing } from '../../kit/wire-faults.ts';
import { order } from '../../kit/wired-shop.ts';
import { orderWrite } from '../../stores/conformance/store-kit.ts';
import { dayMs, minuteMs, opening } from '../order/orders.ts';

/** A shop whose callbacks are all lost, with an open payment. */
async function lostCallbacks(...input: Parameters<typeof createNotifiedShop>) {
  const shop = await openedWithoutCallbacks(...input);
  const { checkout, clock } = shop;
  /** Lets a round of the started checkout come after so much time, and end. */
  const round = async (afterMs: number): Promise<void> => {
    await clock.untilWaiting(2000);
    clock.advance(afterMs);
    await clock.untilWaiting(2000);
    await checkout.settled();
  };
  const rounds = async (count: number, everyMs: number): Promise<void> => {
    for (let each = 0; each < count; each++) await round(everyMs);
  };
  return { ...shop, round, rounds, countVerified: () => shop.verifications().length };
}

async function shopWithOrders(count: number) {
  const shop = createNotifiedShop();
  const sessions: Session[] = [];
  for (let each = 1; each <= count; each++)
    sessions.push(await shop.checkout.createSession({ ...order, orderId: `order-${each}` }));
  const payOrder = (number: number) => shop.pay(sessions[number - 1]?.account.number ?? '');
  return { ...shop, payOrder, references: sessions.map(({ reference }) => reference) };
}

describe('a checkout that was started', () => {
  it('reports once a round while the service is down, backs off, and continues when it is back', async () => {
    const { checkout, receive, rounds, notified, errors, wire, countVerified } = await lostCallbacks();
    await checkout.createSession({ ...order, orderId: 'order-2' });
    wire.intercept = down;
    checkout.start();
    await rounds(300, 2000);
    // Each of the two orders is tried ever more seldom, and each try is sent twice.
    expect(countVerified()).toBeGreaterThan(20);
    expect(countVerified()).toBeLessThan(68);
    expect(errors.length).toBe(countVerified() / 4);
    wire.intercept = undefined;
    receive();
    await rounds(60, 2000);
    expect(notified).toEqual(['order-1:paid']);
    await checkout.stop();
  });

  it.each([
    ['refuses the signature', refusing(401)],
    ['responds with something unreadable', async () => new Response('<html>', { status: 200 })],
  ])('keeps what a callback has named, also after its time, while the service %s', async (_name, fault) => {
    const { checkout, session, receive, setStatus, notified, round, rounds, wire, store } =
      await lostCallbacks();
    checkout.start();
    receive();
    await round(2 * minuteMs);
    await rounds(31, dayMs);
    setStatus(session, 'reversed');
    wire.intercept = fault;
    await store.claimOrders({ reference: session.reference, leaseMs: 0 });
    await round(2000);
    wire.intercept = undefined;
    expect(notified).toEqual(['order-1:paid']);
    await round(2 * 60 * minuteMs);
    expect(notified).toEqual(['order-1:paid', 'order-1:reversed']);
    await checkout.stop();
  });

  it('stops verifying what the service refuses only once its watch has ended', async () => {
    const { checkout, wire, rounds, store } = await lostCallbacks();
    wire.intercept = refusing(404);
    checkout.start();
    await rounds(2, dayMs);
    const early = wire.calls.length;
    await rounds(7, dayMs);
    const calls = wire.calls.length;
    await rounds(1, dayMs);
    expect(calls).toBeGreaterThan(early);
    expect(wire.calls.length).toBe(calls);
    const status = { oldestUnpaidMs: expect.any(Number), checkLagMs: 0 };
    expect(await store.readStatus({ mostWaiting: 0 })).toMatchObject(status);
    await checkout.stop();
  });

  it('leaves nothing behind when it is stopped, even during a verification that hangs', async () => {
    const { checkout, clock, wire } = await lostCallbacks();
    wire.intercept = hanging;
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

it('the last verification of a watch is made by another instance, if one was killed before it', async () => {
  const clock = createTestClock();
  const store = createMemoryStore({ now: clock.now });
  const killed = { ...store, reschedule: () => new Promise<void>(() => {}) };
  const shop = await lostCallbacks({ store: killed }, {}, { clock });
  clock.advance(31 * minuteMs);
  const { reference } = await shop.open();
  shop.receive();
  clock.advance(8 * dayMs);
  shop.wire.intercept = (path, send) => (path.includes(shop.session.reference) ? down(path, send) : send());
  void shop.checkout.reconcile();
  await expect.poll(() => storedPayment(store, reference)).toMatchObject({ outcome: 'expired' });
  shop.wire.intercept = undefined;
  clock.advance(2 * minuteMs);
  const onPaid = ({ idempotencyKey }: { idempotencyKey: string }) => void shop.notified.push(idempotencyKey);
  const { checkout } = shop.another({ store, onPaid });
  await checkout.reconcile();
  await checkout.settled();
  expect(shop.notified).toEqual(['order-1:expired', 'order-1:paid']);
});

describe('what a callback has named', () => {
  it('is verified alone, however much is due, and not after a stop', async () => {
    const { payOrder, references, delivered, clock, notified, verifications, checkout } =
      await shopWithOrders(3);
    clock.advance(2 * minuteMs);
    payOrder(1);
    await delivered();
    expect(notified).toEqual(['order-1:paid']);
    expect(new Set(verifications())).toEqual(new Set([references[0]]));
    checkout.start();
    await checkout.stop();
    payOrder(2);
    await delivered();
    expect(notified).toEqual(['order-1:paid']);
  });

  it('is not held up by a verification that hangs', async () => {
    const { checkout, wire, references, payOrder, clock, notified, delivered } = await shopWithOrders(2);
    wire.intercept = (path, send) => (path.includes(references[0] ?? '') ? hanging(path, send) : send());
    payOrder(1);
    await clock.untilWaiting(5000);
    payOrder(2);
    await expect.poll(() => notified).toEqual(['order-2:paid']);
    wire.intercept = undefined;
    clock.advance(5000);
    await delivered();
    expect(notified).toEqual(['order-2:paid', 'order-1:paid']);
    await checkout.stop();
  });

  it('waits while its account is being opened; what a crash has left is closed a minute after its lease', async () => {
    const { checkout, store, clock, verifications } = createNotifiedShop();
    const reference = 'tc_opening';
    const lease = { endsAtMs: clock.now() + 10_000 };
    const record = { ...newOrder('order-2'), payments: [opening({ reference, lease })] };
    await store.write(orderWrite({ id: 'order-2', record, references: [reference], dueAfterMs: 10_000 }));
    await store.claimOrders({ reference: reference, leaseMs: 0 });
    await checkout.reconcile();
    expect(await storedPayment(store, reference)).toMatchObject({ outcome: 'pending' });
    expect(verifications()).toEqual([]);
    clock.advance(72_000);
    // What the callback has said is not done yet.
    expect(await store.claimOrders({ limit: 1, leaseMs: 0 })).toMatchObject([{ isWoken: true }]);
    await checkout.reconcile();
    expect(await storedPayment(store, reference)).toMatchObject({ outcome: 'replaced', opened: null });
    expect(verifications()).toEqual([reference]);
  });
});

describe('the permits', () => {
  it('are waited for by the reconciler, which leaves its work to others when it is stopped before', async () => {
    const { checkout, clock, store, session, get, countVerified, another, during } = await lostCallbacks();
    await during(refusing(429), () => get(session));
    clock.advance(1000);
    const before = countVerified();
    clock.advance(minuteMs);
    await during(refusing(429), () => get(session));
    checkout.start();
    await clock.untilWaiting(1000);
    await checkout.stop();
    expect(countVerified()).toBe(before + 1);
    // As it was: no callback has named it.
    expect(await store.claimOrders({ limit: 1, leaseMs: 0 })).toMatchObject([{ isWoken: false }]);
    expect(await another().checkout.reconcile()).toMatchObject({ due: 1, failed: 0 });
  });

  it('lets everything that is due be verified in one round', async () => {
    const { checkout, clock, verifications, references, loseCallbacks } = await shopWithOrders(45);
    loseCallbacks();
    clock.advance(minuteMs);
    const counts = checkout.reconcile();
    await pass(clock, 2000);
    expect(await counts).toEqual({ due: 20, failed: 0, hasMore: true });
    checkout.start();
    await pass(clock, 1500);
    expect(new Set(verifications())).toEqual(new Set(references));
    await checkout.stop();
  });
});
