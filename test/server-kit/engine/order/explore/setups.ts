import { realFunctions, type Setup } from './world.ts';

/** One payment, a node that is up to date, and shoppers who send the exact amount. */
export const plainSetup: Setup = {
  functions: realFunctions,
  payments: 1,
  isLink: false,
  amounts: ['exact'],
  lateBy: 0,
  requests: 0,
  hasSkewedClocks: false,
  omitsAmounts: false,
  isStrange: false,
  hasTwoPrices: false,
  loses: null,
  reversals: 1,
};

/** A search: `depth` is the most steps of a history; infinite to search until no new state is found. */
export type NamedSetup = { name: string; setup: Setup; depth: number };

/** Returns the search of this, which is named by what it includes. */
function searchOf(change: Partial<Setup>, depth = Infinity): NamedSetup {
  const name = Object.entries(change)
    .map(([option, value]) => (value === true ? option : `${option}: ${[value].flat().join(' or ')}`))
    .join(', ');
  return { name, setup: { ...plainSetup, ...change }, depth };
}

const all = ['less', 'exact', 'more'] as const;
const amounts = ['less', 'exact'] as const;

/**
 * What `npm run prove -- explore` searches: all that can be reached, or else 14 steps with one payment, 10 with two and 7 with three. Left out:
 *
 * - More than the price is sent to one payment, to one of two, and to a link, each in a search of its own.
 * - Two requests are under way only with one payment. Amounts are omitted only with one payment and no request.
 * - A confirmed part of a link does not fail, nor one that was paid after a reversal.
 * - No node is so late that it has missed two reversals.
 * - What no version of the service has said is not combined with requests, lost payments or more than the price.
 * - With two payments, clocks differ only where accounts have exact amounts. Money is taken back twice only with one payment.
 */
export const setups: readonly NamedSetup[] = [
  searchOf({ amounts: all, lateBy: 2, hasSkewedClocks: true }),
  searchOf({ amounts, isStrange: true, lateBy: 2 }),
  searchOf({ amounts, isStrange: true, lateBy: 1, hasSkewedClocks: true }),
  searchOf({ isLink: true, amounts, isStrange: true, lateBy: 2 }, 14),
  searchOf({ payments: 2, amounts, isStrange: true, lateBy: 1 }, 10),
  searchOf({ amounts: all, lateBy: 2, omitsAmounts: true }),
  searchOf({ amounts, lateBy: 3, reversals: 2, loses: 'test' }),
  searchOf({ isLink: true, amounts, lateBy: Infinity, loses: 'live' }, 14),
  searchOf({ isLink: true, amounts, lateBy: 2, hasSkewedClocks: true }, 14),
  searchOf({ isLink: true, amounts: all, lateBy: 2 }, 14),
  searchOf({ isLink: true, amounts, lateBy: 3, reversals: 2 }, 14),
  searchOf({ amounts, requests: 2, lateBy: 2 }),
  searchOf({ payments: 2, amounts: all, lateBy: 2 }, 10),
  searchOf({ payments: 2, lateBy: 2, requests: 1 }, 10),
  searchOf({ payments: 2, isLink: true, lateBy: 2, requests: 1 }, 10),
  searchOf({ payments: 2, isLink: true, lateBy: 2 }, 10),
  searchOf({ payments: 2, amounts, hasTwoPrices: true, lateBy: 3, loses: 'test' }, 10),
  searchOf({ payments: 2, hasTwoPrices: true, requests: 1 }, 10),
  searchOf({ payments: 2, lateBy: 1, hasSkewedClocks: true }, 10),
  searchOf({ payments: 3, hasTwoPrices: true, requests: 1 }, 7),
  searchOf({ payments: 3, amounts, hasTwoPrices: true, lateBy: 2 }, 7),
  searchOf({ amounts, lateBy: 1, hasSkewedClocks: true, loses: 'test', requests: 1 }, 14),
];
