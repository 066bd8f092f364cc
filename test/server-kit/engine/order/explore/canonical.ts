import { createHash } from 'node:crypto';
import type { Observation, Payment, Reported } from '../../../../../server-kit/engine/order/record.ts';
import {
  changePauseMs,
  nowMs,
  type Snapshot,
  shownDate,
  skewMs,
  type Truth,
  toIso,
  type World,
} from './world.ts';

/** A representative world, and texts that are equal for equal ones: of the whole, and of all but what instances are in the middle of. */
export type Canonical = { world: World; key: string; recordKey: string };

/**
 * Returns a function that finds the representative of all worlds that differ from one only in what decides nothing. The reductions:
 *
 * - Dates are ranked: the functions compare dates of one payment with each other and with the present, so only their order counts, and
 *   whether they are only seconds apart. Each payment has its own ranks. Dates that are only shown to somebody are all the same.
 * - Two changes are seconds or hours apart. A date that is wrong by up to an hour is left to the simulation.
 * - Events and movements of money are counted to one, for a number that has been used only has to differ from the next one.
 * - References are named by their place in the order, and instances by whether they hold the lease.
 * - Operations that are under way, and keys of events, have no order.
 * - A callback only makes an order due, and a due order can be verified at any time. So callbacks that are lost, come twice or come late
 *   are no steps of their own.
 * - A response takes no time: one that an instance holds while others write is merged into what they wrote, so it is the same as the
 *   response of a node that is late by as many changes.
 * - A request with stored payments, or that prefers an existing one, changes an order only by verifications. It is not a step, but is
 *   tried out in each state.
 * - A write is one step with the reading before it, because a compare-and-set fails if anything was written in between; but the facts
 *   that lead to it can be old.
 *
 * Equal parts of worlds are one object with a number, so that millions of worlds fit into memory.
 */
export function createCanonical(): (world: World) => Canonical {
  const { has, keep, idOf } = createPool();
  return (world) => {
    const pairs = world.order.payments.map((payment, index) => {
      const truth = world.truths[index];
      if (truth === undefined) throw new Error('A payment has no truth.');
      if (has(payment) && has(truth)) return { payment, truth };
      const ranked = rankDates(payment, truth);
      return { payment: keep(ranked.payment), truth: keep(ranked.truth) };
    });
    const { price, broken, order } = world;
    const reported = keep(order.reported, shortenCounts);
    const keys = keep(world.keys, shortenKeys);
    const operations = keep(world.operations, sortByText);
    const ids = pairs.map(({ payment, truth }) => `${idOf(payment)}.${idOf(truth)}`);
    const recordKey = `${ids.join()},${idOf(reported)},${idOf(keys)},${price}`;
    return {
      world: {
        price,
        broken,
        keys,
        operations,
        truths: pairs.map(({ truth }) => truth),
        order: { orderId: order.orderId, payments: pairs.map(({ payment }) => payment), reported },
      },
      recordKey,
      key: `${recordKey},${idOf(operations)}`,
    };
  };
}

/** Keeps one object for each text, and numbers it. */
function createPool() {
  const [byDigest, ids] = [new Map<string, object>(), new Map<object, number>()];
  /** Returns the object that is kept with the same text, once it is shortened. */
  function keep<T extends object>(item: T, shorten: (item: T) => T = (same) => same): T {
    if (ids.has(item)) return item;
    const short = shorten(item);
    // A text is several times longer than its digest.
    const digest = createHash('sha1').update(JSON.stringify(short)).digest('binary');
    const kept = byDigest.get(digest);
    if (kept !== undefined) return kept as T;
    byDigest.set(digest, short);
    ids.set(short, ids.size);
    return short;
  }
  return { keep, has: (item: object) => ids.has(item), idOf: (item: object) => ids.get(item) };
}

const compare = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);

const sortByText = <T>(items: readonly T[]): readonly T[] =>
  [...items].sort((left, right) => compare(JSON.stringify(left), JSON.stringify(right)));

/** The numbers of keys are shortened like the counts. */
const shortenKeys = (keys: readonly string[]): readonly string[] => [
  ...new Set(keys.map((key) => key.replace(/:\d+$/, ':1'))),
];

/** What matters of a count is that it has begun. */
const shorten = (count: number): number => Math.min(count, 1);

function shortenCounts(reported: Reported): Reported {
  const { paid, money, events } = reported;
  const entries = Object.entries(money)
    .map(([reference, one]) => [reference, { ...one, movements: shorten(one.movements) }] as const)
    .filter(([_, { amount, movements }]) => amount + movements > 0)
    .sort(([left], [right]) => compare(left, right));
  const shown = paid && { ...paid, at: shownDate };
  return { ...reported, events: shorten(events), paid: shown, money: Object.fromEntries(entries) };
}

/** Dates that are less far apart count as seconds apart. */
const skewLimitMs = 30_000;

type Rename = (date: string) => string;

/** Gives the dates of a payment the greatest dates before now that keep their order, and which of them are only seconds apart. */
function rankDates(payment: Payment, truth: Truth): { payment: Payment; truth: Truth } {
  const ranks = new Map<string, string>();
  let [beforeMs, rankMs] = [Infinity, nowMs];
  for (const date of [...new Set(datesOf(payment, truth))].sort().reverse()) {
    const isSecondsApart = beforeMs - Date.parse(date) < skewLimitMs;
    beforeMs = Date.parse(date);
    rankMs -= isSecondsApart ? skewMs : changePauseMs;
    ranks.set(date, toIso(rankMs));
  }
  const rename: Rename = (date) => ranks.get(date) ?? date;
  const renamed = (snapshot: Snapshot): Snapshot => ({ ...snapshot, at: rename(snapshot.at) });
  const { now, earlier } = truth;
  return {
    payment: renameDates(payment, rename),
    truth: { ...truth, now: now && renamed(now), earlier: earlier.map(renamed) },
  };
}

function datesOf(payment: Payment, { now, earlier }: Truth): string[] {
  const observed = payment.state === 'opening' ? null : payment.observed;
  return [...earlier.map(({ at }) => at), now?.at, observed?.updatedAt, observed?.reversedAt].filter(
    (date) => date !== undefined,
  );
}

function renameDates(payment: Payment, rename: Rename): Payment {
  if (payment.state === 'opening' || payment.observed === null) return payment;
  const { confirmingSince, reversedAt, updatedAt } = payment.observed;
  const observed: Observation = {
    ...payment.observed,
    updatedAt: rename(updatedAt),
    ...(confirmingSince !== undefined && { confirmingSince: shownDate }),
    ...(reversedAt !== undefined && { reversedAt: rename(reversedAt) }),
  };
  return { ...payment, observed };
}
