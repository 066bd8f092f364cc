import type { PaymentView } from '../../../../src/contract/index.ts';
import { type State, stateOfPayment } from '../../../../src/core/state.ts';
import type { PaymentFacts } from '../../kit/payment-facts.ts';
import type { World } from '../world/world.ts';
import type { Tab } from './tabs.ts';

/** The stored state of a payment, and the time since which it is so. */
type Facts = { reference: string; paidSinceMs: number; moneySinceMs: number; isReplaced: boolean };

type OrderFacts = { payments: Map<string, Facts>; tabs: Set<Tab> };

/** How long a visible tab may show an outdated state after a write to the store. */
const patienceMs = 10_000;

const never = Number.POSITIVE_INFINITY;

export type Screens = ReturnType<typeof createScreens>;

export function createScreens({ clock, violate, count }: World) {
  const orders = new Map<string, OrderFacts>();
  const disagree = (orderId: string, texts: Iterable<string>): void =>
    violate('all tabs of an order agree', orderId, `they show ${[...texts].sort().join(' and ')}`);
  const orderOf = (orderId: string): OrderFacts => {
    const order = orders.get(orderId) ?? { payments: new Map(), tabs: new Set() };
    orders.set(orderId, order);
    return order;
  };

  const check = (orderId: string, sinceMs: number, tabs: readonly Tab[]): void => {
    const { payments } = orderOf(orderId);
    for (const tab of tabs) {
      count('screens checked');
      const [rule, text] = problemOf(tab.state(), [...payments.values()], sinceMs) ?? [];
      if (rule !== undefined) violate(rule, orderId, `the tab of ${tab.reference} shows ${text}`);
    }
    const asking = new Set(tabs.flatMap((tab) => accountToPay(tab.state()) ?? []));
    if (asking.size > 1) disagree(orderId, asking);
  };

  /** Checks the tabs that were undisturbed long enough to show what is stored now. */
  const checkSoon = (orderId: string): void => {
    const sinceMs = clock.now();
    const isSmooth = (tab: Tab): boolean => tab.isOpen() && tab.undisturbedSinceMs() <= sinceMs;
    clock.after(patienceMs, () => check(orderId, sinceMs, [...orderOf(orderId).tabs].filter(isSmooth)));
  };

  return {
    add(tab: Tab): void {
      orderOf(tab.orderId).tabs.add(tab);
      checkSoon(tab.orderId);
    },
    openTabs: (): readonly Tab[] =>
      [...orders.values()].flatMap(({ tabs }) => [...tabs].filter((tab) => tab.isOpen())),
    recordStored(record: PaymentFacts): void {
      const { orderId, reference } = record;
      const order = orderOf(orderId);
      order.payments.set(reference, factsOf(record, order.payments.get(reference), clock.now()));
      for (const tab of order.tabs) if (!tab.isOpen()) order.tabs.delete(tab);
      if (order.tabs.size > 0) checkSoon(orderId);
    },
    /** Checks every open tab. Call it once nothing changes and each tab has reread its payment. */
    checkAtRest(): void {
      for (const [orderId, { payments, tabs }] of orders) {
        // A tab whose client secret has expired keeps its last state until the shopper requests a new session.
        const open = [...tabs].filter((tab) => tab.isOpen() && isRead(tab.state()));
        check(orderId, clock.now(), open);
        const hasMoney = [...payments.values()].some(
          ({ moneySinceMs, isReplaced }) => moneySinceMs < never && !isReplaced,
        );
        // The tab of a payment that was replaced after a cart change shows that, whatever the state of the next payment.
        const own = open.filter((tab) => payments.get(tab.reference)?.isReplaced !== true);
        const shown = new Set(own.map((tab) => describe(tab.state())));
        if (hasMoney && shown.size > 1) disagree(orderId, shown);
      }
    },
  };
}

function factsOf(record: PaymentFacts, before: Facts | undefined, nowMs: number): Facts {
  const { reference, outcome, observed } = record;
  const isReplaced = outcome === 'replaced';
  const since = (isSo: boolean, known = never): number => (isSo ? Math.min(known, nowMs) : never);
  return {
    reference,
    isReplaced,
    paidSinceMs: since(outcome === 'paid', before?.paidSinceMs),
    moneySinceMs: since(!isReplaced && holdsMoney(observed), before?.moneySinceMs),
  };
}

const holdsMoney = (observed: PaymentFacts['observed']): boolean =>
  observed !== null &&
  observed.status !== 'reversed' &&
  (observed.chargedAmount > 0 || observed.status === 'charged' || observed.status === 'succeeded');

function accountToPay(state: State): string | undefined {
  const isUnpaid = state.name === 'awaitingTransfer' || state.name === 'partlyPaid';
  return isUnpaid && state.payment.account.number !== '' ? state.payment.account.number : undefined;
}

/** Whether a session asks for money to an account or link, without mentioning money on another payment of the order. */
export function asksForMoney(session: PaymentView): boolean {
  const isMoneyShown = (session.orderChargedAmount ?? 0) > session.chargedAmount;
  const account = accountToPay(stateOfPayment(session, 'ok'));
  const isLink = session.authorizationUrl !== undefined && session.outcome === 'unclear';
  return !isMoneyShown && (account !== undefined || isLink);
}

const shownReference = (view: PaymentView): string => view.paymentReference ?? view.reference;

function problemOf(
  state: State,
  payments: readonly Facts[],
  sinceMs: number,
): [rule: string, text: string] | undefined {
  const account = accountToPay(state);
  if (account === undefined || !('payment' in state)) return undefined;
  const view: PaymentView = state.payment;
  const screen = `"${state.name}" with account ${account}`;
  const paid = payments.find(({ paidSinceMs }) => paidSinceMs <= sinceMs);
  if (paid !== undefined)
    return ['no tab of a paid order asks for money', `${screen} while ${paid.reference} is paid`];
  const isMoneyShown = (view.orderChargedAmount ?? 0) > view.chargedAmount;
  const other = payments.find(
    ({ reference, moneySinceMs }) => moneySinceMs <= sinceMs && reference !== shownReference(view),
  );
  if (other === undefined || isMoneyShown) return undefined;
  const rule = 'no tab shows an account while another payment may hold money';
  return [rule, `${screen} while ${other.reference} may hold money`];
}

const isRead = (state: State): boolean => 'connection' in state && state.connection === 'ok';

const describe = (state: State): string =>
  'payment' in state ? `"${state.name}" of ${shownReference(state.payment)}` : `"${state.name}"`;
