import { describe, expect, it } from 'vitest';
import type { OutcomeEvent } from '../../../../server-kit/checkout/outbox/handlers.ts';
import { createMemoryBus } from '../../../../server-kit/checkout/ports/memory-bus.ts';
import { createCallback } from '../../../../server-kit/tools/testing/index.ts';
import type { Session } from '../../../../src/contract/index.ts';
import { createGate } from '../../kit/gate.ts';
import { callbackUrl, createNotifiedShop } from '../../kit/notified-shop.ts';
import { nextTurn, pass } from '../../kit/test-clock.ts';
import { changing, codeOf, onlyFor, readSession, readView } from '../../kit/wire-faults.ts';
import { createWiredShop, order } from '../../kit/wired-shop.ts';

const minuteMs = 60_000;
const { value: price } = order.amount;

describe('an order whose two accounts are paid while no page is open', () => {
  /** Two instances of a shop on one store. The service's responses can be held, and arrive together. */
  function createTwoInstances() {
    const paidBy = new Map<string, string>();
    const unexpected = new Map<string, string>();
    const note =
      (names: Map<string, string>) =>
      ({ order, payment }: OutcomeEvent): void => {
        expect(names.has(order.orderId)).toBe(false);
        names.set(order.orderId, payment.reference);
      };
    const handlers = { onPaid: note(paidBy), onUnexpectedMoney: note(unexpected) };
    const options = { ...handlers, bus: createMemoryBus(), maxVerificationsPerSecond: 10_000 };
    const one = createWiredShop(options);
    const two = createWiredShop({ ...options, store: one.store }, {}, one);
    const holdingResponses = async <T>(work: () => Promise<T>): Promise<T> => {
      const gate = createGate();
      for (const { wire } of [one, two]) {
        wire.intercept = async (_path, send) => {
          const response = await send();
          await gate.opened;
          return response;
        };
      }
      const done = work();
      for (let turns = 0; turns < 10; turns++) await nextTurn();
      gate.open();
      return done;
    };
    const callBack = async ({ checkout }: typeof one, { reference }: Session): Promise<void> => {
      const data = { reference, status: 'succeeded', expectedAmount: price };
      await checkout.handler(await createCallback({ callbackUrl, data, signedAtMs: one.clock.now() }));
      await checkout.settled();
    };
    return { one, two, clock: one.clock, paidBy, unexpected, holdingResponses, callBack };
  }

  it('has one payment that paid it, for onPaid, the page and onUnexpectedMoney, in 30 races', async () => {
    const { one, two, clock, paidBy, unexpected, holdingResponses, callBack } = createTwoInstances();
    const ids = Array.from({ length: 30 }, (_, index) => `order-${index}`);
    const openAll = () =>
      Promise.all(ids.map((orderId) => one.checkout.createSession({ ...order, orderId })));
    const firsts = await openAll();
    clock.advance(31 * minuteMs);
    const seconds = await openAll();
    const pairs = firsts.map((first, index) => [first, seconds[index] as Session] as const);
    for (const [index, [first, second]] of pairs.entries()) {
      for (const { account } of index % 4 < 2 ? [first, second] : [second, first]) {
        clock.advance(100);
        one.sandbox.control.transfer({ accountNumber: account.number, amount: price });
      }
    }
    const race = ([first, second]: (typeof pairs)[number], index: number) => {
      const [page, other] = index % 2 === 0 ? [first, second] : [second, first];
      return Promise.all([one.get(page), callBack(two, page), callBack(two, other), callBack(one, other)]);
    };
    clock.advance(5000);
    await holdingResponses(() => Promise.all(pairs.map(race)));
    for (const [index, pair] of pairs.entries()) {
      const views = await Promise.all(pair.map((session) => readView(two.get(session))));
      const shown = views.map(({ reference, paymentReference = reference }) => paymentReference);
      const paid = paidBy.get(`order-${index}`);
      expect(shown).toEqual([paid, paid]);
      const both = pair.map(({ reference }) => reference);
      expect([paid, unexpected.get(`order-${index}`)].toSorted()).toEqual(both.toSorted());
    }
  });
});

describe('a decision on another account whose verification was ignored', () => {
  /** A link whose payment was opened, and has expired. */
  async function shopWithExpiredLink() {
    const shop = createNotifiedShop();
    const link = await shop.checkout.createLink(order);
    shop.visit(link);
    await shop.get(link);
    expect(await shop.viewAfter(31 * minuteMs, link)).toMatchObject({ outcome: 'expired' });
    shop.clock.advance(5000);
    const count = () => shop.accounts().length + shop.sandbox.control.listCheckoutLinks().length;
    return { ...shop, link, count, before: count() };
  }

  it('finds the second payment of a link, with another id, that has succeeded', async () => {
    const { link, count, before, during, clock, post, notified } = await shopWithExpiredLink();
    const updatedAt = new Date(clock.now()).toISOString();
    const second = { id: 'pay_second', status: 'succeeded', chargedAmount: price, updatedAt };
    const response = await during(onlyFor('verify', changing(second)), post);
    expect(await readSession(response)).toMatchObject({ reference: link.reference, outcome: 'paid' });
    expect(count()).toBe(before);
    expect(notified).toEqual(['order-1:expired', 'order-1:paid']);
  });

  it('asks once more, and then refuses', async () => {
    const { count, before, wire, during, post, verifications } = await shopWithExpiredLink();
    const older = { status: 'awaiting_charge', updatedAt: '2026-03-01T12:00:00.000Z' };
    wire.calls.length = 0;
    const response = await during(onlyFor('verify', changing(older)), post);
    expect([response.status, await codeOf(response)]).toEqual([503, 'service_unavailable']);
    // First with patience, which could not say more; then twice for the decision.
    expect(verifications()).toHaveLength(3);
    expect(count()).toBe(before);
  });
});

type Said = [status: string, chargedAmount: number];
type Movements = (reference: string) => unknown[][];

describe('a movement of money that was not reported, or too early', () => {
  const movements: [string, Said[], Movements, object][] = [
    [
      'paid, reversed, and paid again',
      [
        ['succeeded', price],
        ['reversed', 0],
        ['succeeded', price],
      ],
      (reference) => [
        ['order-1:paid', price],
        ['order-1:reversed', price],
        [`order-1:unexpectedMoney:${reference}:1`, price, 'afterReversal'],
      ],
      { outcome: 'reversed', isNew: false },
    ],
    [
      'a mismatch that is reversed',
      [
        ['succeeded', 5000],
        ['reversed', 0],
      ],
      (reference) => [
        ['order-1:amountMismatch', 5000],
        [`order-1:reversed:${reference}`, 5000],
      ],
      { outcome: 'pending', isNew: true },
    ],
    [
      'a part that the bank returns',
      [
        ['awaiting_charge', 5000],
        ['reversed', 0],
      ],
      () => [],
      { outcome: 'pending', isNew: true },
    ],
  ];

  it.each(movements)(
    '%s',
    async (_name, said, expected, { isNew, ...session }: object & { isNew?: boolean }) => {
      const shop = createNotifiedShop();
      shop.loseCallbacks();
      const first = await shop.open();
      for (const [status, chargedAmount] of said) await shop.say(first, { status, chargedAmount });
      const shown = await shop.open();
      expect(shown).toMatchObject(session);
      expect(shown.reference !== first.reference).toBe(isNew);
      expect(shop.movements).toEqual(expected(first.reference));
      const unseen = said.at(-2)?.[0] === 'awaiting_charge' ? [{ reference: first.reference }] : [];
      expect(shop.log.filter(({ type }) => type === 'reversedUnpaid')).toMatchObject(unseen);
    },
  );

  it('money on a replaced account that is charged, and fails', async () => {
    const shop = createNotifiedShop();
    shop.loseCallbacks();
    const first = await shop.open();
    shop.changeCart();
    const next = await shop.open();
    await shop.say(first, { status: 'charged', chargedAmount: price });
    expect(await shop.viewAfter(0, next)).toMatchObject({ outcome: 'pending', orderChargedAmount: price });
    await shop.say(first, { status: 'failed', chargedAmount: 0 });
    expect(next.reference).not.toBe(first.reference);
    expect(shop.movements).toEqual([]);
  });
});

describe('money on a replaced account whose callback is lost', () => {
  it('is known to the held page of the new account, and the merchant, with its next verification', async () => {
    const { open, loseCallbacks, changeCart, hold, pay, clock, notified } = createNotifiedShop();
    loseCallbacks();
    const first = await open();
    changeCart();
    const second = await open();
    clock.advance(5000);
    const { response } = await hold(second);
    pay(first.account.number);
    await pass(clock, 2500);
    const seen = { reference: second.reference, outcome: 'pending', orderChargedAmount: price };
    expect(await readView(response)).toMatchObject(seen);
    expect(notified).toEqual([`order-1:unexpectedMoney:${first.reference}:1`]);
  });
});

describe('a repeated callback of an order that was purged', () => {
  it('is acknowledged and logged, and reports nothing', async () => {
    const shop = createNotifiedShop({ purgeAfterDays: 60 });
    const { account, reference } = await shop.open();
    shop.pay(account.number);
    await shop.delivered();
    for (let days = 0; days < 100; days++) await shop.roundAfter(24 * 60 * minuteMs);
    expect(await shop.store.find(reference)).toEqual({ kind: 'purged' });
    const claim = { reference, status: 'succeeded', expectedAmount: price };
    expect((await shop.callBack(claim)).status).toBe(204);
    expect(shop.events().at(-1)).toBe('purged payment');
    expect(shop.notified).toEqual(['order-1:paid']);
    expect(shop.log.filter(({ type }) => type === 'purged')).toMatchObject([{ level: 'info', records: 1 }]);
  });
});
