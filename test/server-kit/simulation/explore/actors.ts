import type { PaymentKind } from '../../../../server-kit/sessions/open-payment.ts';
import type { Session } from '../../../../src/contract/index.ts';
import { shopUrl } from '../shop/fleet.ts';
import { openTab, type Tab } from '../shoppers/tabs.ts';
import { orderId, type Stage } from './stage.ts';

/** How long a request is on its way, in milliseconds. */
const latencyMs = 40;

/** How long the shopper may wait, in requests, for an account that the service can give. */
const longestAccountMs = 3000;

/**
 * The shopper opens the page of the checkout, which asks until there is a payment, and watches that.
 *
 * @param tries how often it asks before the shopper leaves
 */
export async function visit(
  stage: Stage,
  { kind = 'account', tries = 4 }: { kind?: PaymentKind; tries?: number } = {},
): Promise<Tab | undefined> {
  const { clock } = stage.world;
  const asked: Asked[] = [];
  while (asked.length < tries) {
    const fromMs = clock.now();
    const session = await ask(stage, kind);
    asked.push({ fromMs, toMs: clock.now() });
    checkInTime(stage, asked, session);
    if (session !== undefined) return showTab(stage, session);
    if (asked.length < tries) await clock.wait(2000);
  }
  return undefined;
}

type Asked = { fromMs: number; toMs: number };

/** How many requests may end in an error once nothing is in the way any more. */
const mostErrors = 2;

/** Only what came after the last mishap counts. */
function checkInTime(
  { world, ableSinceMs }: Stage,
  all: readonly Asked[],
  session: Session | undefined,
): void {
  const sinceMs = ableSinceMs();
  const spentMs = all.reduce(
    (sum, { fromMs, toMs }) => sum + Math.max(0, toMs - Math.max(fromMs, sinceMs)),
    0,
  );
  const errors = all.filter(({ fromMs }) => fromMs > sinceMs).length - (session === undefined ? 0 : 1);
  const fail = (text: string): void => world.violate('an account is given within 3 s', orderId, text);
  if (spentMs > longestAccountMs) fail(`the shopper has waited for ${Math.round(spentMs)} ms`);
  else if (errors > mostErrors) fail(`${errors} requests ended in an error`);
}

async function ask(stage: Stage, kind: PaymentKind): Promise<Session | undefined> {
  const { world, scheduler, send, sessions } = stage;
  try {
    await world.clock.wait(latencyMs);
    const url = `${shopUrl}/checkout/${kind === 'link' ? 'links' : 'sessions'}`;
    const headers = { 'content-type': 'application/json', 'checkout-contract': '1' };
    const order = JSON.stringify({ orderId });
    const { status, body = '' } = await send({ method: 'POST', url, headers, body: order }, () => {});
    const action = await scheduler.step('the response to the shopper', ['lose', 'hold']);
    world.note(
      orderId,
      () => `the shop responds ${status} ${body}${action === 'lose' ? ', which is lost' : ''}`,
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

/** A tab that shows this session, and polls it. */
export function showTab({ world, screens, send }: Stage, session: Session): Tab {
  const { clock, random, note } = world;
  const tab = openTab({
    ...{ clock, random: random.fork(`tab ${session.reference}`), orderId, session },
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

/** The shopper sends money to the account of a payment, or a part of it, however the account became known. */
export async function pay({ bank, scheduler, sandbox }: Stage, index: number, part = 1): Promise<void> {
  await scheduler.step('the money comes', ['hold']);
  const payment = sandbox.control.listPayments().toReversed()[index];
  if (payment !== undefined) bank.pay(payment.accountNumber, Math.round(payment.amount.value * part));
}

/** The service takes back the money of a payment. */
export async function reverse({ bank, scheduler, sandbox }: Stage, index: number): Promise<void> {
  await scheduler.step('the money goes back', ['hold']);
  const payment = sandbox.control.listPayments().toReversed()[index];
  if (payment !== undefined) bank.reverse(payment.reference);
}

/** Somebody opens the page of every link that the service has made, as it may have mailed them. */
export async function openLinks({ bank, scheduler, sandbox }: Stage): Promise<void> {
  await scheduler.step('the links are opened', ['hold']);
  for (const { authorizationUrl } of sandbox.control.listCheckoutLinks().toReversed())
    bank.openLink(authorizationUrl);
}

/** Lets time pass in which nothing of interest happens: the rounds of the shop are no steps. */
export const pause = ({ world, scheduler }: Stage, seconds: number): Promise<void> => {
  scheduler.setCounting(false);
  return world.clock.wait(seconds * 1000).then(() => scheduler.setCounting(true));
};

/** The first account is given out, and expires unpaid. */
export async function expireFirst(stage: Stage): Promise<void> {
  stage.scheduler.setCounting(false);
  await visit(stage);
  await pause(stage, 75);
}
