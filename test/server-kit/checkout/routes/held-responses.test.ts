import { describe, expect, it } from 'vitest';
import { createMemoryStore } from '../../../../server-kit/drivers/memory/store.ts';
import { nextTurn } from '../../kit/test-clock.ts';
import { codeOf, down, hanging, readView, refusing } from '../../kit/wire-faults.ts';
import { createWiredShop, order } from '../../kit/wired-shop.ts';

/** A shop with a verified session, the ETag of that view, and a store that counts its reads. */
async function openedShop(...[options, ...others]: Parameters<typeof createWiredShop>) {
  const inner = createMemoryStore();
  let reads = 0;
  const find = (reference: string) => {
    reads++;
    return inner.find(reference);
  };
  const shop = createWiredShop({ store: { ...inner, find }, ...options }, ...others);
  const session = await shop.open();
  shop.clock.advance(5000);
  const etag = (await shop.get(session)).headers.get('etag') ?? '';
  const pay = () =>
    shop.sandbox.control.transfer({ accountNumber: session.account.number, amount: order.amount.value });
  const prefer = (preference: string, known = etag) =>
    shop.get(session, { 'if-none-match': known, prefer: preference });
  const hold = (seconds: number, known?: string) => prefer(`wait=${seconds}`, known);
  return { ...shop, session, etag, pay, prefer, hold, reads: () => reads };
}

/** Ends one wait after the other, each when it is due, until `response` has come. Returns how far the clock moved. */
async function passTime(clock: ReturnType<typeof createWiredShop>['clock'], response: Promise<unknown>) {
  const startMs = clock.now();
  let isOver = false;
  const over = response.then(() => {
    isOver = true;
  });
  while (!isOver && clock.now() - startMs < 60_000) {
    // Long enough for everything that does not wait for the clock.
    for (let turn = 0; turn < 5; turn++) await nextTurn();
    if (!isOver) clock.advance(100);
  }
  await over;
  return clock.now() - startMs;
}

describe('a held response', () => {
  it('with wait=1 is held for a second, though the next verification is due later', async () => {
    const { hold, clock } = await openedShop();
    clock.advance(5000);
    const response = hold(1);
    await clock.untilWaiting(2000);
    clock.advance(999);
    expect(clock.pending()).toBeGreaterThan(0);
    clock.advance(1);
    expect((await response).status).toBe(304);
    expect(clock.pending()).toBe(0);
  });

  it('is held for its whole wait while nothing happens', async () => {
    const { hold, clock } = await openedShop();
    expect(await passTime(clock, hold(10))).toBeGreaterThanOrEqual(10_000);
  });

  it.each(['wait=4', 'Wait = "4"', 'wait=4, respond-async', 'respond-async,wait=4', 'wait=4; x=1'])(
    'is held for four seconds with "%s"',
    async (preference) => {
      const { prefer, clock } = await openedShop();
      expect(await passTime(clock, prefer(preference))).toBe(4000);
    },
  );

  it.each(['wait=0', 'wait=4.5', 'await=4'])('is not held with "%s"', async (preference) => {
    const { prefer, clock } = await openedShop();
    const response = prefer(preference);
    expect(await passTime(clock, response)).toBe(0);
    expect((await response).headers.get('preference-applied')).toBeNull();
    expect((await response).status).toBe(304);
  });

  it('over a settled view reads the store a few times, and not all the time', async () => {
    const { hold, clock, get, session, pay, reads, wire } = await openedShop();
    pay();
    clock.advance(5000);
    const settled = (await get(session)).headers.get('etag') ?? '';
    const before = [reads(), wire.calls.length] as const;
    const response = hold(25, settled);
    await passTime(clock, response);
    expect((await response).status).toBe(304);
    expect(reads() - before[0]).toBeLessThan(12);
    expect(wire.calls.length).toBe(before[1]);
  });

  it('by a clock that stands still does not spin', async () => {
    const stopped = Date.UTC(2026, 2, 1, 12);
    const { hold, clock, reads } = await openedShop({ now: () => stopped });
    const before = reads();
    const response = hold(10);
    await passTime(clock, response);
    expect((await response).status).toBe(304);
    expect(reads() - before).toBeLessThan(110);
  });

  it('ends when the service fails, and says so', async () => {
    const { hold, clock, wire } = await openedShop();
    const pending = hold(25);
    await clock.untilWaiting(2000);
    wire.intercept = refusing(503);
    clock.advance(2000);
    const response = await pending;
    expect(response.status).toBe(503);
    expect(clock.pending()).toBe(0);
  });

  it('ends with the stored record when the service hangs', async () => {
    const { hold, clock, wire } = await openedShop();
    clock.advance(5000);
    wire.intercept = hanging;
    const response = hold(5);
    await clock.untilWaiting(5000);
    clock.advance(5000);
    expect((await response).status).toBe(304);
  });
});

describe('a failed verification', () => {
  it('is repeated within the spacing, and does not count as "nothing new"', async () => {
    const { get, session, etag, clock, wire } = await openedShop();
    clock.advance(5000);
    wire.intercept = down;
    const known = { 'if-none-match': etag };
    expect((await get(session, known)).status).toBe(503);
    const calls = wire.calls.length;
    clock.advance(1999);
    const again = await get(session, known);
    expect(again.status).toBe(503);
    expect(await codeOf(again)).toBe('service_unavailable');
    expect(wire.calls.length).toBe(calls);
  });

  it('is forgotten with the next that succeeds', async () => {
    const { get, session, etag, clock, wire } = await openedShop();
    clock.advance(5000);
    wire.intercept = down;
    const known = { 'if-none-match': etag };
    await get(session, known);
    wire.intercept = undefined;
    clock.advance(2000);
    expect((await get(session, known)).status).toBe(304);
    clock.advance(1);
    expect((await get(session, known)).status).toBe(304);
  });

  it('over the service’s limit is no failure: the stored record counts, and the next verification waits for the budget', async () => {
    const { get, session, etag, clock, wire } = await openedShop();
    clock.advance(5000);
    wire.intercept = refusing(429, { 'retry-after': '42' });
    const response = await get(session, { 'if-none-match': etag });
    expect(response.status).toBe(304);
    clock.advance(5000);
    wire.calls.length = 0;
    expect((await get(session, { 'if-none-match': etag })).status).toBe(304);
    expect(wire.calls).toEqual([]);
  });
});

describe('the next poll that the server requests of a browser', () => {
  const nextPoll = async (response: Promise<Response>) =>
    (await response).headers.get('checkout-next-poll-ms');

  it('is far off once the account has expired', async () => {
    const { get, session, clock } = await openedShop();
    clock.advance(31 * 60_000);
    expect(await nextPoll(get(session))).toBe('15000');
  });

  it('is far off once the payment has failed, and so is our own', async () => {
    const { get, session, clock, sandbox, wire } = await openedShop();
    sandbox.control.updatePayment(session.reference, { status: 'failed' });
    clock.advance(5000);
    expect(await nextPoll(get(session))).toBe('15000');
    const calls = wire.calls.length;
    clock.advance(59_999);
    await get(session);
    expect(wire.calls.length).toBe(calls);
  });

  it('is far off once the order is paid, unless the response was held: a reversal shows at once', async () => {
    const { get, session, clock, pay, hold } = await openedShop();
    const held = hold(25);
    await clock.untilWaiting(2000);
    pay();
    clock.advance(2000);
    expect(await nextPoll(held)).toBe('0');
    expect(await nextPoll(get(session))).toBe('15000');
  });

  it('keeps the pace of our verifications while the payment is open', async () => {
    const { get, post, session } = await openedShop({ verificationIntervalMs: 3000 });
    expect(await nextPoll(get(session))).toBe('3000');
    expect(await nextPoll(post())).toBe('3000');
  });

  it('keeps that pace also where money has come in part', async () => {
    const { get, session, clock, sandbox } = await openedShop();
    sandbox.control.updatePayment(session.reference, {
      acceptedAmountPolicy: 'ACCEPTED_AMOUNT_POLICY_ALLOW_PARTIAL',
    });
    sandbox.control.transfer({ accountNumber: session.account.number, amount: 5000 });
    clock.advance(5000);
    const response = await get(session);
    expect(response.headers.get('checkout-next-poll-ms')).toBe('2000');
    expect(await readView(response)).toMatchObject({ outcome: 'pending', chargedAmount: 5000 });
  });
});
