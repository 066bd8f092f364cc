import {
  isShown,
  type Observation,
  type Order,
  type Payment,
} from '../../../../../server-kit/engine/order/record.ts';
import { viewPayment } from '../../../../../server-kit/engine/order/view.ts';
import { type Functions, realFunctions, type Setup } from './world.ts';

const { observe, report, nextStep, nextDue } = realFunctions;

/** A fault in one of the functions, and the rule that it breaks. */
export type Planted = {
  name: string;
  rule: string;
  functions: Partial<Functions>;
  /** What the search must include to find it. */
  setup?: Partial<Setup>;
};

const withObserved = (
  order: Order,
  change: (observed: Observation, payment: Payment) => Observation,
): Order => ({
  ...order,
  payments: order.payments.map((payment) =>
    payment.state === 'opening' || payment.observed === null
      ? payment
      : { ...payment, observed: change(payment.observed, payment) },
  ),
});

const withPaymentId = (order: Order, paymentId: string): Order => ({
  ...order,
  payments: order.payments.map((payment) =>
    isShown(payment) ? { ...payment, opened: { ...payment.opened, paymentId } } : payment,
  ),
});

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

/** Ignores these statuses after a charge, as if money could only be confirmed or fail. */
const ignoreAfterCharge =
  (...statuses: string[]): Functions['observe'] =>
  (order, reference, response) => {
    const payment = order.payments.find((one) => one.reference === reference);
    const isCharged = isShown(payment) && payment.observed?.status === 'charged';
    return isCharged && statuses.includes(response.status)
      ? { record: order, ignored: 'older' }
      : observe(order, reference, response);
  };

const watchOnly =
  (isWatched: (payment: Payment) => boolean): Functions['nextDue'] =>
  (record, facts) => {
    const order = record as Order;
    return nextDue({ ...order, payments: order.payments.filter(isWatched) }, facts);
  };

/** Faults that a search must find. */
export const plantedFaults: readonly Planted[] = [
  {
    name: 'each payment decides on its own whether it has paid',
    rule: 'paid once',
    setup: { payments: 2 },
    functions: { report: reportEachAlone },
  },
  {
    name: 'an ignored response counts as evidence',
    rule: 'one account',
    setup: { payments: 2, requests: 1, lateBy: 2, reversals: 0 },
    functions: { observe: (...args) => ({ ...observe(...args), ignored: null }) },
  },
  {
    name: 'money that was taken back a second time is not compared with the ledger',
    rule: 'reported is confirmed',
    setup: { reversals: 2 },
    functions: {
      report: (order) => {
        const reported = report(order);
        const isHidden = reported.events.some(({ outcome }) => outcome === 'unexpectedMoneyReversed');
        return isHidden ? { record: order, events: [] } : reported;
      },
    },
  },
  {
    name: 'a response without an amount counts as one without money',
    rule: 'nothing unconfirmed is reported',
    setup: { amounts: ['less'], omitsAmounts: true },
    functions: {
      observe: (order, reference, response) =>
        observe(order, reference, { ...response, chargedAmount: response.chargedAmount ?? 0 }),
    },
  },
  {
    name: 'the loss of money by a failure is not reported',
    rule: 'reported is confirmed',
    setup: { amounts: ['less'] },
    functions: {
      report: reportAs((order) =>
        withObserved(order, (observed) =>
          observed.status === 'failed' ? { ...observed, chargedAmount: 1 } : observed,
        ),
      ),
    },
  },
  {
    name: 'money is reported that is only charged',
    rule: 'nothing unconfirmed is reported',
    functions: {
      report: reportAs((order) =>
        withObserved(order, (observed) =>
          observed.status === 'charged' ? { ...observed, status: 'succeeded' } : observed,
        ),
      ),
    },
  },
  {
    name: 'money on a replaced account counts for the order',
    rule: 'paid by a payment that counts',
    setup: { payments: 2, hasTwoPrices: true },
    functions: {
      report: reportAs((order) => ({
        ...order,
        payments: order.payments.map((payment) =>
          isShown(payment) ? { ...payment, state: 'open' } : payment,
        ),
      })),
    },
  },
  {
    name: 'replaced payments are not verified any more',
    rule: 'the next verification',
    setup: { payments: 2, hasTwoPrices: true },
    functions: { nextDue: watchOnly(({ state }) => state !== 'closed') },
  },
  {
    name: 'unconfirmed money is given up with its account',
    rule: 'the next verification',
    functions: {
      nextDue: (order, facts) =>
        nextDue(
          withObserved(order as Order, (observed) => ({ ...observed, chargedAmount: 0, status: 'expired' })),
          facts,
        ),
    },
  },
  {
    name: 'the page shows the latest payment, not the one that has paid',
    rule: 'pages of a paid order',
    setup: { payments: 2 },
    functions: {
      view: (order, requested) => {
        const latest = order.payments.findLast(isShown) ?? requested;
        return { ...viewPayment(order, latest), paymentReference: latest.reference };
      },
    },
  },
  {
    name: 'another account is opened without a verification to decide',
    rule: 'one account',
    setup: { payments: 2, requests: 1 },
    functions: {
      nextStep: (order, request, facts) => nextStep(order, request, { ...facts, verified: facts.tried }),
    },
  },
  {
    name: 'a payment that may exist is taken for one that does not',
    rule: 'a refused payment does not exist',
    setup: { requests: 1 },
    functions: {
      nextStep: (...args) => {
        const step = nextStep(...args);
        return step.name === 'open' ? { ...step, mayExist: false } : step;
      },
    },
  },
  {
    name: 'a request forgets what it has tried',
    rule: 'requests end',
    functions: {
      nextStep: (order, request, facts) => nextStep(order, request, { ...facts, tried: new Set() }),
    },
  },
  {
    name: 'a payment whose money was taken back blocks another account',
    rule: 'another account',
    functions: {
      nextStep: (order, request, facts) =>
        nextStep(
          withObserved(order as Order, (observed) =>
            observed.status === 'reversed' ? { ...observed, status: 'charged' } : observed,
          ),
          request,
          facts,
        ),
    },
  },
  {
    name: 'late money on an expired account is ignored',
    rule: 'reported is confirmed',
    functions: {
      observe: (order, reference, response) => {
        const payment = order.payments.find((one) => one.reference === reference);
        const isExpired = isShown(payment) && payment.observed?.status === 'expired';
        return isExpired ? { record: order, ignored: null } : observe(order, reference, response);
      },
    },
  },
  {
    name: 'a confirmation of before is believed after a reversal',
    rule: 'nothing unconfirmed is reported',
    setup: { lateBy: 2 },
    functions: {
      observe: (order, ...args) =>
        observe(
          withObserved(order, ({ reversedAt: _, ...observed }) => observed),
          ...args,
        ),
    },
  },
  {
    name: 'a live payment that the service has lost is replaced like a test payment',
    rule: 'one account',
    setup: { payments: 2, requests: 1, reversals: 0, loses: 'live' },
    functions: {
      nextStep: (order, request, facts) =>
        nextStep(
          {
            ...order,
            payments: order.payments.map((payment) =>
              isShown(payment) ? { ...payment, opened: { ...payment.opened, liveMode: false } } : payment,
            ),
          },
          request,
          facts,
        ),
    },
  },
  {
    name: 'a link whose money was taken back gets no other payment',
    rule: 'reported is confirmed',
    setup: { isLink: true },
    functions: {
      observe: (order, reference, response) => {
        const payment = order.payments.find((one) => one.reference === reference);
        const isLeft =
          isShown(payment) &&
          payment.observed?.status === 'reversed' &&
          payment.opened.paymentId !== response.paymentId;
        return isLeft ? { record: order, ignored: 'otherPayment' } : observe(order, reference, response);
      },
    },
  },
  {
    name: 'another payment of a link takes the place of money',
    rule: 'another account',
    setup: { isLink: true },
    functions: {
      observe: (order, reference, response) =>
        observe(withPaymentId(order, response.paymentId), reference, response),
    },
  },
  {
    name: 'the late expiry of a charged part is ignored',
    rule: 'reported is confirmed',
    setup: { amounts: ['less'], isStrange: true },
    functions: { observe: ignoreAfterCharge('expired') },
  },
  {
    name: 'a charge that was taken back is kept',
    rule: 'reported is confirmed',
    setup: { amounts: ['less'], isStrange: true },
    functions: { observe: ignoreAfterCharge('awaiting_charge', 'expired') },
  },
];
