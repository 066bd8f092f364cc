import { describe, expect, it } from 'vitest';
import type { PlainRequest } from '../../../server-kit/http/plain-http.ts';
import { createCallback } from '../../../server-kit/testing/index.ts';
import { callbackUrl, createNotifiedShop } from '../kit/notified-shop.ts';
import { down, hanging } from '../kit/wire-faults.ts';

const hourSeconds = 3600;

/** A shop with an open payment, and the number of verifications since then. */
async function openedShop(options = {}) {
  const shop = createNotifiedShop(options);
  const session = await shop.open();
  const countVerifications = () => shop.wire.calls.filter((path) => path.endsWith('/verify')).length;
  return { ...shop, session, countVerifications, pay: () => shop.pay(session.account.number) };
}

/** A shop, and a callback that the service signed an hour ago. */
async function shopWithOldCallback(options = {}) {
  const shop = await openedShop(options);
  const { clock, checkout, session, sandbox } = shop;
  // The account expires meanwhile, which the service would report.
  sandbox.control.setCallbackDelivery({ drop: true });
  const data = { reference: session.reference, expectedAmount: 1 };
  const captured = await createCallback({ callbackUrl, data, signedAtMs: clock.now() });
  clock.advance(hourSeconds * 1000);
  const replay = async () => {
    const response = await checkout.handler(captured.clone());
    await checkout.settled();
    return response;
  };
  return { ...shop, replay };
}

describe('a payment after the service’s clock was set', () => {
  it.each([
    ['an hour ahead', { advanceSeconds: hourSeconds }],
    ['an hour back', { set: '2026-03-01T11:00:00Z' }],
  ])('%s is recorded by its first callback, without a poll and without delay', async (_name, change) => {
    const { sandbox, clock, pay, delivered, notified } = await openedShop();
    const before = clock.now();
    sandbox.control.setClock(change);
    pay();
    await delivered();
    expect(notified).toEqual(['order-1:paid']);
    expect(clock.now()).toBe(before);
    const attempts = sandbox.control.listCallbacks().flatMap((callback) => callback.attempts);
    expect(attempts.length).toBeGreaterThan(0);
    expect(attempts.filter(({ status }) => status !== 204)).toEqual([]);
  });

  it('is recorded as well if a shopper’s poll has just verified it', async () => {
    const { sandbox, clock, get, session, pay, delivered, notified } = await openedShop();
    clock.advance(5000);
    await get(session);
    sandbox.control.setClock({ advanceSeconds: hourSeconds });
    pay();
    await delivered();
    expect(notified).toEqual(['order-1:paid']);
  });
});

describe('an old callback', () => {
  it('is refused if the service’s clock agrees with ours, and costs one verification', async () => {
    const { replay, countVerifications, log } = await shopWithOldCallback();
    expect((await replay()).status).toBe(401);
    expect(countVerifications()).toBe(1);
    expect(log).toContainEqual({
      ...{ level: 'warn', type: 'callbackRefused', reason: 'timestamp_out_of_tolerance' },
    });
  });

  it('is verified with at most one request at a time, however often it is replayed', async () => {
    const { replay, wire, session } = await shopWithOldCallback();
    const responses = await Promise.all(Array.from({ length: 20 }, replay));
    expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(401));
    expect(wire.most.get(`/v1/payments/${session.reference}/verify`)).toBe(1);
  });

  it('costs nothing above the limit of failures', async () => {
    const { replay, countVerifications } = await shopWithOldCallback({
      limits: { failuresPerClient: { limit: 1, perSeconds: 60 } },
      clientKey: (_request: PlainRequest) => 'anybody',
    });
    await replay();
    for (const _ of [1, 2, 3]) expect((await replay()).status).toBe(429);
    expect(countVerifications()).toBe(1);
  });

  it('that is forged costs no verification', async () => {
    const { callBack, session, countVerifications } = await shopWithOldCallback();
    const headers = { 'request-timestamp': '1600000000' };
    const response = await callBack({ reference: session.reference, expectedAmount: 1 }, { headers });
    expect(response.status).toBe(401);
    expect(countVerifications()).toBe(0);
  });

  it('is refused while the service is down', async () => {
    const { replay, wire, errors } = await shopWithOldCallback();
    wire.intercept = down;
    expect((await replay()).status).toBe(401);
    expect(errors).toMatchObject([{ code: 'service_unavailable' }]);
  });

  it('is refused before its sender gives up if the service does not respond', async () => {
    const { replay, wire, clock } = await shopWithOldCallback();
    wire.intercept = hanging;
    const response = replay();
    await clock.untilWaiting(4000);
    clock.advance(4000);
    expect((await response).status).toBe(401);
  });
});
