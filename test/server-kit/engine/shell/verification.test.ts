import { describe, expect, it } from 'vitest';
import { createMemoryStore } from '../../../../server-kit/stores/memory.ts';
import type { Session } from '../../../../src/contract/index.ts';
import { createNotifiedShop, openedWithoutCallbacks } from '../../kit/notified-shop.ts';
import { createTestClock, pass } from '../../kit/test-clock.ts';
import { changing, codeOf, down, hanging, onlyFor, readSession, refusing } from '../../kit/wire-faults.ts';
import { order } from '../../kit/wired-shop.ts';

const minuteMs = 60_000;
const { value: price } = order.amount;

/** A shop without callbacks, whose order has an open, verified payment. */
async function openedShop(...input: Parameters<typeof createNotifiedShop>) {
  const shop = await openedWithoutCallbacks(...input);
  await shop.viewAfter(5000, shop.session);
  return shop;
}
type Shop = Awaited<ReturnType<typeof openedShop>>;

it.each<[string, (shop: Shop) => unknown]>([
  ['at another price', ({ changeCart }) => changeCart()],
  ['after the expiry', ({ viewAfter, session }) => viewAfter(31 * minuteMs, session)],
])('another account is refused while the verification fails, %s', async (_when, happen) => {
  const shop = await openedShop({ maxVerificationsPerSecond: 1 });
  await happen(shop);
  await shop.during(onlyFor('verify', refusing(503)), async () => {
    for (let click = 0; click < 3; click++) expect((await shop.post()).status).toBe(503);
  });
  const refused = await shop.during(onlyFor('verify', refusing(401)), shop.post);
  expect(await codeOf(refused)).toBe('service_rejected');
  expect(shop.accounts()).toHaveLength(1);
  shop.wire.calls.length = 0;
  expect(await shop.open()).toMatchObject({ outcome: 'pending', chargedAmount: 0 });
  const verify = `/v1/payments/${shop.session.reference}/verify`;
  expect(shop.wire.calls.slice(-2)).toEqual([verify, '/v1/payments']);
});

describe('a known account', () => {
  it.each([
    ['open', {}, 0, false],
    ['paid, and has expired since', {}, price, false],
    ['charged, and has expired since, at another price', { confirmationSeconds: 7200 }, price, true],
  ])('is returned while the service is down where it is %s', async (_name, sandbox, amount, isChanged) => {
    const { receive, viewAfter, session, changeCart, checkout, post, during } = await openedShop({}, sandbox);
    if (amount > 0) {
      receive(amount);
      await viewAfter(5000, session);
    }
    await viewAfter(amount > 0 ? 60 * minuteMs : minuteMs, session);
    if (isChanged) changeCart();
    const expected = { reference: session.reference, chargedAmount: amount };
    await during(down, async () => {
      const response = await post();
      expect(response.status).toBe(200);
      expect(await response.json()).toMatchObject(expected);
      expect(await checkout.createSession(order)).toMatchObject(expected);
      expect(await checkout.createLink(order)).toMatchObject(expected);
    });
  });

  it('is returned after four seconds while the service hangs, without an entry in the log', async () => {
    const { post, open, clock, wire, errors } = await openedShop();
    clock.advance(31 * minuteMs);
    const second = await open();
    clock.advance(minuteMs);
    wire.intercept = hanging;
    const response = post();
    await clock.untilWaiting(5000);
    clock.advance(4000);
    expect(await readSession(response)).toMatchObject({ reference: second.reference });
    expect(errors).toEqual([]);
  });
});

it('a response of the service is logged once when it contradicts the record, however often it comes', async () => {
  const { session, say, log } = await openedShop();
  const charged = { status: 'charged', chargedAmount: price };
  await say(session, charged);
  const updatedAt = '2026-03-01T13:00:00.000Z';
  const forgets = { status: 'awaiting_charge', chargedAmount: 0, updatedAt };
  for (let times = 0; times < 3; times++) expect(await say(session, forgets)).toMatchObject(charged);
  const { reference } = session;
  const entry = { level: 'warn', type: 'responseIgnored', reference, reason: 'older' };
  const ignored = log.filter(({ type }) => type === 'responseIgnored');
  expect(ignored).toEqual([{ ...entry, status: 'awaiting_charge', updatedAt }]);
});

it('A response in another currency is a 502 for a page that knows the view, and changes nothing', async () => {
  const { get, session, clock, during, viewAfter } = await openedShop();
  const etag = (await get(session)).headers.get('etag') ?? '';
  clock.advance(5000);
  const other = changing({ currency: 'USD', status: 'succeeded', chargedAmount: price });
  const response = await during(other, () => get(session, { 'if-none-match': etag }));
  expect([response.status, await codeOf(response)]).toEqual([502, 'service_rejected']);
  expect(await viewAfter(5000, session)).toMatchObject({ outcome: 'pending' });
});

it('money that the service does not confirm is logged once by each process after fifteen minutes, whatever else changes, and still verified', async () => {
  const shop = await openedShop({}, { confirmationSeconds: 30 * 24 * 3600 });
  const { say, wire, viewAfter, setStatus, roundAfter, session, notified } = shop;
  const other = shop.another();
  const warnings = ({ log } = shop as Pick<Shop, 'log'>) =>
    log.filter(({ type }) => type === 'confirmationLate');
  shop.accept(session, 'PARTIAL');
  shop.receive();
  await viewAfter(3000, session);
  const since = '2026-03-01T12:00:05.000Z';
  for (let minutes = 0; minutes < 14; minutes += 2) await say(session, {}, 2 * minuteMs);
  expect(warnings()).toEqual([]);
  wire.intercept = undefined;
  await viewAfter(minuteMs, session);
  await other.get(session);
  for (let hour = 0; hour < 30; hour++) await roundAfter(60 * minuteMs);
  const { reference } = session;
  const warning = { level: 'warn', type: 'confirmationLate', reference, orderId: 'order-1', since };
  expect(warnings()).toEqual([warning]);
  expect(warnings(other)).toHaveLength(1);
  setStatus(session, 'succeeded');
  await roundAfter(60 * minuteMs);
  expect(notified).toEqual(['order-1:paid']);
});

it('A payment that the service may not know yet is no reason for another account at a new price', async () => {
  const { open, changeCart, post, during, accounts } = createNotifiedShop();
  await open();
  changeCart();
  const response = await during(refusing(404), post);
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '3']);
  expect(accounts()).toHaveLength(1);
});

it('Money on an account that was replaced before it came gives no warning', async () => {
  const { open, receive, say, changeCart, session, log } = await openedShop();
  changeCart();
  await open();
  receive();
  for (let minutes = 0; minutes < 20; minutes += 4)
    await say(session, { status: 'charged', chargedAmount: price }, 4 * minuteMs);
  expect(log.filter(({ type }) => type === 'confirmationLate')).toEqual([]);
});

describe('a payment that the service no longer knows', () => {
  const unknown = { outcome: 'unclear', status: 'not_found' };
  type Prepare = (shop: ReturnType<typeof createNotifiedShop>, session: Session) => unknown;

  /** A shop whose store remembers a payment, and whose service was restarted without its records. */
  async function restartedShop(isLive: boolean, prepare: Prepare = () => {}) {
    const clock = createTestClock();
    const store = { ...createMemoryStore({ now: clock.now }), isVolatile: false };
    const before = createNotifiedShop({ store }, {}, { clock });
    const session = await before.during(changing({ liveMode: isLive }), before.open);
    before.clock.advance(minuteMs);
    await prepare(before, session);
    const shop = createNotifiedShop({ store }, {}, { clock });
    return { ...shop, before, session, log: shop.log };
  }
  const receivePart: Prepare = ({ say }, session) =>
    say(session, { liveMode: session.liveMode, status: 'awaiting_charge', chargedAmount: 5000 });

  it('is shown as such, with the part that had arrived; a test order gets another account', async () => {
    const { session, viewAfter, post, pay, accounts } = await restartedShop(false, receivePart);
    const { reference, account } = session;
    const view = { ...unknown, reference, account, chargedAmount: 5000 };
    expect(await viewAfter(minuteMs, session)).toMatchObject(view);
    const next = await readSession(post());
    expect(await viewAfter(0, session)).toMatchObject({ outcome: 'replaced' });
    pay(next.account.number);
    expect(await viewAfter(minuteMs, next)).toMatchObject({ outcome: 'paid' });
    expect(accounts()).toHaveLength(1);
  });

  it('holds a request like that of any other payment, and is seldom verified', async () => {
    const { hold, session, verifications, clock } = await restartedShop(false);
    const { response } = await hold(session);
    const before = verifications().length;
    await pass(clock, 25_000);
    expect((await response).status).toBe(304);
    expect(verifications().length - before).toBeLessThanOrEqual(1);
  });

  it('is logged once, in plain words, until the service knows it again', async () => {
    const { session, before, viewAfter, roundAfter, log } = await restartedShop(false);
    for (let minutes = 0; minutes < 10; minutes++) {
      await viewAfter(minuteMs, session);
      await roundAfter(0);
    }
    const advice = expect.stringMatching(/does not know this payment.*sandbox was restarted.*--data/);
    const { reference } = session;
    const entry = { level: 'warn', type: 'paymentNotFound', reference, orderId: 'order-1', advice };
    expect(log).toEqual([entry]);
    expect(await before.viewAfter(minuteMs, session)).toMatchObject({ status: 'awaiting_charge' });
    expect(await viewAfter(minuteMs, session)).toMatchObject(unknown);
    expect(log.map(({ type }) => type)).toEqual(['paymentNotFound', 'paymentNotFound']);
  });
});
