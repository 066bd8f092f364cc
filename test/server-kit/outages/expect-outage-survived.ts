import { expect } from 'vitest';
import type { Store } from '../../../server-kit/engine/store.ts';
import type { PaymentView, Problem, Session } from '../../../src/contract/index.ts';
import type { TestClock } from '../kit/test-clock.ts';
import { createWiredShop, order, shopUrl } from '../kit/wired-shop.ts';

export type Outage = { store: Store; clock: TestClock; begin: () => unknown; end: () => unknown };

/**
 * A shop whose database takes no writes between `begin` and `end`, while an order is paid. Expects that readiness says so, that no
 * account is shown which is not stored, that nothing is reported twice or lost, and that no restart is needed.
 */
export async function expectOutageSurvived({ store, clock, begin, end }: Outage): Promise<void> {
  const notified: string[] = [];
  const note = ({ idempotencyKey }: { idempotencyKey: string }) => void notified.push(idempotencyKey);
  let orderId = 'order-1';
  const getOrder = () => ({ ...order, orderId });
  const shop = createWiredShop({ store, getOrder, onPaid: note, onAttention: note }, {}, { clock });
  const { open, get, post, checkout, sandbox } = shop;
  const pay = ({ account }: Session) =>
    sandbox.control.transfer({ accountNumber: account.number, amount: order.amount.value });
  const readiness = async (): Promise<number> => {
    clock.advance(1000);
    return (await checkout.handler(new Request(`${shopUrl}/checkout/ready`))).status;
  };
  const first = await open();
  expect(await readiness()).toBe(200);

  await begin();
  try {
    pay(first);
    clock.advance(5000);
    expect(await readiness()).toBe(503);
    // Where the record cannot be written, the shopper sees an error, or the account as before.
    const seen = await get(first);
    if (seen.status === 200) expect((await seen.json()) as PaymentView).toMatchObject({ outcome: 'pending' });
    else expect(seen.status).toBeOneOf([500, 503]);
    orderId = 'order-2';
    const refused = await post();
    expect(refused.status).toBeOneOf([500, 503]);
    expect((await refused.json()) as Problem).not.toHaveProperty('account');
    await checkout.reconcile().catch(() => {});
    expect(notified).toEqual([]);
  } finally {
    await end();
  }

  expect(await readiness()).toBe(200);
  const second = await open();
  expect(second.account.number).not.toBe(first.account.number);
  pay(second);
  for (let round = 0; round < 5; round++) {
    clock.advance(61_000);
    await checkout.reconcile();
  }
  expect(notified.sort()).toEqual(['order-1:paid', 'order-2:paid']);
  expect((await (await get(first)).json()) as PaymentView).toMatchObject({ outcome: 'paid' });
}
