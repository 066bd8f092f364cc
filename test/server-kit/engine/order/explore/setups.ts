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

const named = (name: string, change: Partial<Setup>, depth = Infinity): NamedSetup => ({
  name,
  depth,
  setup: { ...plainSetup, ...change },
});

const all = ['less', 'exact', 'more'] as const;
const some = ['less', 'exact'] as const;

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
  named('late nodes, clocks that differ', { amounts: all, lateBy: 2, hasSkewedClocks: true }),
  named('what no version has said, late nodes', { amounts: some, isStrange: true, lateBy: 2 }),
  named('what no version has said, clocks that differ', {
    amounts: some,
    isStrange: true,
    lateBy: 1,
    hasSkewedClocks: true,
  }),
  named(
    'links, what no version has said, late nodes',
    { isLink: true, amounts: some, isStrange: true, lateBy: 2 },
    14,
  ),
  named(
    'what no version has said, late nodes',
    { payments: 2, amounts: some, isStrange: true, lateBy: 1 },
    10,
  ),
  named('late nodes, responses without an amount', { amounts: all, lateBy: 2, omitsAmounts: true }),
  named('two reversals, nodes that are three changes late, lost payments', {
    amounts: some,
    lateBy: 3,
    reversals: 2,
    loses: 'test',
  }),
  named(
    'links, nodes late by any number of changes, lost payments',
    { isLink: true, amounts: some, lateBy: Infinity, loses: 'live' },
    14,
  ),
  named(
    'links, late nodes, clocks that differ',
    { isLink: true, amounts: some, lateBy: 2, hasSkewedClocks: true },
    14,
  ),
  named('links, more than the price, late nodes', { isLink: true, amounts: all, lateBy: 2 }, 14),
  named('links, late nodes, two reversals', { isLink: true, amounts: some, lateBy: 3, reversals: 2 }, 14),
  named('two requests that crash, late nodes', { amounts: some, requests: 2, lateBy: 2 }),
  named('both accounts can be paid, late nodes', { payments: 2, amounts: all, lateBy: 2 }, 10),
  named('a request that crashes, late nodes', { payments: 2, lateBy: 2, requests: 1 }, 10),
  named(
    'links, a request that crashes, late nodes',
    { payments: 2, isLink: true, lateBy: 2, requests: 1 },
    10,
  ),
  named('links, late nodes', { payments: 2, isLink: true, lateBy: 2 }, 10),
  named(
    'two prices, late nodes, lost payments',
    { payments: 2, amounts: some, hasTwoPrices: true, lateBy: 3, loses: 'test' },
    10,
  ),
  named('two prices, a request that crashes', { payments: 2, hasTwoPrices: true, requests: 1 }, 10),
  named('late nodes, clocks that differ', { payments: 2, lateBy: 1, hasSkewedClocks: true }, 10),
  named('two prices, a request that crashes', { payments: 3, hasTwoPrices: true, requests: 1 }, 7),
  named('two prices, late nodes', { payments: 3, amounts: some, hasTwoPrices: true, lateBy: 2 }, 7),
  named(
    'a request that crashes, late nodes, clocks that differ, lost payments',
    { amounts: some, lateBy: 1, hasSkewedClocks: true, loses: 'test', requests: 1 },
    14,
  ),
];
