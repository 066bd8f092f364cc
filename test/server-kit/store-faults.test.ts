import { expect, it } from 'vitest';
import type { Store } from '../../server-kit/engine/store.ts';
import { createMemoryStore } from '../../server-kit/stores/memory.ts';
import type { PaymentView } from '../../src/contract/index.ts';
import { openedWithoutCallbacks } from './kit/notified-shop.ts';
import { storedPayments } from './kit/payment-facts.ts';
import { createTestClock } from './kit/test-clock.ts';
import { changedOrder, readView } from './kit/wire-faults.ts';
import { order } from './kit/wired-shop.ts';

type Write = Store['write'];

/** A shop with an open payment, whose store can then be made to fail. */
async function openedShop() {
  const clock = createTestClock();
  const inner = createMemoryStore({ now: clock.now });
  const fault: { write: Write | undefined } = { write: undefined };
  const write: Write = (change) => (fault.write ?? inner.write)(change);
  const shop = await openedWithoutCallbacks({ store: { ...inner, write } }, {}, { clock });
  await shop.viewAfter(5000, shop.session);
  clock.advance(5000);
  /** Runs before the next write of the shop. */
  const beforeWrite = (work: () => Promise<unknown>): void => {
    fault.write = async (change) => {
      fault.write = undefined;
      await work();
      return inner.write(change);
    };
  };
  return { ...shop, inner, fault, beforeWrite };
}

it('a store whose write commits, but throws loses no outcome: the next round reports it, once', async () => {
  const { get, session, receive, clock, checkout, fault, inner, notified, errors } = await openedShop();
  receive();
  fault.write = async (change) => {
    await inner.write(change);
    throw new Error('the connection to the database was lost');
  };
  expect((await get(session)).status).toBe(500);
  expect(errors).toMatchObject([{ message: 'the connection to the database was lost' }]);
  fault.write = undefined;
  clock.advance(2000);
  expect(await readView(get(session))).toMatchObject({ outcome: 'paid' });
  await checkout.reconcile();
  await checkout.reconcile();
  expect(notified).toEqual(['order-1:paid']);
});

it('a verification whose write comes second is merged into what the first has written', async () => {
  const { get, session, receive, beforeWrite, another, notified, inner } = await openedShop();
  let view: Promise<PaymentView> | undefined;
  // The cart has changed: an instance that has seen no money replaces the account, while another one sees money.
  const write: Write = (change) =>
    view === undefined
      ? new Promise((resolve) => {
          receive();
          beforeWrite(async () => resolve(await inner.write(change)));
          view = readView(get(session));
        })
      : inner.write(change);
  const { reference } = await another({ store: { ...inner, write } }).checkout.createSession(changedOrder);
  expect(await view).toMatchObject({ outcome: 'replaced', chargedAmount: order.amount.value });
  const replaced = { outcome: 'replaced', reported: order.amount.value };
  expect(await storedPayments(inner)).toMatchObject([replaced, { reference, outcome: 'pending' }]);
  expect(notified).toEqual([`order-1:unexpectedMoney:${session.reference}:1`]);
});
