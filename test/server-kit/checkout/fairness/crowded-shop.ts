import type { CheckoutOptions } from '../../../../server-kit/checkout/checkout-options.ts';
import type { FetchHandler } from '../../../../server-kit/http/fetch.ts';
import type { Session } from '../../../../src/contract/index.ts';
import type { TestClock } from '../../kit/test-clock.ts';
import { createWiredShop, order, shopUrl } from '../../kit/wired-shop.ts';
import { plainRequest, type RequestParts } from '../../simulation/shop/plain-requests.ts';
import { createVirtualClock } from '../../simulation/world/clock.ts';
import { createLimit } from '../budget/limited-service.ts';

/** How long each request takes, in milliseconds, beside the work that it causes. */
const tripMs = 20;

export type Shopper = {
  reference: string;
  accountNumber: string;
  polls: { sentAt: number; endedAt: number; wasHeld: boolean; nextPollMs: number }[];
  /** When the page learned that the order is paid. */
  paidAt: number | undefined;
};

type Options = Partial<CheckoutOptions> & { ratePerSecond?: number };

/**
 * A shop on a virtual clock whose pages poll as the widget does, from addresses that the test chooses, and a service that
 * takes so many verifications in each second.
 */
export function createCrowdedShop({ ratePerSecond = Number.POSITIVE_INFINITY, ...options }: Options = {}) {
  const clock = createVirtualClock(Date.UTC(2026, 2, 1));
  const { now, wait } = clock;
  const takes = createLimit({ ratePerSecond, counting: 'fixed' }, now);
  const trip = <Result>(work: () => Promise<Result>): Promise<Result> => wait(tripMs).then(work);
  /** The references in the order in which the service has verified them. */
  const verified: string[] = [];
  const counts = { opened: 0, refused: 0 };
  const callBack: FetchHandler = (request) => trip(() => checkout.handler(request));
  const { checkout, sandbox, wire } = createWiredShop(
    {
      createPayment: ({ body }) => ({ ...order, ...(body as { orderId: string }) }),
      clientKey: ({ header }) => header('x-client'),
      onPaid: () => {},
      random: () => 0.5,
      ...options,
    },
    { fetch: (input, init) => callBack(new Request(input, init)), wait },
    { clock: clock as Partial<TestClock> as TestClock },
  );
  wire.intercept = (path, send) =>
    trip(async () => {
      const [, reference] = /([^/]+)\/verify$/.exec(path) ?? [];
      if (reference !== undefined && !takes()) return new Response('{}', { status: 429 });
      if (reference !== undefined) verified.push(reference);
      return send();
    });

  const send = async (path: string, parts: Omit<RequestParts, 'url'>) => {
    const request = plainRequest({ ...parts, url: `${shopUrl}/checkout/sessions${path}` });
    const response = await trip(() => checkout.respond(request));
    if (response.status >= 400) counts.refused++;
    return { headers: response.headers, body: String(response.body ?? '') };
  };
  /** Polls until the order is paid, and pauses as long as the server asks, unless the page is hostile. */
  const poll = async (shopper: Shopper, known: Record<string, string>, isHostile: boolean): Promise<void> => {
    while (shopper.paidAt === undefined) {
      const sentAt = now();
      const parts = { method: 'GET', headers: { ...known, prefer: 'wait=25' } } as const;
      const { headers, body } = await send(`/${shopper.reference}`, parts);
      const nextPollMs = Number(headers['checkout-next-poll-ms'] ?? 1000);
      const wasHeld = headers['preference-applied'] === 'wait';
      shopper.polls.push({ sentAt, endedAt: now(), wasHeld, nextPollMs });
      known['if-none-match'] = headers.etag ?? known['if-none-match'] ?? '';
      if (body.includes('"outcome":"paid"')) shopper.paidAt = now();
      await wait(isHostile ? 0 : nextPollMs);
    }
  };
  const openOne = async (client: string, index: number, isHostile: boolean): Promise<Shopper> => {
    await wait(index * 2);
    const known = { 'x-client': client, 'content-type': 'application/json' };
    const posted = JSON.stringify({ orderId: `order-${counts.opened++}` });
    const { headers, body } = await send('', { method: 'POST', headers: known, body: posted });
    const { reference, clientSecret, account } = JSON.parse(body) as Session;
    const shopper = { reference, accountNumber: account.number, polls: [], paidAt: undefined };
    const secret = { authorization: `Bearer ${clientSecret}`, 'if-none-match': headers.etag ?? '' };
    poll(shopper, { 'x-client': client, ...secret }, isHostile);
    return shopper;
  };

  const pass = (ms: number): Promise<void> => clock.runUntil(now() + ms);
  return {
    ...{ checkout, verified, counts, pass },
    /** Opens a page for each client, one each two milliseconds; resolves when all have an account and poll. */
    async open(clients: readonly string[], { isHostile = false } = {}): Promise<Shopper[]> {
      const all = Promise.all(clients.map((client, index) => openOne(client, index, isHostile)));
      await pass(clients.length * 2 + 200);
      return all;
    },
    /** Sends the money of a payment. Returns when that was. */
    pay({ accountNumber }: Shopper, { callback = true } = {}): number {
      sandbox.control.setCallbackDelivery({ drop: !callback });
      sandbox.control.transfer({ accountNumber, amount: order.amount.value });
      return now();
    },
  };
}

/** So many pages of one client. */
export const pages = (count: number, client: string): string[] => Array.from({ length: count }, () => client);
