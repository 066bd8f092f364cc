import type { Session } from '../../../../src/contract/index.ts';
import type { Bank } from '../service/bank.ts';
import type { Random } from '../world/random.ts';
import type { World } from '../world/world.ts';
import type { KindPlan, OrderPlan, TransferPlan } from './plans.ts';

export type PayingOrder = {
  orderId: string;
  plan: OrderPlan;
  kind: KindPlan;
  random: Random;
  received: Set<string>;
  /** The accounts that shoppers have seen, also on the pages of links, in that order. */
  shown: ShownAccount[];
};

export type Payer = { world: World; bank: Bank; order: PayingOrder };

/** The shopper receives a session: sees its account, or opens its link later. */
export function receiveSession(payer: Payer, session: Session): void {
  const { order, world } = payer;
  const { reference, authorizationUrl, account, outcome } = session;
  if (order.received.has(reference)) return;
  order.received.add(reference);
  if (account.number !== '') {
    seeAccount(payer, { reference, number: account.number, amount: session.amount.value });
    return;
  }
  // A link that is no longer unpaid leads back to the shop: it may have been paid by a mailed link.
  if (authorizationUrl === undefined || outcome !== 'unclear') return;
  world.count('links received');
  for (const afterMs of order.kind.opensAfterMs)
    world.clock.after(afterMs, () => openLink(payer, { reference, authorizationUrl }));
}

/** The shopper opens a link that the shop issued or the service mailed, and sees its account unless it has expired. */
export function openLink(payer: Payer, { reference, authorizationUrl }: MailedLink): void {
  const payment = payer.bank.openLink(authorizationUrl);
  if (payment !== undefined)
    seeAccount(payer, { reference, number: payment.accountNumber, amount: payment.amount.value });
}

export type MailedLink = { reference: string; authorizationUrl: string };

type ShownAccount = { reference: string; number: string; amount: number };

/** Starts the part of the plan that begins when the shopper first sees this account. */
function seeAccount(payer: Payer, account: ShownAccount): void {
  const { order, bank, world } = payer;
  const { shown, plan } = order;
  const { reference } = account;
  if (shown.some((one) => one.reference === reference)) return;
  const index = shown.push(account) - 1;
  if (plan.policy !== undefined) bank.setPolicy(reference, plan.policy);
  for (const transfer of plan.transfers.filter(({ account }) => account === index))
    world.clock.after(transfer.afterMs, () => pay(payer, shown[transfer.to ?? index] ?? account, transfer));
  if (plan.failsAfterMs !== undefined && index === 0)
    world.clock.after(plan.failsAfterMs, () => bank.fail(reference));
}

function pay({ order, bank, world }: Payer, account: ShownAccount, { part }: TransferPlan): void {
  const { random } = order;
  const isTaken = bank.pay(account.number, Math.round(account.amount * part));
  if (!isTaken || !random.chance(0.2)) return;
  const { reversalWatchSeconds, confirmationSeconds } = world.times;
  const afterMs = (confirmationSeconds + random.between(0, reversalWatchSeconds * 0.95)) * 1000;
  world.clock.after(afterMs, () => bank.reverse(account.reference));
}
