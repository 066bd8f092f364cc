import { isWhole } from '../../../../../server-kit/core/payment.ts';
import { isLostTest } from '../../../../../server-kit/engine/order/money.ts';
import type { Step as NextStep } from '../../../../../server-kit/engine/order/next-step.ts';
import { isUnopenedLink } from '../../../../../server-kit/engine/order/observe.ts';
import {
  isShown,
  type Observation,
  type Order,
  observationOf,
  type Payment,
  referencesOf,
} from '../../../../../server-kit/engine/order/record.ts';
import type { PaymentPreference } from '../../../../../src/contract/index.ts';
import { learn } from './record.ts';
import { toSessionRequest } from './requests.ts';
import { isConfirmed, isEmptied, isExpiryPast, isLive, paymentIdOf, responsesOf } from './service.ts';
import { dueFacts, watchedIndexes } from './steps.ts';
import {
  type Broken,
  hasMoney,
  indexOf,
  nowMs,
  type Setup,
  type Snapshot,
  type Truth,
  unknownStatus,
  type World,
} from './world.ts';

/** Returns the invariant that a world breaks, if any. */
export const findBroken = (world: World, setup: Setup): Broken | null =>
  world.broken ??
  checkRecord(world, setup) ??
  checkViews(world, setup) ??
  checkDue(world, setup) ??
  checkQuiet(world, setup) ??
  checkRequests(world, setup);

const broken = (rule: string, text: string): Broken => ({ rule, text });

const first = <T>(items: readonly T[], check: (item: T, index: number) => Broken | null): Broken | null =>
  items.reduce<Broken | null>((found, item, index) => found ?? check(item, index), null);

const reportedAmount = ({ reported }: Order, { reference }: Payment): number =>
  reported.money[reference]?.amount ?? 0;

const hasPaid = ({ reported: { paid } }: Order, { reference }: Payment): boolean =>
  paid?.by === reference && !paid.isReversed;

/** What is recorded is reported, by the write that has recorded it. */
function checkRecord({ order, truths }: World, { functions }: Setup): Broken | null {
  const openings = order.payments.filter(({ state }) => state === 'opening');
  if (openings.length > 1) return broken('one account', 'Two payments are opened at once.');
  if (functions.report(order).events.length > 0)
    return broken('everything is reported', 'A second report of the same order has events.');
  return first(order.payments, (payment, index) => {
    if (payment.state === 'opening' && payment.lease.isRefused && truths[index]?.now)
      return broken('a refused payment does not exist', 'The service has created it.');
    if (payment.state === 'opening' || payment.observed === null) return null;
    const { status, chargedAmount } = payment.observed;
    const amount = reportedAmount(order, payment);
    const isKept = status === 'failed' && hasPaid(order, payment);
    const isWrong =
      (isEmptied({ status, amount: chargedAmount }) && amount !== 0 && !isKept) ||
      ((status === 'succeeded' || status === 'expired') && amount < chargedAmount);
    const text = `${payment.reference} is ${status} with ${chargedAmount}, and ${amount} was reported.`;
    return isWrong ? broken('everything is reported', text) : null;
  });
}

/** Every page of a paid order shows the payment that has paid it; and no page asks for money that would not count for its order. */
function checkViews({ order }: World, { functions }: Setup): Broken | null {
  const { paid } = order.reported;
  return first(order.payments.filter(isShown), (payment) => {
    const view = functions.view(order, payment);
    const shown = view.paymentReference ?? view.reference;
    const text = `The page of ${payment.reference} says that ${shown} is ${view.outcome}; ${paid?.by ?? 'none'} has paid.`;
    if (paid === null) {
      const isAsking = view.outcome === 'pending' && order.payments[indexOf(shown)]?.state !== 'open';
      return isAsking ? broken('pages that ask for money', text) : null;
    }
    const isRight = shown === paid.by && view.outcome === (paid.isReversed ? 'reversed' : 'paid');
    return isRight ? null : broken('pages of a paid order', text);
  });
}

const daysMs = (days: number): number => days * 86_400_000;

/** Every payment is verified as long as its watch lasts; and unconfirmed money, and a link until it expires, without end. */
function checkDue({ order, truths }: World, { functions }: Setup): Broken | null {
  const isWatched = (afterMs: number, payment: Payment): boolean => {
    const now = nowMs + afterMs;
    const due = functions.nextDue({ ...order, payments: [payment] }, { ...dueFacts, serviceNow: now, now });
    return due.afterMs !== null && due.afterMs > 0;
  };
  return first(order.payments, (payment, index) => {
    const isLost = truths[index]?.isLost === true || (isShown(payment) && isLostTest(payment));
    const status = observationOf(payment)?.status;
    const isEndless = (isUnconfirmed(payment) && !isLost) || isUnexpiredLink(payment);
    const days = isEndless ? 400 : status === 'succeeded' ? 25 : 4;
    const text = `${payment.reference} (${payment.state}, ${status}) is not verified after ${days} days.`;
    if (!isWatched(0, payment)) return broken('the next verification', text);
    return isWatched(daysMs(days), payment) ? null : broken('the next verification', text);
  });
}

const isUnexpiredLink = (payment: Payment): boolean =>
  isShown(payment) && isUnopenedLink(payment) && payment.observed === null;

const isUnconfirmed = (payment: Payment): boolean => {
  if (payment.state === 'opening') return true;
  const { status, chargedAmount } = payment.observed ?? { status: 'initiated', chargedAmount: 0 };
  return status === 'charged' || (['awaiting_charge', unknownStatus].includes(status) && chargedAmount > 0);
};

/** Once each payment that is watched is verified, what was reported is what the service has confirmed. */
function checkQuiet(world: World, setup: Setup): Broken | null {
  const watched = watchedIndexes(world.order, setup);
  const quiet = watched.reduce((before, index) => {
    const [response] = responsesOf(before, index, setup);
    return response === undefined ? before : learn(before, response, setup.functions).world;
  }, world);
  if (quiet.broken !== null) return quiet.broken;
  return first(quiet.order.payments, (payment, index) => {
    const truth = quiet.truths[index];
    if (payment.state === 'opening' || truth === undefined) return null;
    const amount = reportedAmount(quiet.order, payment);
    const text = `${payment.reference} is ${truth.now?.status} with ${truth.now?.amount}, and ${amount} was reported.`;
    const isRight = isLeft(payment, index, truth)
      ? isKeptForMoney(payment.observed, truth.now, amount)
      : isReportedRight(quiet.order, payment, truth);
    return isRight ? null : broken('reported is confirmed', text);
  });
}

/** Whether the service names another payment of the link than the order does. */
const isLeft = (payment: Payment, index: number, { now, isLost }: Truth): boolean =>
  isShown(payment) &&
  payment.opened.kind === 'link' &&
  now !== null &&
  !isLost &&
  now.page > 0 &&
  payment.opened.paymentId !== paymentIdOf(index, now.page);

/** The order keeps a payment that the service names no longer only for its money, and only if the other one has less. */
function isKeptForMoney(observed: Observation | null, now: Snapshot | null, reported: number): boolean {
  if (observed === null || now === null) return false;
  const { status, chargedAmount: amount } = observed;
  if (isConfirmed({ status }) && reported < amount) return false;
  return hasMoney({ status, amount }) && (reported > 0 || now.amount < amount);
}

function isReportedRight(order: Order, payment: Payment, { now, isLost }: Truth): boolean {
  if (now === null || isLost) return true;
  const { amount } = payment;
  const observed = observationOf(payment);
  // Only a reversal takes back what has paid, and it was never seen if a failure followed it.
  const isKept = hasPaid(order, payment) || (observed && isWhole(observed, amount));
  if (now.status === 'failed' && isKept) return true;
  const reported = reportedAmount(order, payment);
  if (isEmptied(now)) return reported === 0;
  // Less money that is confirmed is a matter of fees: the reversal between the two was never seen.
  if (now.status === 'succeeded') return reported >= now.amount;
  // A part of the link's previous payment, which was abandoned, is no longer confirmed, and was never reversed.
  const isFirst = now.page < 2;
  return !isConfirmed(now) || (isFirst ? reported === now.amount : reported >= now.amount);
}

const requests: readonly { preference: PaymentPreference | undefined; isNamed: boolean }[] = [
  { preference: 'new', isNamed: false },
  { preference: undefined, isNamed: true },
  { preference: 'existing', isNamed: false },
  { preference: 'existing', isNamed: true },
];

/** Every request for a session ends, while the service responds; and gets another account if nothing speaks against it. */
function checkRequests(world: World, setup: Setup): Broken | null {
  return first(requests, ({ preference, isNamed }) => {
    const end = endOfRequest(world, setup, preference, isNamed);
    const text = `A request (${preference ?? 'no preference'}${isNamed ? ', named' : ''})`;
    if (end === undefined) return broken('requests end', `${text} does not end.`);
    if (end.name === 'show' && end.payment.state !== 'open') {
      return broken('requests end', `${text} shows ${end.payment.reference}, which was replaced.`);
    }
    if (preference !== 'new' || end.name === 'open' || !isAllOver(world)) return null;
    return broken('another account', `${text} opens none: ${end.name}.`);
  });
}

const isAllOver = ({ order, truths }: World): boolean =>
  order.reported.paid === null &&
  order.payments.every((payment, index) => payment.state !== 'open' || isOver(payment, index, truths[index]));

function isOver(payment: Payment, index: number, truth: Truth | undefined): boolean {
  if (truth === undefined || truth.now === null) return false;
  if (truth.isLost) return !isLive(payment);
  const { status, page } = truth.now;
  const link = isShown(payment) && payment.opened.kind === 'link' ? payment.opened : undefined;
  if (link !== undefined && page === 0) return isExpiryPast(payment);
  if (isLeft(payment, index, truth)) return false;
  return ['expired', 'failed', 'reversed'].includes(status) && !hasMoney(truth.now);
}

/** More steps than a request ever needs: verify, wait, verify to decide, for a link twice, and the end. */
const mostSteps = 6;

/** Runs a request as the shell does, with a service that is up to date. */
function endOfRequest(
  world: World,
  setup: Setup,
  preference: PaymentPreference | undefined,
  isNamed: boolean,
): NextStep | undefined {
  const named = new Set(isNamed ? referencesOf(world.order) : []);
  const [tried, verified] = [new Set<string>(), new Set<string>()];
  let [current, storeNow] = [world, nowMs];
  for (let steps = 0; steps < mostSteps; steps++) {
    const request = { ...toSessionRequest(current.order, world.price), preference, named };
    const facts = { tried, verified, storeNow, serviceNow: nowMs };
    const step = setup.functions.nextStep(current.order, request, facts);
    switch (step.name) {
      case 'wait':
        storeNow = leaseEndOf(current.order, step.reference);
        break;
      case 'verify':
        for (const reference of step.references) {
          const [response] = responsesOf(current, indexOf(reference), setup);
          if (response === undefined) return undefined;
          const learned = learn(current, response, setup.functions);
          current = learned.world;
          tried.add(reference);
          if (learned.isEvidence) verified.add(reference);
        }
        break;
      default:
        return step;
    }
  }
  return undefined;
}

function leaseEndOf({ payments }: Order, reference: string): number {
  const opening = payments.find((payment) => payment.reference === reference);
  return opening?.state === 'opening' ? opening.lease.endsAtMs : nowMs;
}
