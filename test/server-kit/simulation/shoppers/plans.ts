import type { PaymentKind } from '../../../../server-kit/engine/shell/open-payment.ts';
import type { AcceptedAmountPolicy } from '../../../../server-kit/service/fields.ts';
import type { Random } from '../world/random.ts';
import type { Times } from '../world/world.ts';

/** A transfer that the shopper makes after seeing an account. */
export type TransferPlan = {
  /** The account of the order that triggers the transfer when it is seen, counted from 0. */
  account: number;
  /** The account that gets the money, if it is another: one that the shopper saw before. */
  to?: number;
  part: number;
  afterMs: number;
};

export type OrderPlan = {
  name: string;
  policy?: AcceptedAmountPolicy;
  transfers: readonly TransferPlan[];
  /** A change of the price, after which the shopper visits the shop again. */
  cartChange?: { factor: number; afterMs: number };
  /** When the service fails the first payment, after its account was seen. */
  failsAfterMs?: number;
};

const minuteMs = 60_000;

/** Whether a shopper requests accounts or links, and when a link is opened. */
export type KindPlan = {
  requestedKind: PaymentKind | 'either';
  /** The times at which a link is opened, after it was issued; empty for never. */
  opensAfterMs: readonly number[];
};

export function chooseKind(random: Random, { linkSeconds }: Times): KindPlan {
  const soonMs = random.between(1000, 30_000);
  const lateMs = linkSeconds * 1000 * random.between(0.3, 1.3);
  const openings = [[], [soonMs], [soonMs], [lateMs], [soonMs, lateMs], [lateMs, lateMs + soonMs]];
  return {
    requestedKind: random.pick(['account', 'account', 'account', 'link', 'either']),
    opensAfterMs: random.pick(openings),
  };
}

/** Pays an account in full, between these times after it was seen. */
const payIn = (random: Random, account: number, least: number, most: number): TransferPlan => ({
  account,
  part: 1,
  afterMs: random.between(least, most),
});

const makers: readonly ((random: Random, times: Times) => OrderPlan)[] = [
  () => ({ name: 'pays nothing', transfers: [] }),
  ...Array.from({ length: 4 }, () => (random: Random) => ({
    name: 'pays in time',
    transfers: [payIn(random, 0, 3000, 60_000)],
  })),
  (random, { lateWatchSeconds }) => ({
    name: 'pays late',
    transfers: [{ account: 0, part: 1, afterMs: lateMs(random, lateWatchSeconds) }],
  }),
  (random) => ({
    name: 'pays less, then the rest',
    policy: 'ACCEPTED_AMOUNT_POLICY_ALLOW_PARTIAL',
    transfers: [
      { ...payIn(random, 0, 3000, 60_000), part: 0.5 },
      { ...payIn(random, 0, 3000, 40 * minuteMs), part: 0.5 },
    ],
  }),
  (random) => ({
    name: 'pays less, and never the rest',
    policy: random.pick(['ACCEPTED_AMOUNT_POLICY_ALLOW_PARTIAL', 'ACCEPTED_AMOUNT_POLICY_ALLOW_ANY']),
    transfers: [
      { account: 0, part: random.pick([0.25, 0.5, 0.75]), afterMs: random.between(3000, 5 * minuteMs) },
    ],
  }),
  (random) => ({
    name: 'pays more',
    policy: 'ACCEPTED_AMOUNT_POLICY_ALLOW_EXCESS',
    transfers: [{ ...payIn(random, 0, 3000, 5 * minuteMs), part: 1.5 }],
  }),
  (random) => ({
    name: 'pays twice into one account',
    policy: random.pick(['ACCEPTED_AMOUNT_POLICY_FIXED', 'ACCEPTED_AMOUNT_POLICY_ALLOW_EXCESS']),
    transfers: [payIn(random, 0, 3000, 60_000), payIn(random, 0, 3000, 10 * minuteMs)],
  }),
  (random) => ({
    name: 'pays into two accounts',
    transfers: [payIn(random, 0, 5 * minuteMs, 30 * minuteMs), payIn(random, 1, 3000, 30 * minuteMs)],
  }),
  ...Array.from({ length: 2 }, () => (random: Random) => ({
    name: 'pays into the old account after seeing the next',
    transfers: [{ ...payIn(random, 1, 2000, 30_000), to: 0 }],
  })),
  (random) => ({
    name: 'changes the cart, and pays into an account from before or after the change',
    cartChange: { factor: random.pick([0.5, 2]), afterMs: random.between(5000, 3 * minuteMs) },
    transfers: [payIn(random, 0, 3000, 10 * minuteMs), payIn(random, 1, 10_000, 10 * minuteMs)].filter(() =>
      random.chance(0.7),
    ),
  }),
  (random) => ({
    name: 'pays while the service fails the payment',
    failsAfterMs: random.between(3000, 3 * minuteMs),
    transfers: [0, 1].map((account) => payIn(random, account, 3000, 5 * minuteMs)),
  }),
];

/** Usually within the watch. Some money arrives later, and only a callback reports it. */
const lateMs = (random: Random, lateWatchSeconds: number): number =>
  random.between(4 * minuteMs, lateWatchSeconds * (random.chance(0.2) ? 1100 : 950));

export const choosePlan = (random: Random, times: Times): OrderPlan => random.pick(makers)(random, times);
