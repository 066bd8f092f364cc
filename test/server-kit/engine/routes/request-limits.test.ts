import { describe, expect, it, vi } from 'vitest';
import type { ClientKey } from '../../../../server-kit/engine/routes/access/client-key.ts';
import { toNodeListener } from '../../../../server-kit/node.ts';
import { settle } from '../../../settle.ts';
import { callbackUrl, createNotifiedShop } from '../../kit/notified-shop.ts';
import { watchProcess } from '../../kit/raw-connection.ts';
import { serve } from '../../kit/serve.ts';
import { codeOf } from '../../kit/wire-faults.ts';
import { createWiredShop, order } from '../../kit/wired-shop.ts';

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

describe('the limits of a client', () => {
  it('hold for sessions, before the merchant is asked, and not for the merchant’s own server', async () => {
    const getOrder = vi.fn(() => order);
    const { post, clock, checkout } = await shopWith({ sessions: 1 }, { getOrder });
    expect((await post(client('ada'))).status).toBe(200);
    await expectLimited(await post(client('ada')));
    expect((await post(client('obi'))).status).toBe(200);
    expect(getOrder).toHaveBeenCalledTimes(3);
    expect((await checkout.createSession(order)).reference).toMatch(/^tc_/);
    clock.advance(30_000);
    await expectLimited(await post(client('ada')), '30');
    clock.advance(30_000);
    expect((await post(client('ada'))).status).toBe(200);
  });

  it('hold for reads, and count wrong secrets before the store is read', async () => {
    const { get, session, store } = await shopWith({ reads: 2 });
    const find = vi.spyOn(store, 'find');
    const guess = { ...session, clientSecret: 'cs_test_guess' };
    expect((await get(guess, client('ada'))).status).toBe(401);
    expect((await get(guess, client('ada'))).status).toBe(401);
    await expectLimited(await get(guess, client('ada')));
    await expectLimited(await get(session, client('ada')));
    expect(find).not.toHaveBeenCalled();
    expect((await get(session, client('obi'))).status).toBe(200);
  });

  it('count forged callbacks, which then cost the store nothing; signed ones are accepted', async () => {
    const { checkout, callBack, store, open, log } = createNotifiedShop({ limits: { reads: 1 } });
    const { reference } = await open();
    const find = vi.spyOn(store, 'find');
    const forge = () =>
      callBack({ reference, expectedAmount: 1 }, { headers: { 'request-signature': 'ab'.repeat(64) } });
    expect((await forge()).status).toBe(401);
    find.mockClear();
    for (const _ of [1, 2, 3]) await expectLimited(await forge());
    expect(find).not.toHaveBeenCalled();
    expect((await callBack({ reference, expectedAmount: 1 })).status).toBe(204);
    expect(log.filter(({ type }) => type === 'callbackRefused')).toHaveLength(1);
    const junk = new Request(callbackUrl, { method: 'POST', body: 'x' });
    expect((await checkout.handler(junk)).status).toBe(429);
  });

  it.each([[{ sessions: 0 }], [{ perOrder: 1 }], [{ reads: 1.5 }], [true]])('cannot be %j', (limits) => {
    expect(() => createWiredShop({ limits: limits as never })).toThrow(
      expect.objectContaining({ code: 'invalid_options' }),
    );
  });
});

const throwing = () => {
  throw new Error('no key');
};

it.each<[string, () => unknown]>([
  ['throws', throwing],
  ['returns a promise', () => Promise.resolve('192.0.2.1')],
  ['returns a promise that rejects', () => Promise.reject(new Error('no key'))],
  ['returns null', () => null],
])('A client is not known, and the log says so, where clientKey %s', async (_what, clientKey) => {
  const died = watchProcess();
  const { post, log } = createWiredShop({ clientKey: clientKey as never, limits: { sessions: 1 } });
  expect([(await post()).status, (await post()).status]).toEqual([201, 200]);
  expect(log).toMatchObject([{ type: 'clientKeyFailed' }, { type: 'clientKeyFailed' }]);
  await settle();
  expect(died).toEqual([]);
});

it.each<[string, ClientKey | undefined, number]>([
  ['is found by its address with a clientKey', ({ remoteAddress }) => remoteAddress, 429],
  ['is not known from our own machine, which is a proxy', undefined, 200],
])('the client of a request over node:http %s', async (_name, clientKey, status) => {
  const { checkout, session } = await shopWith({ reads: 1 }, { clientKey });
  const { url } = await serve(toNodeListener(checkout));
  const headers = { 'checkout-secret': session.clientSecret };
  const read = async () => (await fetch(`${url}/checkout/sessions/${session.reference}`, { headers })).status;
  expect([await read(), await read()]).toEqual([200, status]);
});
