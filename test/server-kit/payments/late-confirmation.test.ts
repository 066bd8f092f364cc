import { describe, expect, it } from 'vitest';
import { createNotifiedShop } from '../kit/notified-shop.ts';
import { changing } from '../kit/wire-faults.ts';
import { createWiredShop } from '../kit/wired-shop.ts';

const minuteMs = 60_000;
const warnings = (log: readonly { type: string }[]) => log.filter(({ type }) => type === 'confirmationLate');

/** A shop whose service does not confirm the money that has come. */
async function unconfirmedShop() {
  const shop = createNotifiedShop({}, { confirmationSeconds: 30 * 24 * 3600 });
  const { checkout, clock, sandbox } = shop;
  const session = await shop.open();
  const roundAfter = async (ms: number): Promise<void> => {
    clock.advance(ms);
    await checkout.reconcile();
    await checkout.settled();
  };
  const come = async (): Promise<void> => {
    shop.pay(session.account.number);
    await shop.delivered();
    await roundAfter(1000);
  };
  const confirm = () => sandbox.control.updatePayment(session.reference, { status: 'succeeded' });
  const oldestMs = async () => (await checkout.measure()).gauges.oldestConfirmingMs;
  return { ...shop, session, roundAfter, come, confirm, oldestMs };
}

describe('money that the service does not confirm', () => {
  it('is measured from when it was seen until it is confirmed', async () => {
    const { come, confirm, roundAfter, oldestMs, notified, delivered } = await unconfirmedShop();
    expect(await oldestMs()).toBeNull();
    await come();
    const sinceMs = (await oldestMs()) ?? Number.NaN;
    expect(sinceMs).toBeLessThanOrEqual(1000);
    await roundAfter(2 * minuteMs);
    expect(await oldestMs()).toBe(sinceMs + 2 * minuteMs);
    confirm();
    await delivered();
    await roundAfter(2 * minuteMs);
    expect(notified).toEqual(['order-1:paid']);
    expect(await oldestMs()).toBeNull();
  });

  it('is logged once after fifteen minutes, and still verified', async () => {
    const { come, confirm, roundAfter, log, session, notified } = await unconfirmedShop();
    await come();
    await roundAfter(13 * minuteMs);
    expect(warnings(log)).toEqual([]);
    await roundAfter(2 * minuteMs);
    const { reference } = session;
    const warning = { level: 'warn', type: 'confirmationLate', reference, orderId: 'order-1' };
    expect(warnings(log)).toEqual([{ ...warning, since: '2026-03-01T12:00:00.000Z' }]);
    for (let hour = 0; hour < 30; hour++) await roundAfter(60 * minuteMs);
    expect(warnings(log)).toHaveLength(1);
    confirm();
    await roundAfter(60 * minuteMs);
    expect(notified).toEqual(['order-1:paid']);
  });

  it('is warned of by one of the instances that see it', async () => {
    const { come, clock, sandbox, store, get, session, log } = await unconfirmedShop();
    const other = createWiredShop({ store }, {}, { clock, sandbox });
    await come();
    clock.advance(16 * minuteMs);
    await Promise.all([get(session), other.get(session)]);
    clock.advance(minuteMs);
    await Promise.all([get(session), other.get(session)]);
    expect(warnings([...log, ...other.log])).toHaveLength(1);
  });

  it('counts from when it came, also where the service changes something else of it', async () => {
    const { come, clock, roundAfter, wire, log } = await unconfirmedShop();
    await come();
    for (let minutes = 0; minutes < 32; minutes += 4) {
      wire.intercept = changing({ updatedAt: new Date(clock.now()).toISOString() });
      await roundAfter(4 * minuteMs);
    }
    expect(warnings(log)).toHaveLength(1);
  });
});

describe('an account that waits for money, or has a part of it', () => {
  it('is not waiting to be confirmed', async () => {
    const { sandbox, session, roundAfter, oldestMs, log } = await unconfirmedShop();
    const { reference, account } = session;
    sandbox.control.updatePayment(reference, {
      acceptedAmountPolicy: 'ACCEPTED_AMOUNT_POLICY_ALLOW_PARTIAL',
    });
    sandbox.control.transfer({ accountNumber: account.number, amount: 5000 });
    for (let minutes = 0; minutes < 20; minutes += 2) await roundAfter(2 * minuteMs);
    expect(await oldestMs()).toBeNull();
    expect(warnings(log)).toEqual([]);
  });
});
