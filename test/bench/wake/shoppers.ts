import { Agent, request } from 'node:http';

/** A shopper with a held poll. */
export type Shopper = {
  reference: string;
  /** Resolves with the time (`performance.now()`) at which the response that says "paid" arrived. */
  paidAt: Promise<number>;
};

export type Shoppers = {
  /** Opens payments and polls each; resolves when all polls are held. */
  open: (count: number) => Promise<Shopper[]>;
  /** Responses that were neither 200 nor 304. */
  failures: () => number;
  end: () => void;
};

type Response = { status: number; etag: string; body: string; nextPollMs: number; retryAfterSeconds: number };
type Session = { reference: string; clientSecret: string; outcome: string };

export const seconds = (count: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, count * 1000));

/** How many payments are opened at the same time. */
const openAtOnce = 16;

/** Shoppers spread over the instances, with long polls like the widget's. All have this address of the local network 127.0.0.0/8. */
export function createShoppers(urls: readonly string[], localAddress = '127.0.0.1'): Shoppers {
  const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY, localAddress });
  let opened = 0;
  let failed = 0;
  let isEnded = false;

  const send = (url: string, headers: Record<string, string>, body?: string): Promise<Response> =>
    new Promise((resolve, reject) => {
      const method = body === undefined ? 'GET' : 'POST';
      const sent = request(
        url,
        { agent, method, headers: { 'checkout-contract': '1', ...headers } },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              etag: response.headers.etag ?? '',
              body: Buffer.concat(chunks).toString(),
              nextPollMs: Number(response.headers['checkout-next-poll-ms'] ?? 1000),
              retryAfterSeconds: Number(response.headers['retry-after'] ?? 0),
            }),
          );
        },
      );
      sent.on('error', reject).end(body);
    });

  const waitUntilPaid = async (
    url: string,
    { clientSecret }: Session,
    firstEtag: string,
  ): Promise<number> => {
    for (let etag = firstEtag; !isEnded; ) {
      const headers = { 'checkout-secret': clientSecret, 'if-none-match': etag, prefer: 'wait=25' };
      const response = await send(url, headers).catch(() => undefined);
      if (response?.status === 200) {
        if ((JSON.parse(response.body) as Session).outcome === 'paid') return performance.now();
        etag = response.etag;
      } else if (response?.status !== 304 && !isEnded) failed++;
      const pauseMs = response?.nextPollMs ?? 1000;
      if (pauseMs > 0) await seconds(pauseMs / 1000);
    }
    return Number.NaN;
  };
  const openOne = async (): Promise<Shopper> => {
    const index = opened++;
    const url = urls[index % urls.length] ?? '';
    const body = JSON.stringify({ orderId: `order-${localAddress}-${index}` });
    const open = () => send(`${url}/checkout/sessions`, { 'content-type': 'application/json' }, body);
    let response = await open();
    for (; response.status === 503; response = await open()) await seconds(response.retryAfterSeconds);
    // 200: the request before has opened it after all.
    if (response.status !== 201 && response.status !== 200)
      throw new Error(`A session got ${response.status}: ${response.body}`);
    const session = JSON.parse(response.body) as Session;
    const { reference } = session;
    return {
      reference,
      paidAt: waitUntilPaid(`${url}/checkout/sessions/${reference}`, session, response.etag),
    };
  };

  return {
    async open(count) {
      const shoppers: Shopper[] = [];
      const openNext = async (): Promise<void> => {
        while (shoppers.length < count) {
          const place = shoppers.push({} as Shopper) - 1;
          shoppers[place] = await openOne();
        }
      };
      await Promise.all(Array.from({ length: openAtOnce }, openNext));
      return shoppers;
    },
    failures: () => failed,
    end() {
      isEnded = true;
      agent.destroy();
    },
  };
}
