import { describe, expect, it } from 'vitest';
import { createMemoryStore } from '../../server-kit/stores/memory.ts';
import type { Store } from '../../server-kit/stores/store.ts';
import { readView } from './kit/wire-faults.ts';
import { createWiredShop, order } from './kit/wired-shop.ts';
import { nothingFollows } from './stores/store-kit.ts';

/** A shop with an open payment, whose store can then be made to fail. */
async function openedShop(...[options, ...others]: Parameters<typeof createWiredShop>) {
  const inner = createMemoryStore();
  const fault: { update: Store['update'] | undefined } = { update: undefined };
  const store: Store = { ...inner, update: (...write) => (fault.update ?? inner.update)(...write) };
  const notified: string[] = [];
  const shop = createWiredShop(
    {
      store,
      onPaid: ({ payment }) => void notified.push(`paid ${payment.reference}`),
      onUnexpectedMoney: ({ payment }) => void notified.push(`unexpected ${payment.reference}`),
      ...options,
    },
    ...others,
  );
  const session = await shop.open();
  shop.clock.advance(5000);
  const pay = () =>
    shop.sandbox.control.transfer({ accountNumber: session.account.number, amount: order.amount.value });
  return { ...shop, inner, fault, session, pay, notified };
}

describe('a store whose update commits, but throws', () => {
  it('loses no outcome: the next verification reports it, once', async () => {
    const { get, session, pay, clock, fault, inner, notified, errors } = await openedShop();
    pay();
    fault.update = async (record, change) => {
      await inner.update(record, change);
      throw new Error('the connection to the database was lost');
    };
    expect((await get(session)).status).toBe(500);
    expect(errors).toMatchObject([{ message: 'the connection to the database was lost' }]);
    expect(notified).toEqual([]);
    fault.update = undefined;
    clock.advance(2000);
    expect(await readView(get(session))).toMatchObject({ outcome: 'paid' });
    clock.advance(60_000);
    await get(session);
    expect(notified).toEqual([`paid ${session.reference}`]);
  });
});

describe('a verification whose write comes second', () => {
  it('is merged into what the first has written', async () => {
    const { get, session, pay, fault, inner, notified, store } = await openedShop();
    pay();
    fault.update = async (record, change) => {
      fault.update = undefined;
      // Another instance closes the payment, because its cart has changed.
      const current = await inner.findByReference(record.reference);
      if (current !== undefined) await inner.update({ ...current, outcome: 'replaced' }, nothingFollows);
      return inner.update(record, change);
    };
    expect(await readView(get(session))).toMatchObject({
      outcome: 'replaced',
      chargedAmount: order.amount.value,
    });
    expect(await store.findByReference(session.reference)).toMatchObject({
      outcome: 'replaced',
      observed: { chargedAmount: order.amount.value },
    });
    expect(notified).toEqual([`unexpected ${session.reference}`]);
  });

  it('leaves a newer observation of another instance alone', async () => {
    const { get, session, pay, fault, inner } = await openedShop({}, { confirmationSeconds: 60 });
    pay();
    const newer = {
      status: 'succeeded',
      chargedAmount: order.amount.value,
      updatedAt: '2026-03-01T12:00:30.000Z',
    };
    fault.update = async (record, change) => {
      fault.update = undefined;
      const current = await inner.findByReference(record.reference);
      if (current !== undefined) await inner.update({ ...current, observed: newer, outcome: 'paid' }, change);
      return inner.update(record, change);
    };
    expect(await readView(get(session))).toMatchObject({ status: 'succeeded', outcome: 'paid' });
  });

  it('forever ends with the stored record, and an error for the merchant', async () => {
    const { get, session, pay, fault, errors, notified } = await openedShop();
    pay();
    let updates = 0;
    fault.update = async () => {
      updates++;
      return undefined;
    };
    expect(await readView(get(session))).toMatchObject({ outcome: 'pending' });
    expect(updates).toBe(8);
    expect(errors).toMatchObject([{ code: 'internal_error' }]);
    expect(notified).toEqual([]);
  });
});

describe('a store that has lost a record', () => {
  it('shows nothing, in the same words as for a wrong secret', async () => {
    const { session } = await openedShop();
    const other = createWiredShop();
    expect((await other.get(session)).status).toBe(401);
    expect(other.wire.calls).toEqual([]);
  });
});
