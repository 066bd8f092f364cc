import { setTimeout as pause } from 'node:timers/promises';
import type { Session } from '../../../src/contract/index.ts';
import { isOutage, repeatRequest } from '../kill/repeat-request.ts';
import type { Shop } from '../kill/shop.ts';

/** A stream of shoppers who pay. Half of them poll until their payment is paid; the others leave at once. */
export type Load = {
  /** The orders whose money has arrived at the service. */
  paid: ReadonlySet<string>;
  /** Resolves when this many more visits have succeeded. */
  visits: (more: number) => Promise<void>;
  /** Starts no more visits, and resolves when all have ended. */
  end: () => Promise<void>;
};

const shoppersAtOnce = 8;
const amount = { value: 1000, currency: 'NGN' };

type Place = Pick<Shop, 'url' | 'sandbox'>;

/** Opens a session, however often it has to be requested, and transfers the money. */
export async function openAndPay({ url, sandbox }: Place, orderId: string): Promise<Session> {
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ orderId, amount, expiresInSeconds: 3600, metadata: { orderId } }),
  };
  const session = (await repeatRequest(`${url}/checkout/sessions`, init, isOutage)).body as Session;
  sandbox.control.transfer({ accountNumber: session.account.number, amount: amount.value });
  return session;
}

/** Polls until the payment is paid. */
export async function untilPaid(
  { url }: Place,
  { clientSecret, reference }: Pick<Session, 'clientSecret' | 'reference'>,
): Promise<void> {
  const headers = { 'checkout-secret': clientSecret };
  for (let outcome = 'pending'; outcome !== 'paid'; await pause(50)) {
    const { body } = await repeatRequest(`${url}/checkout/sessions/${reference}`, { headers }, isOutage);
    outcome = (body as Session).outcome;
  }
}

export function startLoad(shop: Place): Load {
  const paid = new Set<string>();
  let isOpen = true;
  let started = 0;
  let ended = 0;

  async function visitRepeatedly(): Promise<void> {
    while (isOpen) {
      const n = started++;
      const orderId = `order-${n}`;
      const session = await openAndPay(shop, orderId);
      paid.add(orderId);
      if (n % 2 === 0) await untilPaid(shop, session);
      ended++;
    }
  }

  const allVisits = Promise.all(Array.from({ length: shoppersAtOnce }, visitRepeatedly));
  allVisits.catch(() => {});
  return {
    paid,
    async visits(more) {
      for (const before = ended; ended < before + more; ) await Promise.race([pause(20), allVisits]);
    },
    async end() {
      isOpen = false;
      await allVisits;
    },
  };
}
