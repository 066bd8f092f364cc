import { describe, expect, it } from 'vitest';
import type { Session } from '../../../src/contract/index.ts';
import { createNotifiedShop } from '../kit/notified-shop.ts';
import { readView } from '../kit/wire-faults.ts';
import { order } from '../kit/wired-shop.ts';

const halfHour = 31 * 60_000;
const price = order.amount.value;

/** A shop whose order has two expired payments, which accept any amount. */
async function shopWithTwoExpired() {
  const shop = createNotifiedShop();
  const { clock, sandbox, get, delivered, notified } = shop;
  const openAndExpire = async (): Promise<Session> => {
    const session = await shop.open();
    const acceptedAmountPolicy = 'ACCEPTED_AMOUNT_POLICY_ALLOW_ANY';
    sandbox.control.updatePayment(session.reference, { acceptedAmountPolicy });
    clock.advance(halfHour);
    await get(session);
    return session;
  };
  const sessions = [await openAndExpire(), await openAndExpire()] as const;
  const pay = async ({ account }: Session, amount: number = price): Promise<void> => {
    sandbox.control.transfer({ accountNumber: account.number, amount });
    await delivered();
    clock.advance(61_000);
  };
  const reverse = async ({ reference }: Session): Promise<void> => {
    sandbox.control.updatePayment(reference, { status: 'reversed' });
    await delivered();
    clock.advance(61_000);
  };
  /** What the shopper sees, whichever payment the browser knows, and what the merchant was notified of. */
  const seen = async () => {
    const [view, other] = await Promise.all(sessions.map((session) => readView(get(session))));
    expect(other?.outcome).toBe(view?.outcome);
    return [view?.outcome, ...notified.filter((key) => !key.endsWith('expired'))];
  };
  return { ...shop, sessions, pay, reverse, seen };
}

describe.each([
  ['the earlier', 0],
  ['the later', 1],
] as const)('an order that %s of its payments has paid', (_name, index) => {
  const open = async () => {
    const shop = await shopWithTwoExpired();
    const [one, other] = [shop.sessions[index], shop.sessions[1 - index]] as [Session, Session];
    return { ...shop, one, other };
  };

  it.each([
    ['all of the money', price],
    ['a part of it', 1000],
  ])(
    'stays reversed, for the shopper as for the merchant, when the other gets %s after that',
    async (_, amount) => {
      const { one, other, pay, reverse, seen } = await open();
      await pay(one);
      await reverse(one);
      await pay(other, amount);
      const unexpected = `order-1:unexpectedMoney:${other.reference}`;
      expect(await seen()).toEqual(['reversed', 'order-1:paid', 'order-1:reversed', unexpected]);
    },
  );

  it('is reversed, although the other was paid as well', async () => {
    const { one, other, pay, reverse, seen } = await open();
    await pay(one);
    await pay(other);
    await reverse(one);
    const unexpected = `order-1:unexpectedMoney:${other.reference}`;
    expect(await seen()).toEqual(['reversed', 'order-1:paid', unexpected, 'order-1:reversed']);
  });

  it('stays paid when the money on the other is reversed', async () => {
    const { one, other, pay, reverse, seen } = await open();
    await pay(one);
    await pay(other);
    await reverse(other);
    expect(await seen()).toEqual(['paid', 'order-1:paid', `order-1:unexpectedMoney:${other.reference}`]);
  });

  it('is paid, although too little money on the other was reversed before', async () => {
    const { one, other, pay, reverse, seen } = await open();
    await pay(other, 1000);
    await reverse(other);
    await pay(one);
    expect(await seen()).toEqual(['paid', 'order-1:paid']);
  });

  it('is paid, although the other was paid and reversed before anybody saw it', async () => {
    const { one, other, pay, reverse, seen, sandbox } = await open();
    sandbox.control.setCallbackDelivery({ drop: 1 });
    await pay(other);
    await reverse(other);
    expect(await seen()).toEqual(['reversed']);
    sandbox.control.setCallbackDelivery({ drop: 0 });
    await pay(one);
    expect(await seen()).toEqual(['paid', 'order-1:paid']);
  });
});
