import { setTimeout as pause } from 'node:timers/promises';
import type { Session } from 'transfer-checkout/server-kit';
import { afterAll, beforeAll, beforeEach, describe, it } from 'vitest';
import { type MountedShop, type Mounting, startMountedShop } from './mounted-shop.ts';
import { callsOf } from './shop-calls.ts';

type Choices = {
  /** Which methods the platform hands to the checkout, besides GET and POST. Default: HEAD, OPTIONS and PUT. */
  methods?: readonly string[];
  /** For how long an answer is held where nothing happens. Default: 1. */
  holdSeconds?: number;
  /** How clients leave whose leaving the platform notices. Default: they close the connection. */
  leave?: 'close' | 'reset';
  /** Whether the example takes part in the end of the process. Default: true. */
  hasEnd?: boolean;
};

/** What holds wherever the checkout is mounted, asked of the real runtime over the network. */
export function describeMounting(name: string, mounting: Mounting, choices: Choices = {}): void {
  const { methods = ['HEAD', 'OPTIONS', 'PUT'], holdSeconds = 1, leave = 'close', hasEnd = true } = choices;

  // Most of the time is spent in waiting; each test has an order of its own.
  describe.concurrent(`the checkout in ${name}`, () => {
    let shop: MountedShop;
    let calls: ReturnType<typeof callsOf>;
    beforeAll(async () => {
      shop = await startMountedShop(mounting);
      calls = callsOf(shop);
      // Some runtimes have to build first.
    }, 180_000);
    afterAll(() => shop?.close());
    beforeEach(({ onTestFailed }) => onTestFailed(() => console.log(shop.runtime.output())));

    it('makes a session, and gives the same one again', async ({ expect }) => {
      const { cookie } = shop.newCart();
      const first = await calls.postSession(cookie);
      const second = await calls.postSession(cookie);
      expect([first.status, second.status]).toEqual([201, 200]);
      const { reference, account } = (await first.json()) as Session;
      expect(await second.json()).toMatchObject({ reference, account });
    });

    it('hands on the cookie, and what createPayment throws', async ({ expect }) => {
      const answer = await calls.postSession('cart=made.up');
      expect([answer.status, await answer.json()]).toMatchObject([403, { code: 'forbidden' }]);
    });

    it('answers 401 without the client secret', async ({ expect }) => {
      const { session } = await calls.newSession();
      const answer = await calls.getSession({ ...session, clientSecret: 'another' });
      expect([answer.status, await answer.json()]).toMatchObject([401, { code: 'session_unauthorized' }]);
    });

    it('refuses a body of 100 kB', async ({ expect }) => {
      const answer = await calls.postSession(shop.newCart().cookie, JSON.stringify('x'.repeat(100_000)));
      expect([answer.status, await answer.json()]).toMatchObject([413, { code: 'payload_too_large' }]);
    });

    it('leaves unknown paths below its own to the checkout', async ({ expect }) => {
      const answer = await fetch(`${shop.url}/checkout/nowhere`);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'application/problem+json']);
    });

    it.for(methods)('leaves %s to the checkout', async (method, { expect }) => {
      const answer = await fetch(`${shop.url}/checkout/sessions/any`, { method });
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET']);
    });

    it('refuses what the service has not signed', async ({ expect }) => {
      const headers = { 'request-signature': 'made-up', 'request-timestamp': String(Date.now()) };
      const answer = await calls.post('/callbacks', { body: '{"event":"x","data":{}}', headers });
      expect(answer.status).toBe(401);
    });

    it(`holds an answer for ${holdSeconds} s where nothing happens`, async ({ expect }) => {
      const { session } = await calls.newSession();
      const etag = await calls.etagNow(session);
      const answer = await calls.getSession(session, { etag, waitSeconds: holdSeconds });
      expect(answer.status).toBe(304);
    });

    it('hears the callback, answers who waits, and tells the shop once', async ({ expect }) => {
      const { orderId, session } = await calls.newSession();
      const held = calls.getSession(session, { etag: await calls.etagNow(session) });
      calls.pay(session);
      const answer = await held;
      expect([answer.status, await answer.json()]).toMatchObject([200, { status: 'succeeded' }]);
      await shop.sandbox.settled();
      const [callback, ...others] = calls.callbacksOf(session);
      for (const { state, attempts } of [callback, ...others].filter((one) => one !== undefined)) {
        expect([state, attempts.length]).toEqual(['delivered', 1]);
      }
      await expect.poll(() => calls.timesTold(orderId)).toBe(1);

      // Whoever else may tell of it has had a turn when this is answered.
      shop.sandbox.control.resendCallback(callback?.id ?? '');
      await shop.sandbox.settled();
      expect((await calls.reconcile()).status).toBe(200);
      expect(calls.timesTold(orderId)).toBe(1);
    });

    it('lets go of clients that have gone while their answers were held', async ({ expect }) => {
      const { session } = await calls.newSession();
      const etag = await calls.etagNow(session);
      const leaves = [1, 2, 3, 4].map(() => calls.holdAndLeave(session, etag, leave));
      await expect.poll(() => calls.looksAt(session)).toBeGreaterThan(1);
      for (const go of leaves) go();
      // While somebody waits there is a look every two seconds, and else one a minute.
      const looksMeanwhile = async () => {
        const before = calls.looksAt(session);
        await pause(3000);
        return calls.looksAt(session) - before;
      };
      await expect.poll(looksMeanwhile).toBe(0);
      const later = calls.getSession(session, { etag });
      calls.pay(session);
      expect((await later).status).toBe(200);
    });

    it.runIf(hasEnd)(
      'ends with 0 when asked to, though an answer is held',
      { concurrent: false },
      async ({ expect }) => {
        const { session } = await calls.newSession();
        const etag = await calls.etagNow(session);
        const held = calls.getSession(session, { etag }).catch((error: unknown) => error);
        await calls.etagNow(session);
        expect(await shop.runtime.stop()).toBe(0);
        // Answered, and nobody has waited for its 25 seconds to be over.
        expect(await held).toMatchObject({ status: 304 });
      },
    );
  });
}
