import type { PaymentKind } from '../../../../server-kit/engine/shell/open-payment.ts';
import type { Session } from '../../../../src/contract/index.ts';
import { shopUrl } from '../shop/fleet.ts';
import { openTab, type Tab } from '../shoppers/tabs.ts';
import { type Fixture, orderId } from './fixture.ts';

/** The one-way network delay between a shopper and the shop. */
const latencyMs = 40;

/** How long requests for an account may take in all while the service can create it: a crash costs a lease of 15 seconds. */
const longestAccountMs = 16_000;

/**
 * The shopper opens the checkout page, which requests a session until it gets one, and then polls the payment.
 *
 * @param tries how many requests the page makes before the shopper leaves
 */
export async function visit(
  fixture: Fixture,
  { kind = 'account', tries = 4 }: { kind?: PaymentKind; tries?: number } = {},
): Promise<Tab | undefined> {
  const { clock } = fixture.world;
  const requests: RequestTimes[] = [];
  while (requests.length < tries) {
    const fromMs = clock.now();
    const session = await requestSession(fixture, kind);
    requests.push({ fromMs, toMs: clock.now() });
    checkInTime(fixture, requests, session);
    if (session !== undefined) return showTab(fixture, session);
    if (requests.length < tries) await clock.wait(2000);
  }
  return undefined;
}

type RequestTimes = { fromMs: number; toMs: number };

/** How many requests may fail after the service has become able to create an account. */
const mostErrors = 2;

/** Counts only time and errors since the last fault. */
function checkInTime(
  { world, ableSinceMs }: Fixture,
  requests: readonly RequestTimes[],
  session: Session | undefined,
): void {
  const sinceMs = ableSinceMs();
  const spentMs = requests.reduce(
    (sum, { fromMs, toMs }) => sum + Math.max(0, toMs - Math.max(fromMs, sinceMs)),
    0,
  );
  const errors = requests.filter(({ fromMs }) => fromMs > sinceMs).length - (session === undefined ? 0 : 1);
  const fail = (text: string): void => world.violate('an account arrives within 16 s', orderId, text);
  if (spentMs > longestAccountMs) fail(`the shopper waited ${Math.round(spentMs)} ms`);
  else if (errors > mostErrors) fail(`${errors} requests failed`);
}

async function requestSession(fixture: Fixture, kind: PaymentKind): Promise<Session | undefined> {
  const { world, scheduler, send, sessions } = fixture;
  try {
    await world.clock.wait(latencyMs);
    const url = `${shopUrl}/checkout/${kind === 'link' ? 'links' : 'sessions'}`;
    const headers = { 'content-type': 'application/json', 'checkout-contract': '1' };
    const order = JSON.stringify({ orderId });
    const { status, body = '' } = await send({ method: 'POST', url, headers, body: order }, () => {});
    const action = await scheduler.step('the response to the shopper', ['lose', 'hold']);
    world.note(
      orderId,
      () => `the shop responds ${status} ${body}${action === 'lose' ? ' (response lost)' : ''}`,
    );
    if (action === 'lose' || status >= 300) return undefined;
    const session = JSON.parse(body) as Session;
    sessions.set(session.reference, session);
    return session;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return undefined;
  }
}

/** Opens a tab that shows and polls this session. */
function showTab({ world, screens, send }: Fixture, session: Session): Tab {
  const { clock, random, note } = world;
  const tab = openTab({
    clock,
    random: random.fork(`tab ${session.reference}`),
    orderId,
    session,
    baseUrl: `${shopUrl}/checkout`,
    async send(request, onInstance) {
      await clock.wait(latencyMs);
      return send(request, onInstance);
    },
    onState: ({ name }) => note(orderId, () => `a tab of ${session.reference} shows "${name}"`),
  });
  screens.add(tab);
  return tab;
}

/** The shopper pays the n-th account that the service created, whether or not a tab has shown it. */
export async function pay({ bank, scheduler, sandbox }: Fixture, index: number): Promise<void> {
  await scheduler.step('the money arrives', ['hold']);
  const payment = sandbox.control.listPayments().toReversed()[index];
  if (payment !== undefined) bank.pay(payment.accountNumber, payment.amount.value);
}

/** The service reverses the n-th payment that it created. */
export async function reverse({ bank, scheduler, sandbox }: Fixture, index: number): Promise<void> {
  await scheduler.step('the payment is reversed', ['hold']);
  const payment = sandbox.control.listPayments().toReversed()[index];
  if (payment !== undefined) bank.reverse(payment.reference);
}

/** Opens every link that the service created: it may have mailed them. */
export async function openLinks({ bank, scheduler, sandbox }: Fixture): Promise<void> {
  await scheduler.step('the links are opened', ['hold']);
  for (const { authorizationUrl } of sandbox.control.listCheckoutLinks().toReversed())
    bank.openLink(authorizationUrl);
}

/** Lets time pass without counting steps, so that no fault hits the shop's own rounds. */
export async function pause({ world, scheduler }: Fixture, seconds: number): Promise<void> {
  scheduler.setCounting(false);
  await world.clock.wait(seconds * 1000);
  scheduler.setCounting(true);
}

/** The shopper gets the first account and lets it expire unpaid. */
export async function expireFirst(fixture: Fixture): Promise<void> {
  fixture.scheduler.setCounting(false);
  await visit(fixture);
  await pause(fixture, 75);
}
