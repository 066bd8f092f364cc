import { describe, expect, it } from 'vitest';
import type { Limiter, LimiterOptions } from '../../../../server-kit/checkout/ports/limiter.ts';
import type { ClientKey } from '../../../../server-kit/checkout/routes/access/client-key.ts';
import { defaultLimits } from '../../../../server-kit/checkout/routes/access/request-limits.ts';
import { toNodeListener } from '../../../../server-kit/client/http/node.ts';
import { createMemoryLimiter } from '../../../../server-kit/drivers/memory/limiter.ts';
import { settle } from '../../../settle.ts';
import { callbackUrl, createNotifiedShop } from '../../kit/notified-shop.ts';
import { watchProcess } from '../../kit/raw-connection.ts';
import { serve } from '../../kit/serve.ts';
import { nextTurn } from '../../kit/test-clock.ts';
import { codeOf } from '../../kit/wire-faults.ts';
import { createWiredShop, order } from '../../kit/wired-shop.ts';

const one = { limit: 1, perSeconds: 60 };
/** Every request is of the client that its header names. */
const clientKey = ({ header }: { header: (name: string) => string | undefined }) => header('x-client');
const client = (name: string) => ({ 'x-client': name });

async function expectLimited(response: Response, retryAfter = '60'): Promise<void> {
  expect(response.status).toBe(429);
  expect(response.headers.get('retry-after')).toBe(retryAfter);
  expect(response.headers.get('cache-control')).toBe('private, no-store');
  expect(await codeOf(response)).toBe('rate_limited');
}

/** A shop with a session, in which one kind of request has a limit. */
async function shopWith(limits: object, options = {}) {
  const shop = createWiredShop({ limits, clientKey, ...options });
  return { ...shop, session: await shop.open() };
}

describe('requests for a session', () => {
  it('are limited for one order, except those that the merchant’s own server makes', async () => {
    let orderId = 'order-1';
    const createPayment = () => ({ ...order, orderId });
    const { post, clock, checkout } = await shopWith({ sessionsPerOrder: one }, { createPayment });
    await expectLimited(await post());
    expect((await checkout.createSession(order)).reference).toMatch(/^tc_/);
    orderId = 'order-2';
    expect((await post()).status).toBe(201);
    clock.advance(60_000);
    expect((await post()).status).toBe(200);
  });

  it('are limited for one client, and the merchant is not asked', async () => {
    let asked = 0;
    const createPayment = () => {
      asked++;
      return order;
    };
    const { post } = await shopWith({ sessionsPerClient: one }, { createPayment });
    expect((await post(client('ada'))).status).toBe(200);
    await expectLimited(await post(client('ada')));
    expect((await post(client('obi'))).status).toBe(200);
    expect(asked).toBe(3);
  });
});

describe('requests that read a payment', () => {
  it('are limited for one payment, and those without the secret use up no shopper’s limit', async () => {
    const { get, session, clock } = await shopWith({ readsPerPayment: one });
    const guess = { ...session, clientSecret: 'cs_test_guess' };
    for (const _ of [1, 2, 3]) expect((await get(guess)).status).toBe(401);
    expect((await get(session)).status).toBe(200);
    await expectLimited(await get(session));
    clock.advance(30_000);
    await expectLimited(await get(session), '30');
  });

  it('are limited for one client', async () => {
    const { get, session } = await shopWith({ readsPerClient: one });
    expect((await get(session, client('ada'))).status).toBe(200);
    await expectLimited(await get(session, client('ada')));
    expect((await get(session, client('obi'))).status).toBe(200);
  });
});

describe('failures of one client', () => {
  it('are limited, and requests with the secret still pass', async () => {
    const { get, session } = await shopWith({ failuresPerClient: one });
    const guess = { ...session, clientSecret: 'cs_test_guess' };
    expect((await get(guess, client('ada'))).status).toBe(401);
    await expectLimited(await get(guess, client('ada')));
    expect((await get(session, client('ada'))).status).toBe(200);
    expect((await get(guess, client('obi'))).status).toBe(401);
  });

  it('are counted for callbacks, which then cost the store nothing; signed ones are accepted', async () => {
    const { checkout, callBack, store, open, log } = createNotifiedShop({
      limits: { failuresPerClient: one },
    });
    const { reference } = await open();
    let reads = 0;
    const { find } = store;
    store.find = (asked) => {
      reads++;
      return find(asked);
    };
    const forge = () =>
      callBack({ reference, expectedAmount: 1 }, { headers: { 'request-signature': 'ab'.repeat(64) } });
    expect((await forge()).status).toBe(401);
    const before = reads;
    for (const _ of [1, 2, 3]) await expectLimited(await forge());
    expect(reads).toBe(before);
    expect((await callBack({ reference, expectedAmount: 1 })).status).toBe(204);
    expect(log.filter(({ type }) => type === 'callbackRefused')).toHaveLength(1);
    expect((await checkout.handler(new Request(callbackUrl, { method: 'POST', body: 'x' }))).status).toBe(
      429,
    );
  });
});

describe('the default limits', () => {
  it('are tight for an order and a payment, and generous for a client', () => {
    expect(defaultLimits.sessionsPerOrder.limit).toBeLessThan(defaultLimits.sessionsPerClient.limit / 10);
    expect(defaultLimits.readsPerPayment.limit).toBeLessThan(defaultLimits.readsPerClient.limit / 10);
  });

  it('fit 5,000 phones behind one address, which are one client', () => {
    const phones = 5000;
    // Each opens the checkout, and comes back to it once, within five minutes.
    expect(defaultLimits.sessionsPerClient.limit).toBeGreaterThan((phones * 2) / 5);
    // Held for five seconds or not at all, and asked to pause for five to ten: the most frequent polls.
    expect(defaultLimits.readsPerClient.limit).toBeGreaterThan((phones * 60) / 7.5);
  });

  it('are in force', async () => {
    const { post } = createWiredShop();
    for (let count = 0; count < defaultLimits.sessionsPerOrder.limit; count++)
      expect((await post()).status).toBeLessThan(300);
    await expectLimited(await post());
  });

  it('are switched off with false, all of them or one by one', async () => {
    for (const limits of [false, { sessionsPerOrder: false }] as const) {
      const { post } = createWiredShop({ limits });
      for (let count = 0; count < 30; count++) expect((await post()).status).toBeLessThan(300);
    }
  });

  it.each([
    [{ sessionsPerOrder: 7 }],
    [{ perOrder: one }],
    [{ readsPerClient: { limit: 0, perSeconds: 60 } }],
    [{ create: 'redis' }],
    [true],
  ])('cannot be %j', (limits) => {
    expect(() => createWiredShop({ limits: limits as never })).toThrow(
      expect.objectContaining({ code: 'invalid_options' }),
    );
  });
});

describe('limiters of one’s own', () => {
  it('are made with names that any limiter takes', async () => {
    const made: LimiterOptions[] = [];
    const create = (options: LimiterOptions): Limiter => {
      made.push(options);
      return createMemoryLimiter(options);
    };
    await shopWith({ create });
    const kinds = ['sessions_per_order', 'sessions_per_client', 'reads_per_payment', 'reads_per_client'];
    expect(made.map(({ name }) => name)).toEqual([...kinds, 'failures_per_client']);
  });

  it.each([
    ['fail', () => Promise.reject(new Error('no counts'))],
    ['hang', () => new Promise<never>(() => {})],
  ])('stop no payment when they %s, and are logged', async (_how, take) => {
    const { post, clock, log } = createWiredShop({ limits: { create: () => ({ take }) } });
    const response = post();
    await nextTurn();
    clock.advance(3000);
    expect((await response).status).toBe(201);
    const entry = { level: 'warn', type: 'limiterFailed', limit: 'sessionsPerOrder' };
    expect(log).toEqual([{ ...entry, error: expect.any(Error) }]);
  });

  it('do not stop a payment when clientKey throws', async () => {
    const failure = new Error('no key');
    const { post, log } = createWiredShop({
      clientKey: () => {
        throw failure;
      },
    });
    expect((await post()).status).toBe(201);
    expect(log).toMatchObject([{ type: 'limiterFailed', limit: 'clientKey', error: failure }]);
  });

  it.each([
    ['a promise', () => Promise.resolve('192.0.2.1')],
    ['a promise that rejects', () => Promise.reject(new Error('no key'))],
    ['null', () => null],
  ])('treat a clientKey that returns %s as no key', async (_what, clientKey) => {
    const died = watchProcess();
    const { post, log } = createWiredShop({
      clientKey: clientKey as never,
      limits: { sessionsPerClient: one },
    });
    expect([(await post()).status, (await post()).status]).toEqual([201, 200]);
    expect(log).toMatchObject([{ limit: 'clientKey' }, { limit: 'clientKey' }]);
    await settle();
    expect(died).toEqual([]);
  });
});

describe('the client of a request over node:http', () => {
  it.each<[string, ClientKey | undefined, number]>([
    [
      'is found by a clientKey that gets the address of the connection',
      ({ remoteAddress }) => remoteAddress,
      429,
    ],
    ['is not a connection from our own machine, which is a proxy’s', undefined, 200],
  ])('%s', async (_name, clientKey, status) => {
    const { checkout, session } = await shopWith({ readsPerClient: one }, { clientKey });
    const { url } = await serve(toNodeListener(checkout));
    const headers = { 'checkout-secret': session.clientSecret };
    const read = async () =>
      (await fetch(`${url}/checkout/sessions/${session.reference}`, { headers })).status;
    expect([await read(), await read()]).toEqual([200, status]);
  });
});
