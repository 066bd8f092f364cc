import type { PlainResponse } from '../../../../server-kit/core/http.ts';
import type { OrderInput } from '../../../../server-kit/engine/order/request.ts';
import type { PaymentKind } from '../../../../server-kit/engine/shell/open-payment.ts';
import { type Session, toStoredPaymentsToken } from '../../../../src/contract/index.ts';
import type { Bank } from '../service/bank.ts';
import { type Fleet, shopUrl } from '../shop/fleet.ts';
import type { Random } from '../world/random.ts';
import type { World } from '../world/world.ts';
import { type MailedLink, openLink, type Payer, type PayingOrder, receiveSession } from './paying.ts';
import { chooseKind, choosePlan } from './plans.ts';
import type { Screens } from './screens.ts';
import { openTab, type SendFromBrowser, type Tab } from './tabs.ts';

type ShopperOrder = PayingOrder & { value: number; expiresInSeconds: number; sessions: Map<string, Session> };

export type Shoppers = ReturnType<typeof createShoppers>;

const minuteMs = 60_000;

export function createShoppers(world: World, bank: Bank, screens: Screens) {
  const { settings, random, times, clock } = world;
  const orders = new Map<string, ShopperOrder>();
  for (let index = 0; index < settings.orders; index++) {
    const orderId = `order-${settings.wave * settings.orders + index}`;
    const own = random.fork(orderId);
    orders.set(orderId, {
      orderId,
      value: own.whole(1000, 2_000_000) * 4,
      expiresInSeconds: own.whole(60, 240),
      plan: choosePlan(own, times),
      kind: chooseKind(own, times),
      random: own,
      received: new Set(),
      shown: [],
      sessions: new Map(),
    });
  }
  return {
    received: () => [...orders.values()].flatMap(({ received }) => [...received]),
    orderOf(body: unknown): OrderInput {
      const order = orders.get((body as { orderId: string }).orderId);
      if (order === undefined) throw new Error('Unknown order.');
      const { orderId, value, expiresInSeconds } = order;
      return { orderId, amount: { value, currency: 'NGN' }, expiresInSeconds };
    },
    arrive(fleet: Fleet): void {
      for (const order of orders.values()) {
        const shopper = { world, bank, screens, fleet, order };
        clock.after(order.random.between(0, times.arrivalMs), () => void visitShop(shopper));
      }
    },
    mail(link: MailedLink): void {
      const order = orders.get(world.orderOf(link.reference) ?? '');
      if (order === undefined) return;
      const afterMs = order.random.between(1000, 90_000);
      clock.after(afterMs, () => openLink({ world, bank, order }, link));
    },
    rereadSessions(fleet: Fleet): void {
      for (const order of orders.values())
        for (const session of order.sessions.values())
          showTab({ world, bank, screens, fleet, order }, session, (request) => fleet.send(request));
    },
  };
}

type Shopper = Payer & { screens: Screens; fleet: Fleet; order: ShopperOrder };

/** Visits the shop in one or two tabs, and once more after a change of the cart. */
async function visitShop(shopper: Shopper): Promise<void> {
  const { world, order } = shopper;
  const { random, plan } = order;
  const { clock } = world;
  world.note(order.orderId, () => `the shopper ${plan.name}`);
  if (plan.cartChange !== undefined) {
    const { factor, afterMs } = plan.cartChange;
    clock.after(afterMs, () => {
      order.value *= factor;
      world.note(order.orderId, () => `the cart changes to ${order.value}`);
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
    // The shopper is away, in the bank's app or for much longer.
    if (visits > 1)
      await world.clock.wait(random.between(1000, random.chance(0.8) ? 8 * minuteMs : 40 * minuteMs));
  }
}

/** Requests a session until one arrives; sometimes with two clicks at once. */
async function openSession(shopper: Shopper): Promise<Session | undefined> {
  const { order, world } = shopper;
  for (let tries = 0; tries < 6; tries++) {
    const clicks = order.random.chance(0.2) ? 2 : 1;
    const responses = await Promise.all(Array.from({ length: clicks }, () => requestSession(shopper)));
    const sessions = responses.filter((session) => session !== undefined);
    for (const session of sessions) {
      receiveSession(shopper, session);
      order.sessions.set(session.reference, session);
    }
    if (sessions.length > 0) return sessions[0];
    await world.clock.wait(order.random.between(1000, 8000));
  }
  return undefined;
}

async function requestSession({ world, fleet, order }: Shopper): Promise<Session | undefined> {
  const { orderId, random } = order;
  const { requestedKind } = order.kind;
  const kind: PaymentKind = requestedKind === 'either' ? random.pick(['account', 'link']) : requestedKind;
  // In another browser, the shopper has stored nothing.
  const stored = random.chance(0.6) ? [...order.sessions.values()].reverse() : [];
  const prefersNew = random.chance(0.3);
  const response = await browse(world, random, () =>
    fleet.send({
      method: 'POST',
      url: `${shopUrl}/checkout/${kind === 'link' ? 'links' : 'sessions'}`,
      headers: {
        'content-type': 'application/json',
        'checkout-contract': '1',
        ...(stored.length > 0 && { 'checkout-secret': toStoredPaymentsToken(stored) }),
        ...(prefersNew && { prefer: 'payment=new' }),
      },
      body: JSON.stringify({ orderId }),
    }),
  );
  if (response === undefined) return undefined;
  const { status, body = '' } = response;
  world.note(orderId, () => `the shopper requested the ${kind}, and got ${status} ${body}`);
  if (status >= 300) return undefined;
  const session = JSON.parse(body) as Session;
  if (!prefersNew) checkReload(world, { order, stored, session, isNew: status === 201 });
  const receivedKind: PaymentKind = session.account.number === '' ? 'link' : 'account';
  if (receivedKind !== kind) world.count(`open ${receivedKind} kept when the other kind was requested`);
  return session;
}

type Reload = { order: ShopperOrder; stored: readonly Session[]; session: Session; isNew: boolean };

/** A reload shows a stored payment again, unless the order changes: a request with the earlier price may come late, and replace it. */
function checkReload({ violate, count }: World, { order, stored, session, isNew }: Reload): void {
  const { reference, amount } = session;
  if (session.outcome === 'expired' && stored.some((one) => one.reference === reference))
    count('expired payments shown again');
  const known = stored.find((one) => one.amount.value === amount.value)?.reference;
  if (isNew && known !== undefined && order.plan.cartChange === undefined)
    violate('a reload opens no account', order.orderId, `${reference} for a browser that named ${known}`);
}

/** Sends a request over the shopper's network, which is slow and loses requests and responses. */
async function browse(
  { clock, faults, count }: World,
  random: Random,
  send: () => Promise<PlainResponse>,
): Promise<PlainResponse | undefined> {
  try {
    await clock.wait(random.between(20, 1500));
    if (random.chance(faults() / 2)) return undefined;
    const response = await send();
    return random.chance(faults() / 2) ? undefined : response;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    count('shopper requests lost');
    return undefined;
  }
}

/** Opens a tab and watches it for a while. The tab may stay open, visible or hidden, after the shopper leaves. */
async function watchPage(shopper: Shopper, session: Session): Promise<void> {
  const { world, fleet, order } = shopper;
  const { random } = order;
  const { clock } = world;
  const tab = showTab(shopper, session, async (request, onInstance) => {
    const response = await browse(world, random, () => fleet.send(request, onInstance));
    if (response === undefined) throw new TypeError('fetch failed');
    return response;
  });
  await clock.wait(random.between(5000, 60_000));
  const fate = random.next();
  if (fate < 0.35) return tab.close();
  if (fate < 0.6) {
    tab.setVisible(false);
    clock.after(random.between(10_000, 8 * minuteMs), () => tab.setVisible(true));
  }
  clock.after(random.between(minuteMs, 12 * minuteMs), tab.close);
}

function showTab({ world, screens, order }: Shopper, session: Session, send: SendFromBrowser): Tab {
  const { orderId, random } = order;
  const tab = openTab({
    clock: world.clock,
    random,
    send,
    orderId,
    session,
    baseUrl: `${shopUrl}/checkout`,
    onState: ({ name }) => world.note(orderId, () => `the tab of ${session.reference} shows "${name}"`),
  });
  screens.add(tab);
  world.count('tabs opened');
  return tab;
}
