import { expect, it } from 'vitest';
import { createNotifiedShop, openedWithoutCallbacks } from './kit/notified-shop.ts';
import { changing, type Intercept, onlyFor, readSession } from './kit/wire-faults.ts';
import { order } from './kit/wired-shop.ts';

const { value, currency } = order.amount;
const minuteMs = 60_000;

/** A shop with an open payment, which hears of it by its rounds alone. */
async function openedShop() {
  const shop = await openedWithoutCallbacks();
  const rounds = async (count: number): Promise<void> => {
    for (let round = 0; round < count; round++) await shop.roundAfter(61_000);
  };
  return { ...shop, rounds };
}

const full = { status: 'succeeded', expectedAmount: value, chargedAmount: value };

const withKeysOfJavaScript: Intercept = async (_path, send) => {
  const own = JSON.stringify(full);
  const text = await (await send()).text();
  return new Response(text.replace('{', `{"__proto__":${own},"constructor":${own},`));
};

it.each<[string, Intercept]>([
  ['of another reference', changing({ ...full, reference: 'other' })],
  ['in another currency', changing({ ...full, currency: 'USD' })],
  ['in no currency', changing({ ...full, currency: null })],
  ['of live mode', changing({ ...full, liveMode: true })],
  ['with half a kobo', changing({ ...full, chargedAmount: value + 0.5 })],
  ['with an amount that is not named', changing({ ...full, chargedAmount: null })],
  ['with a kobo, of a kobo', changing({ ...full, expectedAmount: 1, chargedAmount: 1 })],
  ['in capitals', changing({ ...full, status: 'SUCCEEDED' })],
  ['with a list of statuses', changing({ ...full, status: ['succeeded'] })],
  ['at no moment', changing({ ...full, updatedAt: 'soon' })],
  ['in a part of it', changing({ payment: full, data: full })],
  ['in keys that JavaScript knows', withKeysOfJavaScript],
])('an invented payment is not believed: %s', async (_name, lie) => {
  const { during, viewAfter, session, rounds, notified } = await openedShop();
  await during(onlyFor('verify', lie), async () => {
    expect((await viewAfter(5000, session)).outcome).not.toBe('paid');
    await rounds(3);
  });
  expect(notified).not.toContain('order-1:paid');
});

it.each<[string, object]>([
  ['of another reference', { reference: 'other' }],
  ['that waits for less', { amount: { value: 1, currency } }],
  ['that waits for more', { amount: { value: value * 100, currency } }],
  ['that waits for half a kobo', { amount: { value: value + 0.5, currency } }],
  ['that waits for nothing', { amount: null }],
  ['in another currency', { amount: { value, currency: 'USD' } }],
  ['whose number is no text', { accountNumber: 9990000018 }],
  ['whose number is displayed in another order', { accountNumber: '\u202e8100000999' }],
  ['of no bank', { bankName: null }],
  ['without an id', { id: '' }],
  ['of no mode', { liveMode: null }],
  ['that ends at no moment', { expiresAt: 'soon' }],
  ['that never ends', { expiresAt: null }],
  ['that ended long ago', { expiresAt: '1970-01-01T00:00:00.000Z' }],
])('an account is shown to nobody: %s', async (_name, change) => {
  const { during, post, notified } = createNotifiedShop();
  const response = await during(changing(change), post);
  expect([500, 502, 503]).toContain(response.status);
  expect(await response.text()).not.toMatch(/"account"/);
  expect(notified).toEqual([]);
});

it.each(['initiated', 'awaiting_charge', 'charged', 'expired', 'failed'])(
  'a status that goes backwards takes no payment back: %s',
  async (status) => {
    const { pay, session, rounds, clock, during, viewAfter, notified } = await openedShop();
    pay(session.account.number);
    await rounds(2);
    const updatedAt = new Date(clock.now() + minuteMs).toISOString();
    await during(onlyFor('verify', changing({ status, chargedAmount: 0, updatedAt })), async () => {
      await rounds(15);
      expect(await viewAfter(minuteMs, session)).toMatchObject({ outcome: 'paid' });
    });
    expect(notified).toEqual(['order-1:paid']);
  },
);

const hourMs = 60 * minuteMs;
it.each<[string, (nowMs: number) => string]>([
  ['six hours ahead', (nowMs) => new Date(nowMs + 6 * hourMs).toUTCString()],
  ['six hours behind', (nowMs) => new Date(nowMs - 6 * hourMs).toUTCString()],
  ['sixty days ahead', (nowMs) => new Date(nowMs + 1440 * hourMs).toUTCString()],
  ['of 1970', () => new Date(0).toUTCString()],
  ['of the year 9999', () => 'Fri, 31 Dec 9999 23:59:59 GMT'],
  ['of no moment', () => 'soon'],
])('a clock %s ends no account and loses no payment', async (_name, date) => {
  const { during, clock, rounds, post, pay, session, viewAfter, notified } = await openedShop();
  const dated: Intercept = async (_path, send) => {
    const response = await send();
    response.headers.set('date', date(clock.now()));
    return response;
  };
  await during(dated, async () => {
    await rounds(2);
    expect(await readSession(post())).toMatchObject({ account: session.account });
  });
  expect(notified).toEqual([]);
  pay(session.account.number);
  for (let polls = 0; polls < 2; polls++) await viewAfter(61_000, session);
  expect(notified).toEqual(['order-1:paid']);
});

it('A callback that arrives before the account does not cost the shopper the account', async () => {
  const { during, post, callBack, notified } = createNotifiedShop();
  const response = await during(async (path, send) => {
    const initiated = await send();
    if (path !== '/v1/payments') return initiated;
    const { reference } = (await initiated.clone().json()) as { reference: string };
    expect((await callBack({ reference, status: 'succeeded' })).status).toBe(204);
    return initiated;
  }, post);
  expect(response.status).toBe(201);
  expect((await readSession(response)).account.number).toMatch(/^\d{10}$/);
  expect(notified).toEqual([]);
});
