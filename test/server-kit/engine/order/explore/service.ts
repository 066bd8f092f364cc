import type { ServiceResponse } from '../../../../../server-kit/engine/order/observe.ts';
import { isShown, type Payment } from '../../../../../server-kit/engine/order/record.ts';
import {
  currency,
  nowIso,
  nowMs,
  type Response,
  referenceOf,
  type ServiceStatus,
  type Setup,
  type Snapshot,
  type Step,
  shownDate,
  skewMs,
  type Truth,
  toIso,
  unknownStatus,
  type World,
  withTruth,
} from './world.ts';

type Change = readonly [status: ServiceStatus, amount: number];

/** Returns what can happen to the payments at the service, and to their time. */
export const serviceSteps = (world: World, setup: Setup): Step[] =>
  world.truths.flatMap((truth, index) => {
    const payment = world.order.payments[index];
    if (payment === undefined || truth.now === null || truth.isLost) return [];
    const name = `payment ${index + 1}`;
    const steps = changesOf(truth, truth.now, payment, setup).map(({ label, next }) => ({
      label: `${name} at the service: ${label}`,
      world: withTruth(world, index, next),
    }));
    const lost = { label: `${name} is lost`, world: withTruth(world, index, { ...truth, isLost: true }) };
    const expires = { label: `${name}: its expiry passes`, world: passExpiry(world, index) };
    return [...steps, ...(setup.loses === null ? [] : [lost]), ...(isExpiryPast(payment) ? [] : [expires])];
  });

export const isExpiryPast = (payment: Payment): boolean =>
  !isShown(payment) || Date.parse(payment.opened.expiresAt) <= nowMs;

function passExpiry(world: World, index: number): World {
  const payments = world.order.payments.map((payment, at) =>
    at === index && isShown(payment)
      ? { ...payment, opened: { ...payment.opened, expiresAt: shownDate } }
      : payment,
  );
  return { ...world, order: { ...world.order, payments } };
}

function changesOf(
  truth: Truth,
  now: Snapshot,
  payment: Payment,
  setup: Setup,
): { label: string; next: Truth }[] {
  const isClosed = isExpiryPast(payment);
  const pages = setup.isLink && now.page < 2 ? [openPage(truth, now, setup)] : [];
  if (setup.isLink && now.page === 0) return pages;
  const dates = datesAfter(now, setup);
  const [later] = dates;
  const sums = sumsOf(payment.amount.value, setup);
  const changesOn = (followers: Change[], on: typeof dates) =>
    followers.flatMap(([status, amount]) =>
      on.map(({ at, label }) => ({
        label: `${status} ${amount}${label}`,
        next: change(truth, now, { status, amount, at, page: now.page }, setup),
      })),
    );
  // A shopper pays again days after a reversal, not seconds.
  const changes = changesOn(
    followersOf(truth, now, sums, isClosed, setup),
    now.status === 'reversed' ? [later] : dates,
  );
  const strange = setup.isStrange ? changesOn(strangeFollowers(truth, now, payment, isClosed), [later]) : [];
  return [...pages, ...changes, ...strange];
}

/**
 * A shopper opens the page, also after its expiry, or once more, also with money on the previous payment: the service names that
 * payment no longer, so its money need not be found.
 */
function openPage(truth: Truth, now: Snapshot, setup: Setup): { label: string; next: Truth } {
  const opened = { status: 'initiated', amount: 0, at: nowIso, page: now.page + 1 } as const;
  const label = `its page is opened${now.page === 0 ? '' : ' again'}`;
  return { label, next: { ...change(truth, now, opened, setup), confirmed: 0 } };
}

type DateOfChange = { at: string; label: string };

function datesAfter({ at }: Snapshot, { hasSkewedClocks }: Setup): [DateOfChange, ...DateOfChange[]] {
  const seconds = [skewMs, 0, -skewMs].map((ms) => ({
    at: toIso(Date.parse(at) + ms),
    label: ` (${ms} ms)`,
  }));
  return [{ at: nowIso, label: '' }, ...(hasSkewedClocks ? seconds : [])];
}

/** The lifecycle of a payment at the service. */
function followersOf(
  truth: Truth,
  { status, amount }: Snapshot,
  sums: Sums,
  isClosed: boolean,
  setup: Setup,
): Change[] {
  const all = [...sums.values()];
  const mayExpire: Change[] = isClosed ? [['expired', amount]] : [];
  const fails: Change[] = [...new Set([0, amount])].map((left) => ['failed', left]);
  const part: Change[] = amount === 0 && sums.has('less') ? [['awaiting_charge', 1]] : [];
  const charges = all.filter((sum) => sum >= amount).map((sum): Change => ['charged', sum]);
  const confirmed = (least: number): Change[] =>
    all.filter((sum) => sum >= least).map((sum) => ['succeeded', sum]);
  switch (status) {
    case 'initiated':
      return [['awaiting_charge', 0], ...mayExpire, ...fails];
    case 'awaiting_charge':
    case unknownStatus:
      return [...part, ...charges, ...mayExpire, ...fails];
    case 'charged':
      return [['succeeded', amount], ...fails];
    case 'succeeded': {
      const reversed: Change[] = truth.reversals < setup.reversals ? [['reversed', amount]] : [];
      // Only of accounts: a link may have another payment by then, and its failure is forgotten. And not of money that was paid again.
      const isPart = amount === sums.get('less') && truth.reversals === 0;
      const failed: Change[] = isPart && !setup.isLink ? [['failed', 0]] : [];
      return [...confirmed(amount + 1), ...reversed, ...failed];
    }
    case 'expired':
      return charges;
    case 'reversed':
      return [...confirmed(0), ...all.map((sum): Change => ['charged', sum])];
    case 'failed':
      return [];
  }
}

/**
 * What no version of the interface has said, with a date that is not in doubt: a status of tomorrow, less unconfirmed money, and an end after
 * a charge. None of it follows a reversal, which the order may not have seen. The full amount never falls below the price again, except by a reversal or a failure.
 */
function strangeFollowers(
  { confirmed, reversals }: Truth,
  { status, amount }: Snapshot,
  payment: Payment,
  isClosed: boolean,
): Change[] {
  const isOpen = status === 'initiated' || status === 'awaiting_charge' || status === 'charged';
  if ((!isOpen && status !== unknownStatus) || amount >= payment.amount.value || reversals > 0) return [];
  const unknown: Change[] = isOpen ? [[unknownStatus, amount]] : [];
  const expired: Change[] = isClosed && status === 'charged' ? [['expired', amount]] : [];
  const less = [['awaiting_charge', 0] as const, [status, 0] as const];
  return [...unknown, ...expired, ...(amount > 0 && confirmed === 0 ? less : [])];
}

type Sums = ReadonlyMap<string, number>;

function sumsOf(price: number, { amounts }: Setup): Sums {
  const all = { less: 1, exact: price, more: price + 1 };
  return new Map(amounts.map((name) => [name, all[name]]));
}

function change(truth: Truth, now: Snapshot, next: Snapshot, { lateBy }: Setup): Truth {
  const { status, amount } = next;
  const confirmed = isEmptied(next) ? 0 : isConfirmed(next) ? amount : truth.confirmed;
  return {
    ...truth,
    now: next,
    earlier: [now, ...truth.earlier].slice(0, lateBy),
    reversals: truth.reversals + (status === 'reversed' ? 1 : 0),
    confirmed,
    came: truth.came + Math.max(0, confirmed - truth.confirmed),
    went: truth.went + Math.max(0, truth.confirmed - confirmed),
    // Snapshots that no node can still respond with are equal for the model.
    seenAge: Math.min(truth.seenAge + 1, lateBy + 1),
  };
}

/** Whether nothing is left of the money that was confirmed, if any was. */
export const isEmptied = ({ status, amount }: { status: string; amount: number }): boolean =>
  status === 'reversed' || (status === 'failed' && amount === 0);

export const isConfirmed = ({ status }: { status: string }): boolean =>
  status === 'succeeded' || status === 'expired';

/** Returns what the service responds about a payment: the node that is up to date first, then late ones, then those without the amount. */
export function responsesOf(
  { truths, order }: World,
  index: number,
  { omitsAmounts }: Pick<Setup, 'omitsAmounts'>,
): Response[] {
  const { now = null, earlier = [], isLost = false } = truths[index] ?? {};
  const payment = order.payments[index];
  if (now === null || payment === undefined) return [];
  const isUnknown = ({ page }: Snapshot): boolean =>
    isShown(payment) && payment.opened.kind === 'link' && page === 0;
  const responses = [now, ...earlier].map((snapshot, age) => ({
    index,
    age,
    snapshot: isUnknown(snapshot) || (isLost && age === 0) ? null : snapshot,
    omitsAmount: false,
  }));
  const withoutAmount = responses.map((response) => ({ ...response, omitsAmount: true }));
  return [...responses, ...(omitsAmounts ? withoutAmount : [])];
}

export const toServiceResponse = (
  { index, omitsAmount }: Response,
  snapshot: Snapshot,
  payment: Payment,
): ServiceResponse => ({
  paymentId: paymentIdOf(index, snapshot.page),
  reference: referenceOf(index),
  currency,
  liveMode: isLive(payment),
  status: snapshot.status,
  chargedAmount: omitsAmount ? null : snapshot.amount,
  expectedAmount: payment.amount.value,
  updatedAt: snapshot.at,
});

export const paymentIdOf = (index: number, page: number): string => `id${index}.${page}`;

export const isLive = (payment: Payment): boolean => isShown(payment) && payment.opened.liveMode;
