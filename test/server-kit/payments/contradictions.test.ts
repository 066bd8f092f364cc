import { describe, expect, it } from 'vitest';
import { createNotifiedShop } from '../kit/notified-shop.ts';
import { changing, readView } from '../kit/wire-faults.ts';
import { order } from '../kit/wired-shop.ts';

const { value: price } = order.amount;
const linesOf = (log: readonly { type: string }[], type: string) => log.filter((line) => line.type === type);

describe('a response that contradicts the record', () => {
  it('is logged once, however often it comes', async () => {
    const { get, open, wire, clock, log } = createNotifiedShop();
    const session = await open();
    wire.intercept = changing({ status: 'charged', chargedAmount: price });
    clock.advance(3000);
    await get(session);
    const updatedAt = '2026-03-01T13:00:00.000Z';
    wire.intercept = changing({ status: 'awaiting_charge', chargedAmount: 0, updatedAt });
    for (let times = 0; times < 3; times++) {
      clock.advance(3000);
      expect(await readView(get(session))).toMatchObject({ status: 'charged', chargedAmount: price });
    }
    const { reference } = session;
    const line = { level: 'warn', type: 'responseIgnored', reference, reason: 'forgetsMoney' };
    expect(linesOf(log, 'responseIgnored')).toEqual([{ ...line, status: 'awaiting_charge', updatedAt }]);
  });
});

describe('a full payment from a node of the service whose clock is two seconds behind', () => {
  it('is paid, and reported', async () => {
    const { get, open, wire, clock, notified } = createNotifiedShop();
    const session = await open();
    const at = (ms: number) => new Date(clock.now() + ms).toISOString();
    wire.intercept = changing({ status: 'charged', chargedAmount: price, updatedAt: at(2000) });
    clock.advance(3000);
    await get(session);
    wire.intercept = changing({ status: 'succeeded', chargedAmount: price, updatedAt: at(-3000) });
    clock.advance(3000);
    expect(await readView(get(session))).toMatchObject({ outcome: 'paid' });
    expect(notified).toEqual(['order-1:paid']);
  });
});

describe('one response that calls an unpaid payment reversed', () => {
  it('is logged, and the payment is verified on and can be paid', async () => {
    const { get, open, wire, clock, log, notified, pay, checkout, sandbox } = createNotifiedShop();
    const session = await open();
    sandbox.control.setCallbackDelivery({ drop: 1 });
    wire.intercept = changing({ status: 'reversed', updatedAt: '2026-03-02T12:00:00.000Z' });
    clock.advance(3000);
    expect(await readView(get(session))).toMatchObject({ outcome: 'reversed' });
    wire.intercept = undefined;
    const { reference } = session;
    expect(linesOf(log, 'reversedUnpaid')).toEqual([
      { level: 'warn', type: 'reversedUnpaid', reference, orderId: 'order-1' },
    ]);
    pay(session.account.number);
    clock.advance(120_000);
    await checkout.reconcile();
    await checkout.settled();
    expect(notified).toEqual(['order-1:paid']);
  });
});

describe('one response with a Date that is an hour ahead', () => {
  it('ends no link that nobody has opened yet', async () => {
    const { checkout, get, wire, clock, store, notified } = createNotifiedShop();
    const link = await checkout.createLink(order);
    wire.intercept = async (_path, send) => {
      const response = await send();
      const headers = { date: new Date(clock.now() + 3_600_000).toUTCString() };
      return new Response(await response.text(), { status: response.status, headers });
    };
    clock.advance(3000);
    await get(link);
    wire.intercept = undefined;
    clock.advance(3000);
    await get(link);
    expect(await store.findByReference(link.reference)).toMatchObject({ outcome: 'pending' });
    expect(notified).toEqual([]);
    expect(await checkout.createLink(order)).toMatchObject({ reference: link.reference });
  });
});
