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

/** A fault that a search must find in one of the functions, the rule that it breaks, and what the search must include for that. */
type Planted = [name: string, rule: string, functions: Partial<Functions>, setup?: Partial<Setup>];

export const plantedFaults: readonly Planted[] = [
  [
    'each payment decides on its own whether it has paid',
    'paid once',
    { report: reportEachAlone },
    { payments: 2 },
  ],
  [
    'an ignored response counts as evidence',
    'one account',
    { observe: (...args) => ({ ...observe(...args), ignored: null }) },
    { payments: 2, requests: 1, lateBy: 2, reversals: 0 },
  ],
  [
    'money that was taken back a second time is not compared with the ledger',
    'reported is confirmed',
    { report: reportNoSecondReversal },
    { reversals: 2 },
  ],
  [
    'a response without an amount counts as one without money',
    'nothing unconfirmed is reported',
    {
      observe: (order, reference, response) =>
        observe(order, reference, { ...response, chargedAmount: response.chargedAmount ?? 0 }),
    },
    { amounts: ['less'], omitsAmounts: true },
  ],
  [
    'the loss of money by a failure is not reported',
    'reported is confirmed',
    { report: reportAs((order) => mistake(order, 'failed', { chargedAmount: 1 })) },
    { amounts: ['less'] },
  ],
  [
    'money is reported that is only charged',
    'nothing unconfirmed is reported',
    { report: reportAs((order) => mistake(order, 'charged', { status: 'succeeded' })) },
  ],
  [
    'money on a replaced account counts for the order',
    'paid by a payment that counts',
    { report: reportAs((order) => withShown(order, (payment) => ({ ...payment, state: 'open' }))) },
    { payments: 2, hasTwoPrices: true },
  ],
  [
    'replaced payments are not verified any more',
    'the next verification',
    { nextDue: watchOnly(({ state }) => state !== 'closed') },
    { payments: 2, hasTwoPrices: true },
  ],
  [
    'unconfirmed money is given up with its account',
    'the next verification',
    {
      nextDue: (order, facts) =>
        nextDue(mistake(order, 'charged', { status: 'expired', chargedAmount: 0 }), facts),
    },
  ],
  [
    'the page shows the latest payment, not the one that has paid',
    'pages of a paid order',
    { view: viewLatest },
    { payments: 2 },
  ],
  [
    'another account is opened without a verification to decide',
    'one account',
    { nextStep: (order, request, facts) => nextStep(order, request, { ...facts, verified: facts.tried }) },
    { payments: 2, requests: 1 },
  ],
  [
    'a payment that may exist is taken for one that does not',
    'a refused payment does not exist',
    { nextStep: openAsNew },
    { requests: 1 },
  ],
  [
    'a request forgets what it has tried',
    'requests end',
    { nextStep: (order, request, facts) => nextStep(order, request, { ...facts, tried: new Set() }) },
  ],
  [
    'a payment whose money was taken back blocks another account',
    'another account',
    { nextStep: stepAs((order) => mistake(order, 'reversed', { status: 'charged' })) },
  ],
  [
    'a confirmation of before is believed after a reversal',
    'nothing unconfirmed is reported',
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
    'a live payment that the service has lost is replaced like a test payment',
    'one account',
    { nextStep: stepAs((order) => withOpened(order, { liveMode: false })) },
    { payments: 2, requests: 1, reversals: 0, loses: 'live' },
  ],
  [
    'a link whose money was taken back gets no other payment',
    'reported is confirmed',
    {
      observe: ignoreIf(
        ({ observed, opened }, { paymentId }) =>
          observed?.status === 'reversed' && opened.paymentId !== paymentId,
      ),
    },
    { isLink: true },
  ],
  [
    'another payment of a link takes the place of money',
    'another account',
    {
      observe: (order, reference, response) =>
        observe(withOpened(order, { paymentId: response.paymentId }), reference, response),
    },
    { isLink: true },
  ],
  [
    'the late expiry of a charged part is ignored',
    'reported is confirmed',
    {
      observe: ignoreIf(({ observed }, { status }) => observed?.status === 'charged' && status === 'expired'),
    },
    { amounts: ['less'], isStrange: true },
  ],
];
