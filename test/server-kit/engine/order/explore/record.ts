import type { NewEvent } from '../../../../../server-kit/engine/order/event.ts';
import type { Order, Payment } from '../../../../../server-kit/engine/order/record.ts';
import { isLive, toServiceResponse } from './service.ts';
import {
  type Broken,
  changePauseMs,
  type Functions,
  hasMoney,
  indexOf,
  nowMs,
  type Response,
  referenceOf,
  type Snapshot,
  type Truth,
  type World,
  withTruth,
} from './world.ts';

/** Writes the order with its events, as the shell does in one compare-and-set. The order is the one that was just read. */
export function write(world: World, order: Order, { report }: Functions): World {
  const reported = report(order);
  const broken = world.broken ?? checkLedger(world, reported.record);
  const written = { ...world, order: reported.record, broken };
  const { events } = world.order.reported;
  return reported.events.reduce((before, event, at) => countEvent(before, event, events + at), written);
}

function checkLedger({ order: { reported: before } }: World, { reported: after }: Order): Broken | null {
  const payer = before.paid?.by;
  if (payer !== undefined && payer !== after.paid?.by) {
    return { rule: 'paid once', text: `The order was paid by ${payer}, and then by another payment.` };
  }
  const isReset = Object.entries(before.money).some(
    ([reference, { movements }]) => movements > (after.money[reference]?.movements ?? 0),
  );
  return isReset ? { rule: 'unique keys', text: 'The movements of a payment are counted again.' } : null;
}

const isTakenBack = ({ outcome }: NewEvent): boolean =>
  outcome === 'reversed' || outcome === 'unexpectedMoneyReversed';

function countEvent(world: World, event: NewEvent, position: number): World {
  const index = indexOf(event.reference);
  const truth = world.truths[index];
  if (truth === undefined) return world;
  const after = isTakenBack(event) ? takeBack(truth, event) : { ...truth, came: truth.came - event.amount };
  const broken = world.broken ?? checkEvent(world, event, position, Math.min(after.came, after.went));
  return { ...withTruth(world, index, after), keys: [...world.keys, event.key].sort(), broken };
}

/**
 * A late node may bring a reversal after something has followed it; the money of after it may then be confirmed, and taken back, once
 * more. So may money that a failure has taken, where its date is only seconds from that of the confirmation.
 */
function takeBack(truth: Truth, { amount }: NewEvent): Truth {
  const snapshots = [truth.now, ...truth.earlier].filter((snapshot) => snapshot !== null);
  const isLate =
    truth.reversals > 1 ||
    (truth.reversals === 1 && truth.now?.status !== 'reversed') ||
    snapshots.some((failure, at) => failure.status === 'failed' && isSecondsFrom(failure, snapshots[at + 1]));
  return isLate
    ? { ...truth, came: truth.came + amount, went: Math.max(truth.went, amount) }
    : { ...truth, went: truth.went - amount };
}

const isSecondsFrom = ({ at }: Snapshot, before: Snapshot | undefined): boolean =>
  before !== undefined && Math.abs(Date.parse(at) - Date.parse(before.at)) < changePauseMs;

function checkEvent({ order, keys }: World, event: NewEvent, position: number, left: number): Broken | null {
  const text = `${event.key} (${event.amount})`;
  if (keys.includes(event.key)) return { rule: 'unique keys', text };
  if (event.position !== position) return { rule: 'consecutive positions', text };
  if (left < 0) return { rule: 'nothing unconfirmed is reported', text };
  if (event.outcome !== 'paid') return null;
  const payer = order.payments[indexOf(event.reference)];
  const isRight = payer?.state === 'open' && event.amount >= 0 && order.reported.paid?.by === event.reference;
  return isRight ? null : { rule: 'paid by a payment that counts', text };
}

/** The world after a response about one payment. `isEvidence`: the response says the payment's status. */
export type Learned = { world: World; isEvidence: boolean };

/** Merges a response into the order as it is now, and writes the order. */
export function learn(world: World, response: Response, functions: Functions): Learned {
  const { index, snapshot, age } = response;
  const { order, truths } = world;
  const [payment, truth] = [order.payments[index], truths[index]];
  if (payment === undefined || truth === undefined) return { world, isEvidence: false };
  const reference = referenceOf(index);
  const { record: observed, ignored } =
    snapshot === null
      ? { record: functions.observeMissing(order, reference, nowMs) ?? order, ignored: null }
      : functions.observe(order, reference, toServiceResponse(response, snapshot, payment));
  const isEvidence = ignored === null;
  const wasClean = isEvidence ? showsNoMoney(response, truth, payment) : truth.wasClean;
  const seenAge = snapshot === null ? truth.seenAge : Math.min(truth.seenAge, age);
  if (observed === order && wasClean === truth.wasClean && seenAge === truth.seenAge)
    return { world, isEvidence };
  const given = withTruth(world, index, { ...truth, wasClean, seenAge });
  const written = observed === order ? given : write(given, observed, functions);
  return { world: ignored === null ? forgetPast(written, response) : written, isEvidence };
}

/** A late node cannot be recognised unless the order knows better. */
function showsNoMoney(
  { snapshot, age }: Response,
  { now, isLost, seenAge }: Truth,
  payment: Payment,
): boolean {
  // Nobody can say whether money is on a live payment that the service has lost.
  const holdsMoney = isLost ? isLive(payment) : now !== null && hasMoney(now);
  return !holdsMoney || (age > 0 && age <= seenAge && (snapshot === null || !hasMoney(snapshot)));
}

/** Once the merchant knows what the service confirms now, nothing earlier may be reported, except on an earlier payment of a link. */
function forgetPast(world: World, { index, snapshot, age, omitsAmount }: Response): World {
  const truth = world.truths[index];
  if (truth === undefined || age > 0 || omitsAmount || snapshot?.status !== 'succeeded' || snapshot.page > 1)
    return world;
  const isKnown = world.order.reported.money[referenceOf(index)]?.amount === truth.confirmed;
  return isKnown ? withTruth(world, index, { ...truth, came: 0, went: 0 }) : world;
}
