import { describe, expect, it } from 'vitest';
import type { PaymentView, Session } from '../../../src/contract/index.ts';
import { order } from '../kit/wired-shop.ts';
import { callbackUrl, startHostileShop } from './hostile-shop.ts';

const mostMs = 15_000;
const callbackOf = (reference: string) => ({ event: 'payment.succeeded', reference }) as const;

describe('a callback', () => {
  it('that arrives before the account does not cost the shopper the account', async () => {
    const shop = await startHostileShop();
    const { server, time, post, callBack, notified, died } = shop;
    server.attack = async (call) => {
      const initiated = await call.honest();
      if (call.method === 'POST') {
        const { reference } = JSON.parse(initiated.body) as { reference: string };
        expect((await callBack(callbackOf(reference))).status).toBeLessThan(300);
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

  it('that repeats the truth is reported once', async () => {
    const { time, checkout, open, pay, callBack, notified } = await startHostileShop();
    const { reference, ...session } = await open();
    pay({ reference, ...session });
    for (let times = 0; times < 2; times++) {
      await time.within(mostMs, callBack(callbackOf(reference)));
      await time.within(mostMs, checkout.settled());
    }
    expect(notified).toEqual(['paid']);
  });

  it('that never comes is not needed', async () => {
    const { open, pay, reconcile, notified } = await startHostileShop();
    pay(await open());
    await reconcile(2);
    expect(notified).toEqual(['paid']);
  });

  it('that lies is ignored, however often it comes', async () => {
    const { time, checkout, open, get, callBack, notified } = await startHostileShop();
    const session = await open();
    for (let times = 0; times < 20; times++) {
      await time.within(mostMs, callBack(callbackOf(session.reference)));
      await time.within(mostMs, checkout.settled());
    }
    const { result } = await time.within(mostMs, get(session));
    expect((await result.json()) as PaymentView).toMatchObject({ outcome: 'pending' });
    expect(notified).toEqual([]);
  });

  it('that is forged has nothing asked of the service', async () => {
    const { server, time, open, callBack, notified } = await startHostileShop();
    const { reference } = await open();
    const asked = server.seen.length;
    const forged = { ...callbackOf(reference), secret: 'sk_test_of_somebody_else' };
    const { result } = await time.within(mostMs, callBack(forged));
    expect(result.status).toBe(401);
    expect(server.seen).toHaveLength(asked);
    expect(notified).toEqual([]);
  });

  it('of a payment that the service does not know is no payment', async () => {
    const { time, checkout, callBack, notified, died } = await startHostileShop();
    await time.within(mostMs, callBack(callbackOf('nobody_knows')));
    await time.within(mostMs, checkout.settled());
    expect(notified).toEqual([]);
    expect(died).toEqual([]);
  });

  it.each([
    ['without an end', `{"event":"x","data":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}}`],
    ['that is not JSON', '{"event":'],
    ['with a key twice', '{"data":{"reference":"a","reference":"b"}}'],
    ['of nothing', ''],
  ])('%s is refused, and ends nothing', async (_name, body) => {
    const { checkout, time, open, died } = await startHostileShop();
    const headers = { 'request-signature': 'a'.repeat(128), 'request-timestamp': '1772366400' };
    const request = new Request(callbackUrl, { method: 'POST', headers, body });
    const { result } = await time.within(mostMs, checkout.handler(request));
    expect(result.status).toBeGreaterThanOrEqual(400);
    expect(result.status).toBeLessThan(500);
    expect((await open()).amount).toEqual(order.amount);
    expect(died).toEqual([]);
  });
});
