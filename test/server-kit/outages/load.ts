import { setTimeout as pause } from 'node:timers/promises';
import type { Session } from '../../../src/contract/index.ts';
import type { Shop } from '../kill/shop.ts';

/** Shoppers who come one after the other, pay, and half of whom stay until the page says so. */
export type Load = {
  /** The orders whose money is at the service. */
  paid: ReadonlySet<string>;
  /** Resolves when so many more shoppers have gone, content. */
  visits: (more: number) => Promise<void>;
  /** Lets nobody in any more, and resolves when all have gone. */
  end: () => Promise<void>;
};

const shoppersAtOnce = 8;
const amount = { value: 1000, currency: 'NGN' };

export function startLoad({ url, sandbox }: Pick<Shop, 'url' | 'sandbox'>): Load {
  const paid = new Set<string>();
  let isOpen = true;
  let came = 0;
  let gone = 0;

  async function visit(orderId: string, stays: boolean): Promise<void> {
    const session = (await ask(`${url}/checkout/sessions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ orderId, amount, expiresInSeconds: 3600, metadata: { orderId } }),
    })) as Session;
    sandbox.control.transfer({ accountNumber: session.account.number, amount: amount.value });
    paid.add(orderId);
    const headers = { authorization: `Bearer ${session.clientSecret}` };
    for (let outcome = 'pending'; stays && outcome !== 'paid'; await pause(50)) {
      const read = await ask(`${url}/checkout/sessions/${session.reference}`, { headers });
      outcome = (read as Session).outcome;
    }
  }
  async function comeAndGo(): Promise<void> {
    while (isOpen) {
      const n = came++;
      await visit(`order-${n}`, n % 2 === 0);
      gone++;
    }
  }

  const everybody = Promise.all(Array.from({ length: shoppersAtOnce }, comeAndGo));
  everybody.catch(() => {});
  return {
    paid,
    async visits(more) {
      for (const before = gone; gone < before + more; ) await Promise.race([pause(20), everybody]);
    },
    async end() {
      isOpen = false;
      await everybody;
    },
  };
}

/**
 * Repeats a request until there is a response that is not due to an outage.
 *
 * @throws {Error} for a refusal: nobody here does anything wrong
 */
async function ask(url: string, init: RequestInit): Promise<unknown> {
  for (;;) {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(60_000) })
      .then(async (response) => ({ status: response.status, text: await response.text() }))
      .catch(() => ({ status: 503, text: '' }));
    if (response.status < 400) return JSON.parse(response.text);
    if (response.status < 500 && response.status !== 409 && response.status !== 429)
      throw new Error(`${url}: ${response.status} ${response.text}`);
    await pause(100);
  }
}
