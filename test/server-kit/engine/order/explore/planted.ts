import type { ServiceResponse } from '../../../../../server-kit/engine/order/observe.ts';
import {
  findPayment,
  isShown,
  type Observation,
  type Opened,
  type Order,
  type Payment,
  type ShownPayment,
} from '../../../../../server-kit/engine/order/record.ts';
import { viewPayment } from '../../../../../server-kit/engine/order/view.ts';
import { type Functions, realFunctions, type Setup } from './world.ts';

const { observe, report, nextStep, nextDue } = realFunctions;

type NextStep = Functions['nextStep'];

/** The payments of an order that a shopper may have seen, changed. */
const withShown = (order: Order, change: (payment: ShownPayment) => ShownPayment): Order => ({
  ...order,
  payments: order.payments.map((payment) => (isShown(payment) ? change(payment) : payment)),
});

const withOpened = (order: Order, change: { paymentId: string } | { liveMode: boolean }): Order =>
  withShown(order, (payment) => ({ ...payment, opened: { ...payment.opened, ...change } as Opened }));

const withObserved = (order: Order, change: (observed: Observation) => Observation): Order =>
  withShown(order, (payment) => ({ ...payment, observed: payment.observed && change(payment.observed) }));

/** Takes what is observed with one status for something else. */
const mistake = (order: Order, status: string, change: Partial<Observation>): Order =>
  withObserved(order, (observed) => (observed.status === status ? { ...observed, ...change } : observed));

/** Reports an order as if it were another one. */
const reportAs =
  (disguise: (order: Order) => Order): Functions['report'] =>
  (order) => {
    const { record: counted, events } = report(disguise(order));
    return { record: { ...order, reported: counted.reported }, events };
  };

const reportEachAlone: Functions['report'] = (order) =>
  order.payments.reduce<ReturnType<Functions['report']>>(
    (sum, payment) => {
      const { reported } = sum.record;
      const paid = reported.paid?.by === payment.reference ? reported.paid : null;
      const own = report({ ...order, payments: [payment], reported: { ...reported, paid } });
      const counted = { ...own.record.reported, paid: own.record.reported.paid ?? reported.paid };
      return { record: { ...order, reported: counted }, events: [...sum.events, ...own.events] };
    },
    { record: order, events: [] },
  );

const reportNoSecondReversal: Functions['report'] = (order) => {
  const reported = report(order);
  const isHidden = reported.events.some(({ outcome }) => outcome === 'unexpectedMoneyReversed');
  return isHidden ? { record: order, events: [] } : reported;
};

const ignoreIf =
  (isIgnored: (payment: ShownPayment, response: ServiceResponse) => boolean): Functions['observe'] =>
  (order, reference, response) => {
    const payment = findPayment(order, reference);
    return isShown(payment) && isIgnored(payment, response)
      ? { record: order, ignored: 'older' }
      : observe(order, reference, response);
  };

const watchOnly =
  (isWatched: (payment: Payment) => boolean): Functions['nextDue'] =>
  (order, facts) =>
    nextDue({ ...order, payments: order.payments.filter(isWatched) }, facts);

const stepAs =
  (disguise: (order: Order) => Order): NextStep =>
  (order, request, facts) =>
    nextStep(disguise(order), request, facts);

const viewLatest: Functions['view'] = (order, requested) => {
  const latest = order.payments.findLast(isShown) ?? requested;
  return { ...viewPayment(order, latest), paymentReference: latest.reference };
};

const openAsNew: NextStep = (...args) => {
  const step = nextStep(...args);
  return step.name === 'open' ? { ...step, mayExist: false } : step;
};

/** The rule that is broken by a fault in one of the functions, which a search must find, and what the search must include for that. */
type Planted = [text: `${string}: ${string}`, functions: Partial<Functions>, setup?: Partial<Setup>];

export const plantedFaults: readonly Planted[] = [
  [
    'paid once: each payment decides on its own whether it has paid',
    { report: reportEachAlone },
    { payments: 2 },
  ],
  [
    'one account: an ignored response counts as evidence',
    { observe: (...args) => ({ ...observe(...args), ignored: null }) },
    { payments: 2, requests: 1, lateBy: 2, reversals: 0 },
  ],
  [
    'reported is confirmed: money that was taken back a second time is not compared with the ledger',
    { report: reportNoSecondReversal },
    { reversals: 2 },
  ],
  [
    'nothing unconfirmed is reported: a response without an amount counts as one without money',
    {
      observe: (order, reference, response) =>
        observe(order, reference, { ...response, chargedAmount: response.chargedAmount ?? 0 }),
    },
    { amounts: ['less'], omitsAmounts: true },
  ],
  [
    'reported is confirmed: the loss of money by a failure is not reported',
    { report: reportAs((order) => mistake(order, 'failed', { chargedAmount: 1 })) },
    { amounts: ['less'] },
  ],
  [
    'nothing unconfirmed is reported: money is reported that is only charged',
    { report: reportAs((order) => mistake(order, 'charged', { status: 'succeeded' })) },
  ],
  [
    'paid by a payment that counts: money on a replaced account counts for the order',
    { report: reportAs((order) => withShown(order, (payment) => ({ ...payment, state: 'open' }))) },
    { payments: 2, hasTwoPrices: true },
  ],
  [
    'the next verification: replaced payments are not verified any more',
    { nextDue: watchOnly(({ state }) => state !== 'closed') },
    { payments: 2, hasTwoPrices: true },
  ],
  [
    'the next verification: unconfirmed money is given up with its account',
    {
      nextDue: (order, facts) =>
        nextDue(mistake(order, 'charged', { status: 'expired', chargedAmount: 0 }), facts),
    },
  ],
  [
    'pages of a paid order: the page shows the latest payment, not the one that has paid',
    { view: viewLatest },
    { payments: 2 },
  ],
  [
    'one account: another account is opened without a verification to decide',
    { nextStep: (order, request, facts) => nextStep(order, request, { ...facts, verified: facts.tried }) },
    { payments: 2, requests: 1 },
  ],
  [
    'a refused payment does not exist: a payment that may exist is taken for one that does not',
    { nextStep: openAsNew },
    { requests: 1 },
  ],
  [
    'requests end: a request forgets what it has tried',
    { nextStep: (order, request, facts) => nextStep(order, request, { ...facts, tried: new Set() }) },
  ],
  [
    'another account: a payment whose money was taken back blocks another account',
    { nextStep: stepAs((order) => mistake(order, 'reversed', { status: 'charged' })) },
  ],
  [
    'nothing unconfirmed is reported: a confirmation of before is believed after a reversal',
    {
      observe: (order, ...args) =>
        observe(
          withObserved(order, ({ reversedAt: _, ...observed }) => observed),
          ...args,
        ),
    },
    { lateBy: 2 },
  ],
  [
    'one account: a live payment that the service has lost is replaced like a test payment',
    { nextStep: stepAs((order) => withOpened(order, { liveMode: false })) },
    { payments: 2, requests: 1, reversals: 0, loses: 'live' },
  ],
  [
    'reported is confirmed: a link whose money was taken back gets no other payment',
    {
      observe: ignoreIf(
        ({ observed, opened }, { paymentId }) =>
          observed?.status === 'reversed' && opened.paymentId !== paymentId,
      ),
    },
    { isLink: true },
  ],
  [
    'another account: another payment of a link takes the place of money',
    {
      observe: (order, reference, response) =>
        observe(withOpened(order, { paymentId: response.paymentId }), reference, response),
    },
    { isLink: true },
  ],
  [
    'reported is confirmed: the late expiry of a charged part is ignored',
    {
      observe: ignoreIf(({ observed }, { status }) => observed?.status === 'charged' && status === 'expired'),
    },
    { amounts: ['less'], isStrange: true },
  ],
];
