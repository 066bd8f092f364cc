import { describe, expect, it } from 'vitest';
import type { BudgetState, Store } from '../../../server-kit/stores/store.ts';
import { settle } from '../../settle.ts';
import { createNotifiedShop } from '../kit/notified-shop.ts';
import { onlyFor, readView, refusing } from '../kit/wire-faults.ts';
import { createWiredShop, order } from '../kit/wired-shop.ts';

/** Two instances of a shop; each has a session that was verified. */
async function twoInstances() {
  const one = createWiredShop();
  const two = createWiredShop({ store: one.store }, {}, one);
  const session = await one.open();
  const other = await two.checkout.createSession({ ...order, orderId: 'order-2' });
  one.clock.advance(5000);
  return { one, two, session, other, clock: one.clock };
}

const rateOf = (store: Pick<Store, 'updateBudget'>) =>
  store.updateBudget((state) => [state as BudgetState, state?.ratePerSecond]);

const verificationsOf = ({ wire }: ReturnType<typeof createWiredShop>) =>
  wire.calls.filter((path) => path.endsWith('/verify')).length;

describe('a response of 429', () => {
  it('to one instance stops the verifications of all for as long as it says', async () => {
    const { one, two, session, other, clock } = await twoInstances();
    one.wire.intercept = refusing(429, { 'retry-after': '12' });
    await one.get(session);
    expect(one.log).toMatchObject([{ type: 'serviceLimited', pauseMs: 12_000, level: 'warn' }]);
    one.wire.intercept = undefined;
    for (const passedMs of [0, 2000, 9999]) {
      clock.advance(passedMs);
      expect((await two.get(other)).status).toBe(200);
      expect((await one.get(session)).status).toBe(200);
    }
    expect(verificationsOf(two)).toBe(0);
    for (const passedMs of [2001, 1000]) {
      clock.advance(passedMs);
      await settle();
    }
    await two.get(other);
    expect(verificationsOf(two)).toBe(1);
  });

  it.each([
    [{}, 250],
    [{ 'retry-after': '0' }, 1000],
    [{ 'retry-after': '3600' }, 30_000],
  ])('with %j stops them for %i ms', async (headers, pauseMs) => {
    const { one, session } = await twoInstances();
    one.wire.intercept = refusing(429, headers);
    await one.get(session);
    expect(one.log[0]).toMatchObject({ type: 'serviceLimited', pauseMs });
  });

  it('to a call that makes an account counts as well', async () => {
    const { one, two, other } = await twoInstances();
    one.wire.intercept = refusing(429);
    await one.checkout.createSession({ ...order, orderId: 'order-3' }).catch(() => {});
    await two.get(other);
    expect(verificationsOf(two)).toBe(0);
  });

  it('and a store that fails then hides nothing', async () => {
    const { one, session } = await twoInstances();
    one.wire.intercept = (path, send) => {
      one.store.updateBudget = () => Promise.reject(new Error('no store'));
      return refusing(429)(path, send);
    };
    expect((await one.get(session)).status).toBe(200);
    expect(one.log).toMatchObject([{ type: 'backgroundFailed', error: { message: 'no store' } }]);
  });

  it('is no failure for a shopper who waits', async () => {
    const { one, session, clock } = await twoInstances();
    const etag = (await one.get(session)).headers.get('etag') ?? '';
    clock.advance(2000);
    one.wire.intercept = refusing(429);
    expect((await one.get(session, { 'if-none-match': etag })).status).toBe(304);
    expect((await one.get(session, { 'if-none-match': etag })).status).toBe(304);
    expect(one.errors).toEqual([]);
  });

  it('is not followed by a second request at once: the next verification waits for the budget', async () => {
    const { one, session } = await twoInstances();
    one.wire.intercept = refusing(429);
    await one.get(session);
    expect(verificationsOf(one)).toBe(1);
  });

  it('lowers the rate even if a retry succeeded', async () => {
    const { one, two, other } = await twoInstances();
    one.wire.intercept = (path, send) => {
      one.wire.intercept = undefined;
      return refusing(429, { 'retry-after': '1' })(path, send);
    };
    await one.checkout.createSession({ ...order, orderId: 'order-3' });
    await settle();
    expect(one.log).toContainEqual({
      level: 'warn',
      type: 'serviceLimited',
      pauseMs: 1000,
      ratePerSecond: 12.75,
    });
    await two.get(other);
    expect(verificationsOf(two)).toBe(0);
  });

  it.each([
    ['503', refusing(503), 12.75],
    ['500', refusing(500), 15],
  ])('is not the only one: %s counts as it should', async (_name, intercept, ratePerSecond) => {
    const { one, session } = await twoInstances();
    one.wire.intercept = intercept;
    await one.get(session);
    await settle();
    expect(await rateOf(one.store)).toBe(ratePerSecond);
  });

  it('keeps no shopper from a new account: that verification is not limited', async () => {
    const { one, session, clock } = await twoInstances();
    clock.advance(31 * 60_000);
    one.wire.intercept = onlyFor('verify', refusing(429, { 'retry-after': '20' }));
    await one.get(session);
    one.wire.intercept = undefined;
    clock.advance(2000);
    const next = await one.open();
    expect(next.reference).not.toBe(session.reference);
  });
});

describe('what a callback has woken', () => {
  it('waits for the end of the pause too, and is the first to be verified then', async () => {
    const { open, get, pay, delivered, sandbox, notified, wire, clock, checkout } = createNotifiedShop();
    const session = await open();
    clock.advance(5000);
    wire.intercept = onlyFor('verify', refusing(429, { 'retry-after': '10' }));
    await get(session);
    wire.intercept = undefined;
    pay(session.account.number);
    const settled = delivered();
    await sandbox.settled();
    await clock.untilWaiting(10_000);
    expect(notified).toEqual([]);
    clock.advance(10_000);
    await settle();
    clock.advance(1000);
    await settled;
    expect(notified).toEqual(['order-1:paid']);
    await checkout.stop();
    expect(await readView(get(session))).toMatchObject({ outcome: 'paid' });
  });
});
