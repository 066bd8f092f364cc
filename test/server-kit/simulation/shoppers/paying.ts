import type { OrderInput } from '../../../../server-kit/payments/order.ts';
import type { Session } from '../../../../src/contract/index.ts';
import type { Bank } from '../service/bank.ts';
import type { Random } from '../world/random.ts';
import type { World } from '../world/settings.ts';
import type { KindPlan, OrderPlan, TransferPlan } from './plans.ts';

/** What the merchant knows of its orders: what each costs now. */
export type OrderDesk = { orderOf: (body: unknown) => OrderInput };

/** The service mails a link to the shopper as soon as it has created it. */
export type Mail = (link: MailedLink) => void;

/** An order as those see it who pay for it. */
export type PayingOrder = {
  orderId: string;
  plan: OrderPlan;
  kind: KindPlan;
  random: Random;
  /** The references of the accounts and links that were given out. */
  given: Set<string>;
  /** The accounts that were shown, also on the pages of links; the first first. */
  shown: ShownAccount[];
};

export type Payer = { world: World; bank: Bank; order: PayingOrder };

/** Takes what the shop gives out: an account to pay into, or a link that leads to one once somebody opens its page. */
export function take(payer: Payer, session: Session): void {
  const { order, bank, world } = payer;
  const { reference, authorizationUrl, account, outcome } = session;
  if (order.given.has(reference)) return;
  order.given.add(reference);
  if (account.number !== '') {
    see(payer, { reference, number: account.number, amount: session.amount.value });
    return;
  }
  // Where nothing is to be paid there any more, it leads back to the shop: somebody may have paid by a mailed link.
  if (authorizationUrl === undefined || outcome !== 'unclear') return;
  world.count('links given out');
  for (const afterMs of order.kind.opensAfterMs)
    world.clock.after(afterMs, () => {
      const payment = bank.openLink(authorizationUrl);
      if (payment !== undefined)
        see(payer, { reference, number: payment.accountNumber, amount: payment.amount.value });
    });
}

/** The service has mailed a link to the shopper, whatever has become of its response to the shop. */
export function openMailed(payer: Payer, { reference, authorizationUrl }: MailedLink): void {
  const payment = payer.bank.openLink(authorizationUrl);
  if (payment !== undefined)
    see(payer, { reference, number: payment.accountNumber, amount: payment.amount.value });
}

export type MailedLink = { reference: string; authorizationUrl: string };

type ShownAccount = { reference: string; number: string; amount: number };

/** Whoever sees an account may pay into it. What the plan says of it begins then. */
function see(payer: Payer, account: ShownAccount): void {
  const { order, bank, world } = payer;
  const { shown, plan } = order;
  const { reference } = account;
  if (shown.some((one) => one.reference === reference)) return;
  const index = shown.push(account) - 1;
  if (plan.policy !== undefined) bank.setPolicy(reference, plan.policy);
  const isLast = (transfer: TransferPlan): boolean => transfer.account === index;
  for (const transfer of plan.transfers.filter(isLast))
    world.clock.after(transfer.afterMs, () => pay(payer, shown[transfer.to ?? index] ?? account, transfer));
  if (plan.failsAfterMs !== undefined && index === 0)
    world.clock.after(plan.failsAfterMs, () => bank.fail(reference));
}

function pay(
  { order, bank, world }: Payer,
  { reference, number, amount }: ShownAccount,
  { part }: TransferPlan,
): void {
  const { random } = order;
  const isTaken = bank.pay(number, Math.round(amount * part));
  if (!isTaken || !random.chance(0.2)) return;
  const { reversalWatchSeconds, confirmationSeconds } = world.times;
  const afterMs = (confirmationSeconds + random.between(0, reversalWatchSeconds * 0.95)) * 1000;
  world.clock.after(afterMs, () => void bank.reverse(reference));
}
