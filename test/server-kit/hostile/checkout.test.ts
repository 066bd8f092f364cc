import { describe, expect, it } from 'vitest';
import type { PaymentView, Problem, Session } from '../../../src/contract/index.ts';
import { attacks } from './attacks.ts';
import { beHonest } from './hostile-server.ts';
import { startHostileShop } from './hostile-shop.ts';

/** The longest time until a shopper gets a response. */
const mostMs = 15_000;
/** One for each error of the client, and each header that the engine reads. The client's own test turns all attacks into errors. */
const rows = [
  'says nothing',
  'sends without an end',
  'refuses without an end',
  'says that it is zipped, and is not',
  'sends headers without an end',
  'breaks off after the work',
  'breaks off in the body',
  'fails after the work',
  'is busy',
  'is busy for an hour',
  'is busy forever',
  'takes no key',
  'takes no key, and dates another day',
].map((name) => ({ name, attack: attacks[name]?.attack ?? beHonest }));

describe.each(rows)('a service that $name', ({ attack }) => {
  it('gives no account to a shopper, who gets an error within 15 s, and one once it is honest', async () => {
    const { server, time, post, notified, died } = await startHostileShop();
    server.attack = attack;
    const { result: refused } = await time.within(mostMs, post());
    expect(refused.status).toBeOneOf([500, 502, 503]);
    const problem = (await refused.json()) as Problem;
    expect(problem.code).toBeOneOf(['internal_error', 'service_rejected', 'service_unavailable']);
    expect(JSON.stringify(problem)).not.toMatch(/account/i);
    server.attack = beHonest;
    const { result: opened } = await time.within(mostMs, post());
    expect(opened.status).toBeOneOf([200, 201]);
    expect(((await opened.json()) as Session).account.number).toMatch(/^\d{10}$/);
    expect(notified).toEqual([]);
    expect(died).toEqual([]);
  });

  it('takes no account from a shopper who has one, and no payment from the shop', async () => {
    const shop = await startHostileShop();
    const { server, time, clock, open, get, post, pay, reconcile, notified, died } = shop;
    const session = await open();
    clock.advance(5000);
    const first = (await time.within(mostMs, get(session))).result;
    const etag = first.headers.get('etag') ?? '';
    server.attack = attack;
    clock.advance(5000);
    const { result: read } = await time.within(mostMs, get(session));
    expect((await read.json()) as PaymentView).toMatchObject({
      account: session.account,
      outcome: 'pending',
    });
    clock.advance(5000);
    const held = await time.within(
      25_000 + mostMs,
      get(session, { 'if-none-match': etag, prefer: 'wait=25' }),
    );
    expect(held.result.status).toBeOneOf([304, 429, 502, 503]);
    clock.advance(5000);
    const { result: again } = await time.within(mostMs, post());
    expect(again.status).toBe(200);
    expect((await again.json()) as Session).toMatchObject({ account: session.account });
    await reconcile(3);
    expect(notified).toEqual([]);
    server.attack = beHonest;
    pay(session);
    await reconcile(10);
    expect(notified).toEqual(['paid']);
    expect(died).toEqual([]);
  });
});

it('reads little of many endless responses at once', async () => {
  const { server, time, clock, post, get, bytesRead, died } = await startHostileShop();
  const orders = Array.from({ length: 100 }, (_, index) => `order-${index}`);
  const opened = await time.within(mostMs, Promise.all(orders.map((orderId) => post(orderId))));
  const sessions = await Promise.all(opened.result.map(async (one) => (await one.json()) as Session));
  const before = bytesRead();
  const requestsBefore = server.seen.length;
  server.attack = attacks['sends without an end']?.attack ?? beHonest;
  clock.advance(5000);
  const { result } = await time.within(mostMs, Promise.all(sessions.map((session) => get(session))));
  for (const response of result)
    expect((await response.json()) as PaymentView).toMatchObject({ outcome: 'pending' });
  const verifications = server.seen.length - requestsBefore;
  expect(verifications).toBeGreaterThan(0);
  // What a record may have, and the chunk in which the client sees that it is more.
  expect(bytesRead() - before).toBeLessThanOrEqual(verifications * 2 * 65_536);
  expect(died).toEqual([]);
});
