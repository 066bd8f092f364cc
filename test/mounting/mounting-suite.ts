import { setTimeout as pause } from 'node:timers/promises';
import type { Session } from 'transfer-checkout/server-kit';
import { afterAll, beforeAll, beforeEach, describe, it } from 'vitest';
import { type MountedShop, type Mounting, startMountedShop } from './mounted-shop.ts';
import { callsOf } from './shop-calls.ts';

export type MountingOptions = {
  /** The methods that the platform passes on to the checkout, besides GET and POST. Default: HEAD, OPTIONS and PUT. */
  methods?: readonly string[];
  /** How long a response is held if the payment does not change. Default: 1. */
  holdSeconds?: number;
  /** How a client must disconnect for the platform to notice. Default: by closing the connection. */
  disconnectBy?: 'close' | 'reset';
  /** Whether the example handles the shutdown of the process. Default: true. */
  hasShutdown?: boolean;
};

/** Tests a mounted checkout in its real runtime over the network. */
export function describeMounting(name: string, mounting: Mounting, options: MountingOptions = {}): void {
  const {
    methods = ['HEAD', 'OPTIONS', 'PUT'],
    holdSeconds = 1,
    disconnectBy = 'close',
    hasShutdown = true,
  } = options;

  // Concurrent, because most of the time is spent waiting. Each test has its own order.
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

    it('creates a session, and returns the same one again', async ({ expect }) => {
      const { cookie } = await calls.newOrder();
      const first = await calls.postSession(cookie);
      const second = await calls.postSession(cookie);
      expect([first.status, second.status]).toEqual([201, 200]);
      const { reference, account } = (await first.json()) as Session;
      expect(await second.json()).toMatchObject({ reference, account });
    });

    it('passes on the cookie, and the error that getOrder throws', async ({ expect }) => {
      const response = await calls.postSession('order=made-up');
      expect([response.status, await response.json()]).toMatchObject([403, { code: 'forbidden' }]);
    });

    it('responds 401 without the client secret', async ({ expect }) => {
      const { session } = await calls.newSession();
      const response = await calls.getSession({ ...session, clientSecret: 'another' });
      expect([response.status, await response.json()]).toMatchObject([401, { code: 'session_unauthorized' }]);
    });

    it('refuses a body of 100 kB', async ({ expect }) => {
      const { cookie } = await calls.newOrder();
      const response = await calls.postSession(cookie, JSON.stringify('x'.repeat(100_000)));
      expect([response.status, await response.json()]).toMatchObject([413, { code: 'payload_too_large' }]);
    });

    it('passes unknown paths below its own on to the checkout', async ({ expect }) => {
      const response = await fetch(`${shop.url}/checkout/nowhere`);
      expect([response.status, response.headers.get('content-type')]).toEqual([
        404,
        'application/problem+json',
      ]);
    });

    it.for(methods)('passes %s on to the checkout', async (method, { expect }) => {
      const response = await fetch(`${shop.url}/checkout/sessions/any`, { method });
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET']);
    });

    it('refuses a callback that the service has not signed', async ({ expect }) => {
      const headers = {
        'content-type': 'application/json',
        'request-signature': 'made-up',
        'request-timestamp': String(Date.now()),
      };
      const response = await calls.post('/callbacks', { body: '{"event":"x","data":{}}', headers });
      expect(response.status).toBe(401);
    });

    it(`holds a response for ${holdSeconds} s if the payment does not change`, async ({ expect }) => {
      const { session } = await calls.newSession();
      const etag = await calls.etagNow(session);
      const response = await calls.getSession(session, { etag, waitSeconds: holdSeconds });
      expect(response.status).toBe(304);
    });

    it('receives the callback, responds to the held request, and notifies the shop once', async ({
      expect,
    }) => {
      const { orderId, session } = await calls.newSession();
      const held = calls.getSession(session, { etag: await calls.etagNow(session) });
      calls.pay(session);
      const response = await held;
      expect([response.status, await response.json()]).toMatchObject([200, { status: 'succeeded' }]);
      await shop.sandbox.settled();
      const [callback, ...others] = calls.callbacksOf(session);
      for (const { state, attempts } of [callback, ...others].filter((one) => one !== undefined)) {
        expect([state, attempts.length]).toEqual(['delivered', 1]);
      }
      await expect.poll(() => calls.countPaidReports(orderId)).toBe(1);

      // By then, a repeated callback could have reported the payment again.
      shop.sandbox.control.resendCallback(callback?.id ?? '');
      await shop.sandbox.settled();
      expect(calls.countPaidReports(orderId)).toBe(1);
    });

    it('releases held requests of clients that have disconnected', async ({ expect }) => {
      const { session } = await calls.newSession();
      const etag = await calls.etagNow(session);
      const disconnects = [1, 2, 3, 4].map(() => calls.holdThenDisconnect(session, etag, disconnectBy));
      await expect.poll(() => calls.countVerifications(session)).toBeGreaterThan(1);
      for (const disconnect of disconnects) disconnect();
      // While a request is held, the payment is verified every two seconds; otherwise once a minute.
      const countDuringPause = async () => {
        const before = calls.countVerifications(session);
        await pause(3000);
        return calls.countVerifications(session) - before;
      };
      await expect.poll(countDuringPause).toBe(0);
      const later = calls.getSession(session, { etag });
      calls.pay(session);
      expect((await later).status).toBe(200);
    });

    it.runIf(hasShutdown)(
      'exits with 0 on SIGTERM while a response is held',
      { concurrent: false },
      async ({ expect }) => {
        const { session } = await calls.newSession();
        const etag = await calls.etagNow(session);
        const before = calls.countVerifications(session);
        const held = calls.getSession(session, { etag }).catch((error: unknown) => error);
        // The server has received the request when it verifies the payment for it.
        await expect.poll(() => calls.countVerifications(session)).toBeGreaterThan(before);
        expect(await shop.runtime.stop()).toBe(0);
        // The response came early, without its full 25 seconds.
        expect(await held).toMatchObject({ status: 304 });
      },
    );
  });
}
