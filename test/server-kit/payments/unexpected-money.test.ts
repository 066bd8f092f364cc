import { describe, expect, it } from 'vitest';
import type { OutcomeEvent, PaidEvent } from '../../../server-kit/outbox/handlers.ts';
import type { Session } from '../../../src/contract/index.ts';
import { changedOrder, createCart, readView } from '../kit/wire-faults.ts';
import { createWiredShop, order } from '../kit/wired-shop.ts';

const halfHour = 31 * 60_000;
const price = order.amount.value;

type Policy = 'ALLOW_PARTIAL' | 'ALLOW_ANY';

/** A shop that records the events of its handlers, with the money on the payment at that time. */
function notingShop(...[options = {}, ...more]: Parameters<typeof createWiredShop>) {
  const notified: string[] = [];
  const note = ({ idempotencyKey, payment }: OutcomeEvent): void =>
    void notified.push(`${idempotencyKey} ${payment.chargedAmount}`);
  const handlers = { onPaid: note, onFailed: note, onExpired: note, onAmountMismatch: note };
  const shop = createWiredShop({ ...handlers, onUnexpectedMoney: note, ...options }, ...more);
  const { clock, get, sandbox } = shop;
  const receive = async (session: Session, amount: number): Promise<void> => {
    sandbox.control.transfer({ accountNumber: session.account.number, amount });
    clock.advance(61_000);
    await get(session);
  };
  const openFor = async (policy: Policy): Promise<Session> => {
    const session = await shop.open();
    const acceptedAmountPolicy = `ACCEPTED_AMOUNT_POLICY_${policy}` as const;
    sandbox.control.updatePayment(session.reference, { acceptedAmountPolicy });
    return session;
  };
  const expire = async (session: Session): Promise<void> => {
    clock.advance(halfHour);
    await get(session);
  };
  return { ...shop, notified, receive, openFor, expire };
}

describe('a part of the money', () => {
  it('is reported when it arrives on an expired account', async () => {
    const { openFor, receive, expire, notified } = notingShop();
    const session = await openFor('ALLOW_PARTIAL');
    await expire(session);
    await receive(session, 1000);
    expect(notified).toEqual(['order-1:expired 0', `order-1:unexpectedMoney:${session.reference} 1000`]);
  });

  it('is reported when a second account expires with it', async () => {
    const { open, openFor, receive, expire, notified } = notingShop();
    await expire(await open());
    const second = await openFor('ALLOW_PARTIAL');
    await receive(second, 1000);
    await expire(second);
    expect(notified).toEqual(['order-1:expired 0', `order-1:unexpectedMoney:${second.reference} 1000`]);
  });

  it('is reported when the payment fails with it', async () => {
    const { openFor, receive, get, clock, sandbox, notified } = notingShop();
    const session = await openFor('ALLOW_PARTIAL');
    await receive(session, 1000);
    sandbox.control.updatePayment(session.reference, { status: 'failed' });
    clock.advance(5000);
    await get(session);
    expect(notified).toEqual([`order-1:failed 1000`, `order-1:unexpectedMoney:${session.reference} 1000`]);
  });

  it('is reported for each account of an order that receives it', async () => {
    const { openFor, receive, expire, notified } = notingShop();
    const first = await openFor('ALLOW_ANY');
    await expire(first);
    const second = await openFor('ALLOW_ANY');
    await receive(first, 1000);
    await receive(second, 2000);
    expect(notified.slice(1)).toEqual([
      'order-1:amountMismatch 1000',
      `order-1:unexpectedMoney:${second.reference} 2000`,
    ]);
  });
});

describe('more money on the same account', () => {
  it('is unexpected after the order was paid, each time that some comes', async () => {
    const { openFor, receive, notified } = notingShop();
    const session = await openFor('ALLOW_ANY');
    for (const _ of [1, 2, 3]) await receive(session, price);
    const key = `order-1:unexpectedMoney:${session.reference}`;
    expect(notified).toEqual([
      `order-1:paid ${price}`,
      `${key}:${2 * price} ${2 * price}`,
      `${key}:${3 * price} ${3 * price}`,
    ]);
  });

  it('is unexpected again on a replaced payment', async () => {
    const cart = createCart();
    const { openFor, open, receive, clock, notified } = notingShop({ createPayment: cart.createPayment });
    const session = await openFor('ALLOW_ANY');
    cart.change();
    clock.advance(5000);
    await open();
    await receive(session, 1000);
    await receive(session, 1000);
    const key = `order-1:unexpectedMoney:${session.reference}`;
    expect(notified).toEqual([`${key} 1000`, `${key}:2000 2000`]);
  });

  it('is not counted twice, as excess and as unexpected', async () => {
    const excess: unknown[] = [];
    let isReady = false;
    const { openFor, receive, clock, checkout, notified } = notingShop({
      random: () => 0,
      onPaid: (event: PaidEvent) => {
        if (!isReady) throw new Error('not now');
        excess.push(event.excess?.value);
      },
    });
    const session = await openFor('ALLOW_ANY');
    await receive(session, price + 5);
    await receive(session, 1000);
    isReady = true;
    clock.advance(60_000);
    await checkout.settled();
    expect(excess).toEqual([5]);
    expect(notified).toEqual([
      `order-1:unexpectedMoney:${session.reference}:${price + 1005} ${price + 1005}`,
    ]);
  });
});

describe('more money on an expired account, once another account has paid the order', () => {
  it.each([
    ['paid', 'ALLOW_PARTIAL', price - 1000, 0],
    ['amountMismatch', 'ALLOW_ANY', 500, 0],
    ['paid', 'ALLOW_PARTIAL', price - 1000, 90],
  ] as const)(
    'is unexpected like the part before it, also if the payment is then %s (%s, %i, confirmed after %i s)',
    async (outcome, policy, rest, confirmationSeconds) => {
      const { openFor, open, receive, expire, clock, get, sandbox, store, notified } = notingShop(
        {},
        { confirmationSeconds },
      );
      const first = await openFor('ALLOW_PARTIAL');
      await expire(first);
      const second = await open();
      await receive(first, 1000);
      await receive(second, price);
      const acceptedAmountPolicy = `ACCEPTED_AMOUNT_POLICY_${policy}` as const;
      sandbox.control.updatePayment(first.reference, { acceptedAmountPolicy });
      await receive(first, rest);
      clock.advance(61_000);
      await get(first);
      expect(await store.findByReference(first.reference)).toMatchObject({ outcome });
      const [key, total] = [`order-1:unexpectedMoney:${first.reference}`, 1000 + rest];
      expect(notified.slice(1)).toEqual([`${key} 1000`, `order-1:paid ${price}`, `${key}:${total} ${total}`]);
    },
  );
});

describe('late money at a price of before', () => {
  it.each([1, 2])(
    'pays no order that has come to cost more since, after %i expired accounts',
    async (count) => {
      const cart = createCart();
      const { open, get, receive, expire, notified } = notingShop({ createPayment: cart.createPayment });
      const old: Session[] = [];
      for (let index = 0; index < count; index++) {
        const session = await open();
        old.push(session);
        await expire(session);
      }
      cart.change();
      const current = await open();
      expect(current).toMatchObject({ outcome: 'pending', amount: changedOrder.amount });
      for (const session of old) await receive(session, price);
      expect(notified).toEqual([
        'order-1:expired 0',
        ...old.map(({ reference }) => `order-1:unexpectedMoney:${reference} ${price}`),
      ]);
      expect(await readView(get(current))).toMatchObject({ outcome: 'pending' });
      expect(await open()).toMatchObject({ reference: current.reference });
    },
  );

  it('pays it where it had come before anybody asked at the new price', async () => {
    const cart = createCart();
    const { open, receive, expire, notified } = notingShop({ createPayment: cart.createPayment });
    const session = await open();
    await expire(session);
    await receive(session, price);
    cart.change();
    expect(await open()).toMatchObject({ reference: session.reference, outcome: 'paid' });
    expect(notified).toEqual(['order-1:expired 0', `order-1:paid ${price}`]);
  });
});
