import type { PaymentRecord } from '../../../../server-kit/stores/payment-record.ts';
import type { PaymentView } from '../../../../src/contract/index.ts';
import { type State, stateOfPayment } from '../../../../src/core/machine/state.ts';
import type { World } from '../world/settings.ts';
import type { Tab } from './tabs.ts';

/** What shoppers see in their tabs, checked against what the store holds. */
export type Screens = {
  add: (tab: Tab) => void;
  /** A record was written. */
  stored: (record: PaymentRecord) => void;
  /** Checks every open tab now: all is quiet, and each has read its payment again. */
  checkAtRest: () => void;
  openTabs: () => readonly Tab[];
};

/** What is stored of a payment, and since when. */
type Facts = { reference: string; paidSinceMs: number; moneySinceMs: number; isReplaced: boolean };

type OrderFacts = { payments: Map<string, Facts>; tabs: Set<Tab> };

/** How long after a change of the store a visible tab may show what was true before. */
const patienceMs = 10_000;

const never = Number.POSITIVE_INFINITY;

export function createScreens({ clock, violate, count }: World): Screens {
  const orders = new Map<string, OrderFacts>();
  const orderOf = (orderId: string): OrderFacts => {
    const order = orders.get(orderId) ?? { payments: new Map(), tabs: new Set() };
    orders.set(orderId, order);
    return order;
  };

  const check = (orderId: string, sinceMs: number, tabs: readonly Tab[]): void => {
    const { payments } = orderOf(orderId);
    for (const tab of tabs) {
      count('screens checked');
      const problem = problemOf(tab.state(), [...payments.values()], sinceMs);
      if (problem !== undefined) violate(problem.rule, orderId, `${problem.text}, shown to ${tab.reference}`);
    }
    const asking = new Set(tabs.flatMap((tab) => askedAccount(tab.state()) ?? []));
    if (asking.size > 1)
      violate('all tabs of an order agree', orderId, `they ask for money to ${[...asking].join(' and ')}`);
  };

  const checkSmooth = (orderId: string, sinceMs: number): void => {
    const smooth = [...orderOf(orderId).tabs].filter((tab) => tab.isOpen() && tab.smoothSinceMs() <= sinceMs);
    check(orderId, sinceMs, smooth);
  };

  return {
    add(tab) {
      const nowMs = clock.now();
      orderOf(tab.orderId).tabs.add(tab);
      clock.after(patienceMs, () => checkSmooth(tab.orderId, nowMs));
    },
    openTabs: () => [...orders.values()].flatMap(({ tabs }) => [...tabs].filter((tab) => tab.isOpen())),
    stored(record) {
      const { orderId, reference } = record;
      const order = orderOf(orderId);
      const nowMs = clock.now();
      order.payments.set(reference, factsOf(record, order.payments.get(reference), nowMs));
      for (const tab of order.tabs) if (!tab.isOpen()) order.tabs.delete(tab);
      if (order.tabs.size > 0) clock.after(patienceMs, () => checkSmooth(orderId, nowMs));
    },
    checkAtRest() {
      for (const [orderId, { payments, tabs }] of orders) {
        // A tab whose secret has ended shows what it has, and asks for a session when the shopper does.
        const open = [...tabs].filter((tab) => tab.isOpen() && isRead(tab.state()));
        check(orderId, clock.now(), open);
        const isMoneyIn = [...payments.values()].some(
          ({ moneySinceMs, isReplaced }) => moneySinceMs < never && !isReplaced,
        );
        // The tab of a payment that a changed cart has replaced shows that, whatever became of the next payment.
        const own = open.filter((tab) => payments.get(tab.reference)?.isReplaced !== true);
        const shown = new Set(own.map((tab) => describe(tab.state())));
        if (isMoneyIn && shown.size > 1)
          violate('all tabs of an order agree', orderId, `they show ${[...shown].sort().join(' and ')}`);
      }
    },
  };
}

function factsOf(record: PaymentRecord, before: Facts | undefined, nowMs: number): Facts {
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

const holdsMoney = (observed: PaymentRecord['observed']): boolean =>
  observed !== null &&
  observed.status !== 'reversed' &&
  (observed.chargedAmount > 0 || observed.status === 'charged' || observed.status === 'succeeded');

/** The account to which a screen asks the shopper to send money. */
export function askedAccount(state: State): string | undefined {
  const isAsking = state.name === 'awaitingTransfer' || state.name === 'partlyPaid';
  return isAsking && state.payment.account.number !== '' ? state.payment.account.number : undefined;
}

/** Whether a session leads to an account, or to a page, that waits for money, and says nothing of money that has come. */
export function asksForMoney(session: PaymentView): boolean {
  const isSaid = (session.orderChargedAmount ?? 0) > session.chargedAmount;
  const account = askedAccount(stateOfPayment(session, 'ok'));
  const isLink = session.authorizationUrl !== undefined && session.outcome === 'unclear';
  return !isSaid && (account !== undefined || isLink);
}

const shownReference = (view: PaymentView): string => view.paymentReference ?? view.reference;

function problemOf(
  state: State,
  payments: readonly Facts[],
  sinceMs: number,
): { rule: string; text: string } | undefined {
  const account = askedAccount(state);
  if (account === undefined || !('payment' in state)) return undefined;
  const view: PaymentView = state.payment;
  const says = `"${state.name}" with account ${account}`;
  const paid = payments.find(({ paidSinceMs }) => paidSinceMs <= sinceMs);
  if (paid !== undefined)
    return { rule: 'no tab of a paid order asks for money', text: `${says} while ${paid.reference} is paid` };
  const isSaid = (view.orderChargedAmount ?? 0) > view.chargedAmount;
  const other = payments.find(
    ({ reference, moneySinceMs }) => moneySinceMs <= sinceMs && reference !== shownReference(view),
  );
  if (other === undefined || isSaid) return undefined;
  const text = `${says} while ${other.reference} may hold money`;
  return { rule: 'no tab shows an account while another payment may hold money', text };
}

const isRead = (state: State): boolean => 'connection' in state && state.connection === 'ok';

const describe = (state: State): string =>
  'payment' in state ? `"${state.name}" of ${shownReference(state.payment)}` : `"${state.name}"`;
