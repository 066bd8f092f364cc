import { createMemoryBus } from '../../../server-kit/buses/memory.ts';
import { createCheckout } from '../../../server-kit/checkout.ts';
import type { CheckoutOptions } from '../../../server-kit/checkout-options.ts';
import { createPaymentsClient } from '../../../server-kit/client/client.ts';
import { createSandbox, sandboxCredentials } from '../../../server-kit/sandbox/index.ts';
import { createMemoryStore } from '../../../server-kit/stores/memory.ts';
import type { Session } from '../../../src/contract/index.ts';
import { plainRequest } from '../simulation/shop/plain-requests.ts';
import { createVirtualClock } from '../simulation/world/clock.ts';
import { createLimit } from '../verification/limited-service.ts';

const shopUrl = 'https://shop.example';
const amount = { value: 125_000, currency: 'NGN' } as const;

/** How long each way of a request takes, in milliseconds. */
const tripMs = 10;

/** One response to a shopper's poll. */
export type Poll = { sentAt: number; endedAt: number; status: number; wasHeld: boolean; nextPollMs: number };

export type Shopper = {
  reference: string;
  accountNumber: string;
  polls: Poll[];
  /** When the page learned that the order is paid. */
  paidAt: number | undefined;
};

type Page = { client: string; isHostile: boolean };

/**
 * A shop on a virtual clock whose pages poll as the widget does, from addresses that the test chooses, and a service that
 * takes so many requests in each second.
 */
export function createCrowdedShop({
  ratePerSecond = Number.POSITIVE_INFINITY,
  ...options
}: Partial<CheckoutOptions> & { ratePerSecond?: number } = {}) {
  const clock = createVirtualClock(Date.UTC(2026, 2, 1));
  const takes = createLimit({ ratePerSecond, counting: 'fixed' }, clock.now);
  const trip = (): Promise<void> => clock.wait(tripMs);
  /** The references in the order in which the service has verified them. */
  const verified: string[] = [];
  let opened = 0;
  let refused = 0;

  const sandbox = createSandbox({
    now: clock.now,
    wait: clock.wait,
    fetch: async (input, init) => {
      await trip();
      return checkout.handler(new Request(input, init));
    },
  });
  const fetch: typeof globalThis.fetch = async (input, init) => {
    await trip();
    const { pathname } = new URL(String(input));
    const isVerification = pathname.endsWith('/verify');
    if (isVerification && !takes()) return new Response('{}', { status: 429 });
    if (isVerification) verified.push(pathname.split('/').at(-2) ?? '');
    const response = await sandbox.fetch(String(input), init);
    await trip();
    return response;
  };
  const checkout = createCheckout({
    payments: createPaymentsClient({
      ...{ ...sandboxCredentials, baseUrl: 'https://service.example' },
      ...{ fetch, now: clock.now, wait: clock.wait },
    }),
    store: createMemoryStore({ now: clock.now }),
    bus: createMemoryBus(),
    clientSecretKeys: ['a-client-secret-key-for-tests-only'],
    publicUrl: shopUrl,
    createPayment: ({ body }) => ({ ...(body as { orderId: string }), amount }),
    clientKey: ({ header }) => header('x-client'),
    onPaid: () => {},
    onLog: () => {},
    random: () => 0.5,
    now: clock.now,
    wait: clock.wait,
    ...options,
  });

  const send = async (client: string, path: string, headers: Record<string, string>, body?: string) => {
    await trip();
    const response = await checkout.respond(
      plainRequest({
        method: body === undefined ? 'GET' : 'POST',
        url: `${shopUrl}/checkout/sessions${path}`,
        headers: { 'x-client': client, ...headers },
        ...(body !== undefined && { body }),
      }),
    );
    await trip();
    if (response.status >= 400) refused++;
    return response;
  };
  /** Polls until the order is paid, and pauses as long as the server asks, unless the page is `hostile`. */
  const poll = async (
    { client, isHostile }: Page,
    { reference, clientSecret }: Session,
    etag: string,
    shopper: Shopper,
  ): Promise<void> => {
    for (let known = etag; shopper.paidAt === undefined; ) {
      const sentAt = clock.now();
      const { status, headers, body } = await send(client, `/${reference}`, {
        ...{ authorization: `Bearer ${clientSecret}`, 'if-none-match': known, prefer: 'wait=25' },
      });
      const nextPollMs = Number(headers['checkout-next-poll-ms'] ?? 1000);
      const wasHeld = headers['preference-applied'] === 'wait';
      shopper.polls.push({ sentAt, endedAt: clock.now(), status, wasHeld, nextPollMs });
      if (status === 200) {
        known = headers.etag ?? '';
        if ((JSON.parse(body ?? '') as Session).outcome === 'paid') shopper.paidAt = clock.now();
      }
      await clock.wait(isHostile ? 0 : nextPollMs);
    }
  };

  const pass = (ms: number): Promise<void> => clock.runUntil(clock.now() + ms);
  return {
    ...{ clock, checkout, sandbox, verified, pass },
    /** Returns how many requests were refused. */
    countRefused: () => refused,
    /** Opens a page for each client, one each two milliseconds; resolves when all have an account and poll. */
    async open(clients: readonly string[], { isHostile = false } = {}): Promise<Shopper[]> {
      const openOne = async (client: string, index: number): Promise<Shopper> => {
        await clock.wait(index * 2);
        const orderId = `order-${opened++}`;
        const headers = { 'content-type': 'application/json' };
        const { status, headers: sent, body } = await send(client, '', headers, JSON.stringify({ orderId }));
        if (status !== 201) throw new Error(`A session got ${status}: ${body}`);
        const session = JSON.parse(body ?? '') as Session;
        const { reference } = session;
        const shopper: Shopper = {
          reference,
          accountNumber: session.account.number,
          polls: [],
          paidAt: undefined,
        };
        poll({ client, isHostile }, session, sent.etag ?? '', shopper);
        return shopper;
      };
      const all = Promise.all(clients.map(openOne));
      await pass(clients.length * 2 + 200);
      return all;
    },
    /** Sends the money of a payment. Returns when that was. */
    pay({ accountNumber }: Shopper, { callback = true } = {}): number {
      sandbox.control.setCallbackDelivery({ drop: !callback });
      sandbox.control.transfer({ accountNumber, amount: amount.value });
      return clock.now();
    },
  };
}

/** So many pages of one client. */
export const pages = (count: number, client: string): string[] => Array.from({ length: count }, () => client);
