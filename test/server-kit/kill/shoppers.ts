import type { Sandbox } from '../../../server-kit/tools/sandbox/index.ts';
import type { Session } from '../../../src/contract/index.ts';
import { repeatRequest } from './repeat-request.ts';

export type VisitContext = {
  url: string;
  sandbox: Sandbox;
  random: () => number;
  /** Resolves after all servers were down for more than a minute. */
  minutePasses: () => Promise<void>;
  /** Which refusals are repeated. Default: none. */
  isExpected?: (status: number) => boolean;
};

export type Visit = {
  orderId: string;
  /** The final price of the order, in minor units. */
  cost: number;
  isReversed: boolean;
  /** The guarantees that were broken for this shopper. */
  complaints: string[];
};

const journeys = [
  staysUntilPaid,
  leaves,
  paysTwice,
  paysLate,
  paysTwoAccounts,
  neverPays,
  isRefunded,
  changesCart,
];

/** The number of a shopper who pays and leaves at once. */
export const leavingShopper = journeys.indexOf(leaves);

/** Runs the journey of the n-th shopper. Each request is repeated until it gets a response, however often servers are killed. */
export async function visitShop(context: VisitContext, n: number): Promise<Visit> {
  const shopper = createShopper(context, `order-${n}`);
  await journeys[n % journeys.length]?.(shopper);
  return shopper.visit;
}

type Crowd = {
  atOnce: number;
  /** Whether another shopper comes after this many. */
  hasNext: (count: number) => boolean;
  first?: number;
};

/** Sends shoppers, so many at a time, until no other comes. Those who wait for a minute go on with `passMinute`. */
export function sendShoppers(
  context: Omit<VisitContext, 'minutePasses'>,
  { atOnce, hasNext, first = 0 }: Crowd,
) {
  const visits: Visit[] = [];
  const waiting = new Set<() => void>();
  const minutePasses = () => new Promise<void>((resolve) => waiting.add(resolve));
  let active = atOnce;
  let count = first;
  const visitRepeatedly = async (): Promise<void> => {
    while (hasNext(count)) visits.push(await visitShop({ ...context, minutePasses }, count++));
  };
  const ended = Promise.all(Array.from({ length: atOnce }, () => visitRepeatedly().finally(() => active--)));
  // Who waits for it gets the failure.
  ended.catch(() => {});
  return {
    visits,
    ended,
    active: () => active,
    waiting: () => waiting.size,
    passMinute(): void {
      for (const wake of waiting) wake();
      waiting.clear();
    },
  };
}

type Shopper = ReturnType<typeof createShopper>;

function createShopper(context: VisitContext, orderId: string) {
  const { url, sandbox, random, minutePasses, isExpected } = context;
  const visit: Visit = { orderId, cost: 1000, isReversed: false, complaints: [] };
  const shown = new Set<string>();
  const paidInto = new Set<string>();

  async function open(expiresInSeconds = 3600): Promise<Session> {
    const paidBefore = [...paidInto].join(', ');
    const amount = { value: visit.cost, currency: 'NGN' };
    const order = JSON.stringify({ orderId, amount, expiresInSeconds, metadata: { orderId } });
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: order };
    const session = (await repeatRequest(`${url}/checkout/sessions`, init, isExpected)).body as Session;
    const { number } = session.account;
    if (paidBefore !== '' && !shown.has(number))
      visit.complaints.push(`${orderId}: ${number} was shown although there was money on ${paidBefore}`);
    shown.add(number);
    return session;
  }

  function pay({ account }: Session): void {
    const { transfer } = sandbox.control.transfer({ accountNumber: account.number, amount: visit.cost });
    if (transfer.status !== 'returned') paidInto.add(account.number);
  }

  async function watchUntil(outcome: string, { reference, clientSecret }: Session): Promise<void> {
    const headers: Record<string, string> = { 'checkout-secret': clientSecret, prefer: 'wait=5' };
    const address = `${url}/checkout/sessions/${reference}`;
    for (;;) {
      const { body, etag } = await repeatRequest(address, { headers }, isExpected);
      if ((body as Session | undefined)?.outcome === outcome) return;
      if (etag !== null) headers['if-none-match'] = etag;
    }
  }

  return { visit, random, minutePasses, open, pay, watchUntil, sandbox };
}

/** Opens two tabs at once, and returns the session of the one to pay from. */
async function openTabs({ open, random }: Shopper, expiresInSeconds?: number): Promise<Session> {
  const [first, second] = await Promise.all([open(expiresInSeconds), open(expiresInSeconds)]);
  return random() < 0.5 ? first : second;
}

async function staysUntilPaid(shopper: Shopper): Promise<void> {
  const session = await openTabs(shopper);
  shopper.pay(session);
  await Promise.all([shopper.open(), shopper.watchUntil('paid', session)]);
  await shopper.open();
}

async function leaves(shopper: Shopper): Promise<void> {
  shopper.pay(await openTabs(shopper));
}

async function paysTwice(shopper: Shopper): Promise<void> {
  const session = await shopper.open();
  const acceptedAmountPolicy = 'ACCEPTED_AMOUNT_POLICY_ALLOW_EXCESS';
  shopper.sandbox.control.updatePayment(session.reference, { acceptedAmountPolicy });
  shopper.pay(session);
  await Promise.all([shopper.open(), shopper.watchUntil('paid', session)]);
  shopper.pay(session);
}

async function paysLate(shopper: Shopper): Promise<void> {
  const session = await openTabs(shopper, 60);
  await shopper.minutePasses();
  shopper.pay(session);
  await Promise.all([shopper.open(60), shopper.watchUntil('paid', session)]);
}

async function paysTwoAccounts(shopper: Shopper): Promise<void> {
  const first = await shopper.open(60);
  await shopper.minutePasses();
  const second = await shopper.open();
  for (const session of shopper.random() < 0.5 ? [first, second] : [second, first]) shopper.pay(session);
}

async function neverPays(shopper: Shopper): Promise<void> {
  await openTabs(shopper, 60);
}

async function isRefunded(shopper: Shopper): Promise<void> {
  const session = await shopper.open();
  shopper.pay(session);
  await shopper.watchUntil('paid', session);
  shopper.sandbox.control.updatePayment(session.reference, { status: 'reversed' });
  shopper.visit.isReversed = true;
}

async function changesCart(shopper: Shopper): Promise<void> {
  const before = await openTabs(shopper);
  const paysOld = shopper.random() < 0.5;
  shopper.visit.cost = 2000;
  const after = await openTabs(shopper);
  if (!paysOld) return shopper.pay(after);
  shopper.sandbox.control.transfer({ accountNumber: before.account.number, amount: before.amount.value });
}
