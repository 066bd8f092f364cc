import { describe, expect, it } from 'vitest';
import type { PaymentView, Session } from '../../../src/contract/index.ts';
import { order } from '../kit/wired-shop.ts';
import { rewriting } from './attacks.ts';
import { type Attack, beHonest } from './hostile-server.ts';
import { startHostileShop } from './hostile-shop.ts';

const { value, currency } = order.amount;
const mostMs = 15_000;

/** The honest response to this kind of request with some fields changed; all others are unchanged. */
const lying =
  (about: 'verify' | 'initiate', change: object | ((record: object) => object)): Attack =>
  (call) => {
    const isIt = about === 'verify' ? call.path.endsWith('/verify') : call.method === 'POST';
    const apply = (record: object) =>
      typeof change === 'function' ? change(record) : { ...record, ...change };
    const rewrite = rewriting((text) => JSON.stringify(apply(JSON.parse(text) as object)));
    return isIt ? rewrite(call) : beHonest(call);
  };

/** Headers changed. */
const dated =
  (date: (nowMs: number) => string): Attack =>
  async ({ honest, response }) => {
    const { status, headers, body } = await honest();
    const nowMs = Date.parse(headers.date ?? '');
    response.writeHead(status, { ...headers, date: date(nowMs) }).end(body);
  };

const full = { status: 'succeeded', expectedAmount: value, chargedAmount: value };

describe('an invented payment', () => {
  it.each<[string, object]>([
    ['of another reference', { ...full, reference: 'other' }],
    ['in another currency', { ...full, currency: 'USD' }],
    ['in no currency', { ...full, currency: null }],
    ['of live mode', { ...full, liveMode: true }],
    ['of no mode', { ...full, liveMode: 'false' }],
    ['with a text for an amount', { ...full, chargedAmount: String(value) }],
    ['with half a kobo', { ...full, chargedAmount: value + 0.5 }],
    ['with more than there is', { ...full, chargedAmount: 1e300 }],
    ['with less than nothing', { ...full, chargedAmount: -value }],
    ['with an amount that is not named', { ...full, chargedAmount: null }],
    ['with a kobo, of a kobo', { ...full, expectedAmount: 1, chargedAmount: 1 }],
    ['in capitals', { ...full, status: 'SUCCEEDED' }],
    ['with a list of statuses', { ...full, status: ['succeeded'] }],
    ['at no moment', { ...full, updatedAt: 'soon' }],
    ['in a part of it', { payment: full, data: full }],
  ])('is not believed: %s', async (_name, change) => {
    const { server, time, clock, open, get, reconcile, notified, died } = await startHostileShop();
    const session = await open();
    server.attack = lying('verify', change);
    clock.advance(5000);
    const { result } = await time.within(mostMs, get(session));
    expect(((await result.json()) as PaymentView).outcome).not.toBe('paid');
    await reconcile(3);
    expect(notified).not.toContain('paid');
    expect(died).toEqual([]);
  });

  it('is not believed through a key that JavaScript knows', async () => {
    const { server, time, clock, open, get, notified } = await startHostileShop();
    const session = await open();
    const proto = JSON.stringify(full);
    server.attack = rewriting((text) => text.replace('{', `{"__proto__":${proto},"constructor":${proto},`));
    clock.advance(5000);
    const { result } = await time.within(mostMs, get(session));
    expect(((await result.json()) as PaymentView).outcome).toBe('pending');
    expect(notified).toEqual([]);
  });
});

describe('an account', () => {
  it.each<[string, object]>([
    ['of another reference', { reference: 'other' }],
    ['that waits for less', { amount: { value: 1, currency } }],
    ['that waits for more', { amount: { value: value * 100, currency } }],
    ['that waits for a text', { amount: { value: String(value), currency } }],
    ['that waits for half a kobo', { amount: { value: value + 0.5, currency } }],
    ['that waits for nothing', { amount: null }],
    ['in another currency', { amount: { value, currency: 'USD' } }],
    ['of live mode', { liveMode: true }],
    ['of no mode', { liveMode: null }],
    ['without a number', { accountNumber: '' }],
    ['whose number is no text', { accountNumber: 9990000018 }],
    ['whose number is displayed in another order', { accountNumber: '\u202e8100000999' }],
    ['whose number hides a character', { accountNumber: '99900\u200b00018' }],
    ['whose number has a letter for a digit', { accountNumber: '99900000l8' }],
    ['whose number is in other digits', { accountNumber: '٩٩٩٠٠٠٠٠١٨' }],
    ['whose bank is displayed in another order', { bankName: 'Sandbox \u202eknaB' }],
    ['whose name hides a character', { accountName: 'Sand\u2060box' }],
    ['of no bank', { bankName: null }],
    ['without an id', { id: '' }],
    ['that ends at no moment', { expiresAt: 'soon' }],
    ['that never ends', { expiresAt: null }],
  ])('is shown to nobody: %s', async (_name, change) => {
    const { server, time, post, notified, died } = await startHostileShop();
    server.attack = lying('initiate', change);
    const { result } = await time.within(mostMs, post());
    expect(result.status).toBeOneOf([500, 502, 503]);
    expect(await result.text()).not.toMatch(/"account"/);
    expect(notified).toEqual([]);
    expect(died).toEqual([]);
  });

  it('is not shown as it came if it ended long ago', async () => {
    const { server, time, clock, post } = await startHostileShop();
    server.attack = lying('initiate', { expiresAt: '1970-01-01T00:00:00.000Z' });
    const { result } = await time.within(mostMs, post());
    const { expiresAt } = (await result.json()) as Partial<Session>;
    if (result.ok) expect(Date.parse(expiresAt ?? '')).toBeGreaterThanOrEqual(clock.now() - mostMs);
    else expect(result.status).toBeOneOf([500, 502, 503]);
  });
});

describe('a status that goes backwards', () => {
  it.each(['initiated', 'awaiting_charge', 'charged', 'expired', 'failed'])(
    'takes no payment back: %s',
    async (status) => {
      const { server, time, clock, open, get, pay, reconcile, notified } = await startHostileShop();
      const session = await open();
      pay(session);
      await reconcile(2);
      expect(notified).toEqual(['paid']);
      const updatedAt = new Date(clock.now() + 60_000).toISOString();
      server.attack = lying('verify', { status, chargedAmount: 0, updatedAt });
      await reconcile(15);
      const { result } = await time.within(mostMs, get(session));
      expect((await result.json()) as PaymentView).toMatchObject({ outcome: 'paid' });
      expect(notified).toEqual(['paid']);
    },
  );

  it('hides no payment if only its date goes backwards', async () => {
    const { server, clock, open, pay, reconcile, notified } = await startHostileShop();
    const session = await open();
    const ahead = new Date(clock.now() + 3_600_000).toISOString();
    server.attack = lying('verify', { status: 'charged', chargedAmount: value, updatedAt: ahead });
    await reconcile(2);
    server.attack = beHonest;
    pay(session);
    await reconcile(5);
    expect(notified).toEqual(['paid']);
  });
});

describe('a clock', () => {
  const hourMs = 3_600_000;
  it.each<[string, (nowMs: number) => string]>([
    ['six hours ahead', (nowMs) => new Date(nowMs + 6 * hourMs).toUTCString()],
    ['six hours behind', (nowMs) => new Date(nowMs - 6 * hourMs).toUTCString()],
    ['of 1970', () => new Date(0).toUTCString()],
    ['of the year 9999', () => 'Fri, 31 Dec 9999 23:59:59 GMT'],
    ['of no moment', () => 'soon'],
  ])('%s ends no account and loses no payment', async (_name, date) => {
    const shop = await startHostileShop();
    const { checkout, server, time, clock, open, post, get, pay, reconcile, notified, died } = shop;
    const session = await open();
    server.attack = dated(date);
    clock.advance(5000);
    await reconcile(2);
    const { result } = await time.within(mostMs, post());
    expect((await result.json()) as Session).toMatchObject({ account: session.account });
    expect(notified).toEqual([]);
    server.attack = beHonest;
    pay(session);
    for (let polls = 0; polls < 2; polls++) {
      clock.advance(61_000);
      await time.within(mostMs, get(session));
      await time.within(mostMs, checkout.settled());
    }
    expect(notified).toEqual(['paid']);
    expect(died).toEqual([]);
  });
});

describe('a callback', () => {
  it('does not cost the shopper the account when it arrives before the account', async () => {
    const shop = await startHostileShop();
    const { server, time, post, callBack, notified, died } = shop;
    server.attack = async (call) => {
      const initiated = await call.honest();
      if (call.method === 'POST') {
        const { reference } = JSON.parse(initiated.body) as { reference: string };
        expect((await callBack({ event: 'payment.succeeded', reference })).status).toBeLessThan(300);
        await shop.checkout.settled();
      }
      call.response.writeHead(initiated.status, initiated.headers).end(initiated.body);
    };
    const { result } = await time.within(mostMs, post());
    expect(result.status).toBe(201);
    expect(((await result.json()) as Session).account.number).toMatch(/^\d{10}$/);
    expect(notified).toEqual([]);
    expect(died).toEqual([]);
  });
});
