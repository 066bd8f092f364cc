import { describe, expect, it } from 'vitest';
import type { CheckoutOptions } from '../../../../server-kit/engine/options.ts';
import { createGate } from '../../kit/gate.ts';
import { openedShop } from '../../kit/opened-shop.ts';
import { nextTurn, pass } from '../../kit/test-clock.ts';
import { readView } from '../../kit/wire-faults.ts';
import { createWiredShop, order } from '../../kit/wired-shop.ts';

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

const nextPollOf = ({ headers }: Response) => headers.get('checkout-next-poll-ms');
const appliedOf = ({ headers }: Response) => headers.get('preference-applied');

describe('a held response', () => {
  it('comes as soon as the view differs, and leaves no timer', async () => {
    const { hold, clock, pay } = await openedShop();
    const pending = hold();
    await clock.untilWaiting(2000);
    pay();
    clock.advance(2000);
    const response = await pending;
    expect([response.status, appliedOf(response)]).toEqual([200, 'wait']);
    expect(await readView(response)).toMatchObject({ outcome: 'paid' });
    expect(clock.pending()).toBe(0);
  });

  it.each([
    ['wait=1', 1000],
    ['Wait = "4"', 4000],
    ['respond-async,wait=4; x=1', 4000],
    ['wait=99999', 25_000],
  ])('is held with "%s" for %i ms, after which the browser may come back at once', async (preference, ms) => {
    const { prefer, clock } = await openedShop();
    const response = prefer(preference);
    expect(await passTime(clock, response)).toBe(ms);
    expect([(await response).status, nextPollOf(await response)]).toEqual([304, '0']);
    expect(clock.pending()).toBe(0);
  });

  it.each(['wait=0', 'wait=4.5', 'await=4'])('is not held with "%s"', async (preference) => {
    const { prefer, clock } = await openedShop();
    const response = prefer(preference);
    expect(await passTime(clock, response)).toBe(0);
    expect([(await response).status, appliedOf(await response)]).toEqual([304, null]);
  });

  it('does not spin while the clock stands still', async () => {
    const stopped = Date.UTC(2026, 2, 1, 12);
    const { prefer, clock, reads } = await openedShop({ testing: { now: () => stopped } });
    const before = reads();
    const response = prefer('wait=10');
    await passTime(clock, response);
    expect((await response).status).toBe(304);
    expect(reads() - before).toBeLessThan(110);
  });

  it('leaves nothing behind when the browser goes', async () => {
    const { hold, clock, errors } = await openedShop();
    const gone = new AbortController();
    const response = hold({ signal: gone.signal });
    await clock.untilWaiting(2000);
    gone.abort();
    await response;
    expect([clock.pending(), errors]).toEqual([0, []]);
  });
});

type Shop = Awaited<ReturnType<typeof openedShop>>;
const fail = ({ sandbox, session }: Shop) =>
  sandbox.control.updatePayment(session.reference, { status: 'failed' });

it.each<[string, (shop: Shop) => unknown, number, number]>([
  ['has expired', () => {}, 31 * 60_000, 1999],
  ['has failed', fail, 5000, 59_999],
  ['is paid', ({ pay }) => pay(), 5000, 59_999],
])('the next poll is far off once the payment %s', async (_how, happen, afterMs, pauseMs) => {
  const shop = await openedShop();
  const { get, session, clock, verifications } = shop;
  happen(shop);
  clock.advance(afterMs);
  expect(nextPollOf(await get(session))).toBe('15000');
  const before = verifications();
  clock.advance(pauseMs);
  await get(session);
  expect(verifications()).toBe(before);
});

const clientKey: CheckoutOptions['clientKey'] = ({ header }) => header('x-client');

async function createHoldingShop(maxHeld = 5000) {
  const testing = { random: () => 0.5, maxHeld };
  const shop = await openedShop({ limits: false, clientKey, testing });
  const holdFor = (client: string) =>
    shop.get(shop.session, { 'if-none-match': shop.etag, prefer: 'wait=25', 'x-client': client });
  return { ...shop, holdFor, held: async () => (await shop.checkout.measure()).heldRequests };
}

it('held requests on one instance are no more than maxHeld; the next gets a response at once, and a later poll time', async () => {
  const { hold, held, clock } = await createHoldingShop(1);
  const first = hold();
  await clock.untilWaiting(2000);
  const refused = await hold();
  expect([refused.status, appliedOf(refused), nextPollOf(refused)]).toEqual([304, null, '7500']);
  expect(await held()).toBe(1);
  clock.advance(25_000);
  expect(nextPollOf(await first)).toBe('0');
  expect(await held()).toBe(0);
  expect(clock.pending()).toBe(0);
});

it('a flood of one client of 5,000 polls holds a tenth of the places, and an honest shopper hears of money at once', async () => {
  const { holdFor, held, clock, pay, checkout } = await createHoldingShop(500);
  const flood = Array.from({ length: 5000 }, () => holdFor('attacker'));
  const refused = await Promise.all(flood.slice(50));
  expect(new Set(refused.map(nextPollOf))).toEqual(new Set(['7500']));
  const honest = holdFor('ada');
  await clock.untilWaiting(25_000, 51);
  expect(await held()).toBe(51);
  pay();
  const paidAt = clock.now();
  await pass(clock, 2500);
  expect(await (await honest).json()).toMatchObject({ outcome: 'paid' });
  expect(clock.now() - paidAt).toBeLessThan(5000);
  await Promise.all(flood);
  await checkout.settled();
}, 60_000);

it('a flood of one client of 600 sessions opens 64 at once, and an honest shopper gets an account', async () => {
  let count = 0;
  const getOrder = () => ({ ...order, orderId: `order-${count++}` });
  const { post, wire } = createWiredShop({ clientKey, limits: false, getOrder });
  const gate = createGate();
  wire.intercept = (_path, send) => gate.opened.then(send);
  const flood = Array.from({ length: 600 }, () => post({ 'x-client': 'attacker' }));
  const refused = await Promise.all(flood.slice(64));
  expect(refused.map(({ status }) => status)).toEqual(Array(536).fill(503));
  wire.intercept = undefined;
  expect((await post({ 'x-client': 'ada' })).status).toBe(201);
  gate.open();
  await Promise.all(flood);
}, 60_000);
