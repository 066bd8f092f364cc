import type { Session } from 'transfer-checkout/server-kit';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFailed } from 'vitest';
import { type MountedShop, type Mounting, startMountedShop } from './mounted-shop.ts';

type Choices = {
  /** Which HTTP methods the platform hands to the checkout, besides GET and POST. Default: HEAD, OPTIONS and PUT. */
  methods?: readonly string[];
  /** For how long an answer is held where nothing happens. Default: 1. */
  holdSeconds?: number;
  /** Whether the platform has an end that the example takes part in. Default: true. */
  hasEnd?: boolean;
};

/** What holds wherever the checkout is mounted, asked of the real runtime over the network. */
export function describeMounting(name: string, mounting: Mounting, choices: Choices = {}): void {
  const { methods = ['HEAD', 'OPTIONS', 'PUT'], holdSeconds = 1, hasEnd = true } = choices;

  describe(`the checkout in ${name}`, () => {
    let shop: MountedShop;
    beforeAll(async () => {
      shop = await startMountedShop(mounting);
    }, 120_000);
    afterAll(() => shop?.close());
    beforeEach(() => onTestFailed(() => console.log(shop.runtime.output())));

    const post = (path: string, init: RequestInit = {}) =>
      fetch(`${shop.url}/checkout${path}`, { method: 'POST', ...init });
    const postSession = (cookie: string, body = '{}') =>
      post('/sessions', { body, headers: { cookie, 'content-type': 'application/json' } });
    const newSession = async () => {
      const { cookie, orderId } = shop.newCart();
      return { orderId, session: (await (await postSession(cookie)).json()) as Session };
    };
    const getSession = (
      { reference, clientSecret }: Session,
      init: { etag?: string; waitSeconds?: number; signal?: AbortSignal },
    ) =>
      fetch(`${shop.url}/checkout/sessions/${reference}`, {
        signal: init.signal ?? null,
        headers: {
          authorization: `Bearer ${clientSecret}`,
          ...(init.etag !== undefined && {
            'if-none-match': init.etag,
            prefer: `wait=${init.waitSeconds ?? 25}`,
          }),
        },
      });
    const etagNow = async (session: Session) => (await getSession(session, {})).headers.get('etag') ?? '';
    const pay = ({ account, amount }: Session) =>
      shop.sandbox.control.transfer({ accountNumber: account.number, amount: amount.value });
    const timesTold = (orderId: string) =>
      shop.runtime.output().split(`Order ${orderId} is paid.`).length - 1;

    it('makes a session, and gives the same one again', async () => {
      const { cookie } = shop.newCart();
      const first = await postSession(cookie);
      const second = await postSession(cookie);
      expect([first.status, second.status]).toEqual([201, 200]);
      const { reference, account } = (await first.json()) as Session;
      expect(await second.json()).toMatchObject({ reference, account });
    });

    it('hands the cookie to createPayment, which refuses a cart that is not signed', async () => {
      expect((await postSession('cart=none.none')).status).toBe(403);
    });

    it('answers 401 without the client secret', async () => {
      const { session } = await newSession();
      const answer = await getSession({ ...session, clientSecret: 'another' }, {});
      expect([answer.status, await answer.json()]).toEqual([
        401,
        expect.objectContaining({ code: 'session_unauthorized' }),
      ]);
    });

    it('refuses a body of 100 kB', async () => {
      const answer = await postSession(shop.newCart().cookie, JSON.stringify('x'.repeat(100_000)));
      expect([answer.status, await answer.json()]).toEqual([
        413,
        expect.objectContaining({ code: 'payload_too_large' }),
      ]);
    });

    it('answers unknown paths below its own with the checkout’s 404', async () => {
      const answer = await fetch(`${shop.url}/checkout/nowhere`);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'application/problem+json']);
    });

    it.each(methods)('answers %s as the routes say', async (method) => {
      const answer = await fetch(`${shop.url}/checkout/sessions/any`, { method });
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET']);
    });

    it('refuses what the service has not signed', async () => {
      const headers = { 'request-signature': 'made-up', 'request-timestamp': String(Date.now()) };
      const answer = await post('/callbacks', { body: '{"event":"payment.succeeded","data":{}}', headers });
      expect(answer.status).toBe(401);
    });

    it(`holds an answer for ${holdSeconds} s where nothing happens`, async () => {
      const { session } = await newSession();
      const answer = await getSession(session, { etag: await etagNow(session), waitSeconds: holdSeconds });
      expect(answer.status).toBe(304);
    });

    it('holds an answer until the money has come, and tells the shop once', async () => {
      const { orderId, session } = await newSession();
      const held = getSession(session, { etag: await etagNow(session) });
      pay(session);
      const answer = await held;
      expect([answer.status, await answer.json()]).toEqual([
        200,
        expect.objectContaining({ status: 'succeeded' }),
      ]);
      await shop.sandbox.settled();
      const callbacks = shop.sandbox.control
        .listCallbacks()
        .filter(({ reference }) => reference === session.reference);
      expect(callbacks.map(({ state, attempts }) => [state, attempts.length])).toEqual(
        callbacks.map(() => ['delivered', 1]),
      );
      expect(callbacks).not.toEqual([]);
      await expect.poll(() => timesTold(orderId)).toBe(1);

      // Whatever else may tell of it has had its turn when reconcile answers.
      shop.sandbox.control.resendCallback(callbacks[0]?.id ?? '');
      await shop.sandbox.settled();
      const headers = { authorization: `Bearer ${shop.env.RECONCILE_KEY}` };
      expect((await post('/reconcile', { headers })).status).toBe(200);
      expect(timesTold(orderId)).toBe(1);
    });

    it('goes on when clients have gone while their answers were held', async () => {
      const { session } = await newSession();
      const etag = await etagNow(session);
      const leaving = new AbortController();
      const held = [1, 2, 3, 4].map(() => getSession(session, { etag, signal: leaving.signal }));
      // The runtime has taken the held ones when it has answered this one.
      await etagNow(session);
      leaving.abort();
      await Promise.allSettled(held);
      expect((await getSession(session, {})).status).toBe(200);
      const later = getSession(session, { etag });
      pay(session);
      expect((await later).status).toBe(200);
    });

    it.runIf(hasEnd)('ends with 0 when it is asked to, though an answer is held', async () => {
      const { session } = await newSession();
      const held = getSession(session, { etag: await etagNow(session) }).catch((error: Error) => error);
      await etagNow(session);
      const code = await shop.runtime.stop();
      expect(code, shop.runtime.output()).toBe(0);
      // It was cut: nothing waited until its 25 seconds were over.
      expect(await held).toBeInstanceOf(Error);
    });
  });
}
