import { describe, expect, it } from 'vitest';
import {
  CheckoutError,
  createPaymentRoutes,
  isPaid,
  openLink,
  type PaymentRoutesOptions,
  type StoredPayment as PlatformPayment,
} from '../../../server-kit/core/index.ts';
import { envelope } from '../kit/client-kit.ts';
import { down, hanging, refusing } from '../kit/wire-faults.ts';
import { keys } from '../kit/wired-shop.ts';
import { createPlatform, request } from './sandbox-platform.ts';

/** A platform that has stored one payment, and serves it. */
async function serve(change: Partial<PaymentRoutesOptions> = {}) {
  const platform = createPlatform();
  const opened: PlatformPayment = await platform.open();
  const confirmed: string[] = [];
  const errors: unknown[] = [];
  const { handler } = createPaymentRoutes({
    client: platform.client,
    clientSecretKeys: keys,
    findPayment: async ({ body }) => ((body as { order?: string }).order === 'order_1' ? opened : undefined),
    retrievePayment: async (reference) => (reference === opened.reference ? opened : undefined),
    onVerified: async (stored, payment) => {
      if (isPaid(stored, payment)) confirmed.push(payment.reference);
    },
    onError: (error) => errors.push(error),
    now: platform.clock.now,
    wait: platform.clock.wait,
    ...change,
  });
  const at = (path: string, init: RequestInit) =>
    handler(new Request(`https://shop.example/pay${path}`, init));
  const headers = { 'content-type': 'application/json' };
  const post = (body: unknown = { order: 'order_1' }) =>
    at('/sessions', { method: 'POST', body: JSON.stringify(body), headers });
  const get = (reference: string, secret: string, headers: Record<string, string> = {}) =>
    at(`/sessions/${reference}`, { headers: { 'checkout-secret': secret, ...headers } });
  const session = async () => {
    const { reference, clientSecret } = await (await post()).json();
    return { reference, clientSecret, poll: (more = {}) => get(reference, clientSecret, more) };
  };
  return { ...platform, opened, confirmed, errors, at, post, get, session };
}

describe('the routes of a platform', () => {
  it('return a session, and the view of its payment', async () => {
    const { opened, post, get } = await serve();
    const response = await post();
    expect(response.status).toBe(200);
    const { clientSecret, ...view } = await response.json();
    expect(view).toMatchObject({ reference: 'order_1', account: opened.account, outcome: 'pending' });
    const polled = await get('order_1', clientSecret);
    expect([polled.status, await polled.json()]).toEqual([200, view]);
  });

  it('respond with 304 until something happens', async () => {
    const { session, pay, opened, clock } = await serve();
    const { poll } = await session();
    const { headers } = await poll();
    expect(headers.get('checkout-next-poll-ms')).toBe('5000');
    const etag = headers.get('etag') ?? '';
    expect((await poll({ 'if-none-match': etag })).status).toBe(304);
    pay(opened);
    clock.advance(3000);
    const response = await poll({ 'if-none-match': etag });
    expect([response.status, (await response.json()).outcome]).toEqual([200, 'paid']);
    expect(response.headers.get('checkout-next-poll-ms')).toBe('15000');
  });

  it('confirm the order before the page is told', async () => {
    let fails = true;
    const { session, pay, opened, clock, errors } = await serve({
      onVerified: async (stored, payment) => {
        if (isPaid(stored, payment) && fails) throw new Error('the database is away');
      },
    });
    const { poll } = await session();
    pay(opened);
    clock.advance(3000);
    expect((await poll()).status).toBe(500);
    expect(errors).toMatchObject([{ message: 'the database is away' }]);
    fails = false;
    expect(await (await poll()).json()).toMatchObject({ outcome: 'paid' });
  });

  it('verify once in three seconds, whatever the pages request', async () => {
    const { session, calls, clock } = await serve();
    const { poll } = await session();
    const before = calls.length;
    await Promise.all([poll(), poll(), poll()]);
    expect(calls.length).toBe(before);
    clock.advance(3000);
    await Promise.all([poll(), poll(), poll()]);
    expect(calls.length).toBe(before + 1);
  });

  it('refuse what the platform refuses, and say where there is no payment', async () => {
    const { post } = await serve();
    expect((await post({ order: 'order_2' })).status).toBe(404);
    const refusing = await serve({
      findPayment: async () => {
        throw new CheckoutError('forbidden');
      },
    });
    expect((await refusing.post()).status).toBe(403);
  });

  describe('while the service cannot be reached', () => {
    it.each([
      ['refuses connections', down, 503],
      ['fails', refusing(503), 503],
      ['refuses the keys', refusing(401), 502],
    ])('give the stored account, and no polls, if it %s', async (_name, fault, status) => {
      const { post, session, wire, clock, opened, errors } = await serve();
      const { poll } = await session();
      clock.advance(3000);
      wire.intercept = fault;
      const response = await post();
      expect([response.status, await response.json()]).toMatchObject([
        200,
        { account: opened.account, status: 'initiated', outcome: 'pending' },
      ]);
      expect(errors).toMatchObject([{ operation: 'payments.verify' }]);
      expect((await poll()).status).toBe(status);
    });

    it('give it after four seconds of silence, and give up a poll after ten', async () => {
      const { post, session, wire, clock, opened, errors } = await serve();
      const { poll } = await session();
      clock.advance(3000);
      wire.intercept = hanging;
      const response = post();
      await clock.untilWaiting(4000);
      clock.advance(4000);
      expect(await (await response).json()).toMatchObject({ account: opened.account });
      expect(errors).toHaveLength(1);
      const polled = poll();
      // Beside the verification of the session.
      for (let attempts = 0; attempts < 2; attempts++) {
        await clock.untilWaiting(5000, 2);
        clock.advance(5000);
      }
      expect((await polled).status).toBe(503);
    });

    it('still report that the order cannot be confirmed', async () => {
      const onVerified = () => Promise.reject(new Error('the database is away'));
      const { post } = await serve({ onVerified });
      expect((await post()).status).toBe(500);
    });
  });

  it('say that nobody should pay once the service has forgotten the payment', async () => {
    const { session, wire, clock } = await serve();
    const { poll } = await session();
    wire.intercept = async () => Response.json(envelope('invalid_request_error'), { status: 404 });
    clock.advance(11_000);
    expect(await (await poll()).json()).toMatchObject({ outcome: 'unclear', status: 'not_found' });
  });

  it('keep showing a link that nobody has opened, which the service may not know yet', async () => {
    const { client, clock } = createPlatform();
    const link = await openLink(client, { ...request, returnUrl: 'https://shop.example/done' });
    const { post } = await serve({ client, findPayment: async () => link, now: clock.now, wait: clock.wait });
    clock.advance(11_000);
    expect(await (await post()).json()).toMatchObject({ authorizationUrl: link.authorizationUrl });
  });

  it('show no payment of another mode to a secret', async () => {
    const { session, opened } = await serve();
    const { poll } = await session();
    opened.liveMode = true;
    const response = await poll();
    expect([response.status, (await response.json()).code]).toEqual([401, 'session_unauthorized']);
  });

  it.each<[string, Partial<PaymentRoutesOptions>, string]>([
    ['keys that are too short', { clientSecretKeys: ['short'] }, 'at least 32 characters'],
    ['callbacks without their address', { onCallback: async () => {} }, 'callbackUrl'],
    ['the address of callbacks that nobody receives', { callbackUrl: 'https://shop.example' }, 'onCallback'],
  ])('refuse %s', async (_name, change, message) => {
    await expect(serve(change)).rejects.toThrow(message);
  });
});
