import type { Way } from '../../../server-kit/open-attempt.ts';
import type { OrderInput } from '../../../server-kit/order.ts';
import type { PlainResponse } from '../../../server-kit/plain-http.ts';
import type { Session } from '../../../src/contract/index.ts';
import type { Bank } from './bank.ts';
import { type Fleet, shopUrl } from './fleet.ts';
import { type Payer, type PayingOrder, take } from './paying.ts';
import { choosePlan, chooseWay } from './plans.ts';
import type { Random } from './random.ts';
import type { World } from './settings.ts';

/** The merchant's own knowledge of orders: what each costs now. */
export type OrderDesk = { orderOf: (body: unknown) => OrderInput };

type ShopperOrder = PayingOrder & { value: number; expiresInSeconds: number };

export type Shoppers = OrderDesk & {
  /** Sends them on their way. */
  arrive: (fleet: Fleet) => void;
  /** The plan of an order, for whoever reads its story. */
  planOf: (orderId: string) => string;
  /** The references of all accounts and links that somebody was given. */
  given: () => readonly string[];
};

const minuteMs = 60_000;

export function createShoppers(world: World, bank: Bank): Shoppers {
  const { settings, random, times } = world;
  const orders = new Map<string, ShopperOrder>();
  for (let index = 0; index < settings.orders; index++) {
    const orderId = `order-${settings.wave * settings.orders + index}`;
    const own = random.fork(orderId);
    orders.set(orderId, {
      orderId,
      value: own.whole(1000, 2_000_000) * 4,
      expiresInSeconds: own.whole(60, 240),
      plan: choosePlan(own, times),
      way: chooseWay(own, times),
      random: own,
      given: new Set(),
      shown: [],
    });
  }
  return {
    planOf: (orderId) => orders.get(orderId)?.plan.name ?? 'unknown',
    given: () => [...orders.values()].flatMap(({ given }) => [...given]),
    orderOf(body) {
      const order = orders.get((body as { orderId: string }).orderId);
      if (order === undefined) throw new Error('There is no such order.');
      const { orderId, value, expiresInSeconds } = order;
      return { orderId, amount: { value, currency: 'NGN' }, expiresInSeconds };
    },
    arrive(fleet) {
      for (const order of orders.values()) {
        const shopper = { world, bank, fleet, order };
        world.clock.after(order.random.between(0, times.arrivalMs), () => void visitShop(shopper));
      }
    },
  };
}

type Shopper = Payer & { fleet: Fleet; order: ShopperOrder };

/** Two tabs at times, each with visits of its own; and a change of mind in between. */
async function visitShop(shopper: Shopper): Promise<void> {
  const { world, order } = shopper;
  const { random, plan } = order;
  const { clock } = world;
  if (plan.cartChange !== undefined) {
    const { factor, afterMs } = plan.cartChange;
    clock.after(afterMs, () => {
      order.value *= factor;
      world.tell(order.orderId, () => `the cart changes to ${order.value}`);
      visitTab(shopper);
    });
  }
  if (random.chance(0.25)) clock.after(random.between(0, 2 * minuteMs), () => void visitTab(shopper));
  await visitTab(shopper);
}

async function visitTab(shopper: Shopper): Promise<void> {
  const { world, order } = shopper;
  const { random } = order;
  for (let visits = random.whole(1, 3); visits > 0; visits--) {
    const session = await openSession(shopper);
    if (session !== undefined && random.chance(0.5)) await watchPage(shopper, session);
    // Away, to the bank's app or to bed.
    if (visits > 1)
      await world.clock.wait(random.between(1000, random.chance(0.8) ? 8 * minuteMs : 40 * minuteMs));
  }
}

/** Asks until there is an answer, as a page does; at times with two clicks at once. */
async function openSession(shopper: Shopper): Promise<Session | undefined> {
  const { order, world } = shopper;
  for (let tries = 0; tries < 6; tries++) {
    const clicks = order.random.chance(0.2) ? 2 : 1;
    const answers = await Promise.all(Array.from({ length: clicks }, () => askForPayment(shopper)));
    const sessions = answers.filter((session) => session !== undefined);
    for (const session of sessions) take(shopper, session);
    if (sessions.length > 0) return sessions[0];
    await world.clock.wait(order.random.between(1000, 8000));
  }
  return undefined;
}

async function askForPayment({ world, fleet, order }: Shopper): Promise<Session | undefined> {
  const { orderId, random } = order;
  const { asksFor } = order.way;
  const way: Way = asksFor === 'either' ? random.pick(['account', 'link']) : asksFor;
  const answer = await browse(world, random, () =>
    fleet.send({
      method: 'POST',
      url: `${shopUrl}/checkout/${way === 'link' ? 'links' : 'sessions'}`,
      headers: { 'content-type': 'application/json', 'checkout-contract': '1' },
      body: JSON.stringify({ orderId }),
    }),
  );
  if (answer === undefined) return undefined;
  world.tell(
    orderId,
    () => `the shopper asked for the ${way}, and is answered ${answer.status} ${answer.body ?? ''}`,
  );
  if (answer.status >= 300) return undefined;
  const session = JSON.parse(answer.body ?? '') as Session;
  const given: Way = session.account.number === '' ? 'link' : 'account';
  if (given !== way) world.count(`the ${given} kept where the ${way} was asked for`);
  return session;
}

/** The shopper's network: slow, and gone at times. */
async function browse(
  { clock, faults, count }: World,
  random: Random,
  send: () => Promise<PlainResponse>,
): Promise<PlainResponse | undefined> {
  try {
    await clock.wait(random.between(20, 1500));
    if (random.chance(faults() / 2)) return undefined;
    const answer = await send();
    return random.chance(faults() / 2) ? undefined : answer;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    count('requests of shoppers that were lost');
    return undefined;
  }
}

/** Holds requests open for news of the payment, until the shopper leaves. */
async function watchPage({ world, fleet, order }: Shopper, session: Session): Promise<void> {
  const { random } = order;
  const endMs = world.clock.now() + random.between(5000, 60_000);
  const leaving = new AbortController();
  world.clock.after(endMs - world.clock.now(), () => leaving.abort());
  let etag: string | undefined;
  while (world.clock.now() < endMs) {
    const answer = await browse(world, random, () =>
      fleet.send({
        method: 'GET',
        url: `${shopUrl}/checkout/sessions/${session.reference}`,
        headers: {
          authorization: `Bearer ${session.clientSecret}`,
          'checkout-contract': '1',
          ...(etag !== undefined && { 'if-none-match': etag, prefer: 'wait=25' }),
        },
        signal: leaving.signal,
      }),
    );
    etag = answer?.headers.etag ?? etag;
    await world.clock.wait(random.between(500, 5000));
  }
}
