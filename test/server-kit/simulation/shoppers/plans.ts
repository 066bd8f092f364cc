import type { AcceptedAmountPolicy } from '../../../../server-kit/api/payment.ts';
import type { PaymentKind } from '../../../../server-kit/sessions/open-payment.ts';
import type { Random } from '../world/random.ts';
import type { Times } from '../world/settings.ts';

/** What money a shopper sends to an account, and when, after having seen it. */
export type TransferPlan = {
  /** To the how manieth account that the order has had, from 0; the last one there is, where there are fewer. */
  account: number;
  /** Where the money goes, if not to the account that was just seen: to one that was seen before. */
  to?: number;
  /** The part of what the account waits for. */
  part: number;
  afterMs: number;
};

export type OrderPlan = {
  name: string;
  policy?: AcceptedAmountPolicy;
  transfers: readonly TransferPlan[];
  /** How much the price changes, once, and when: the shopper comes back after it. */
  cartChange?: { factor: number; afterMs: number };
  /** The service gives the payment up at this moment. */
  failsAfterMs?: number;
};

const minuteMs = 60_000;

/** How a shopper asks for a payment, and what becomes of a link. */
export type KindPlan = {
  asksFor: PaymentKind | 'either';
  /** When the page of a link is opened, after it was given out: never, at once, late, or more than once. */
  opensAfterMs: readonly number[];
};

export function chooseKind(random: Random, { linkSeconds }: Times): KindPlan {
  const soonMs = random.between(1000, 30_000);
  const lateMs = linkSeconds * 1000 * random.between(0.3, 1.3);
  return {
    asksFor: random.pick(['account', 'account', 'account', 'link', 'either']),
    opensAfterMs: random.pick([
      [],
      [soonMs],
      [soonMs],
      [lateMs],
      [soonMs, lateMs],
      [lateMs, lateMs + soonMs],
    ]),
  };
}

/** All that shoppers do with their money. The order of the list decides nothing. */
const makers: readonly ((random: Random, times: Times) => OrderPlan)[] = [
  () => ({ name: 'pays nothing', transfers: [] }),
  ...Array.from({ length: 4 }, () => (random: Random) => ({
    name: 'pays in time',
    transfers: [{ account: 0, part: 1, afterMs: random.between(3000, 60_000) }],
  })),
  (random, { lateWatchSeconds }) => ({
    name: 'pays late',
    transfers: [{ account: 0, part: 1, afterMs: lateMs(random, lateWatchSeconds) }],
  }),
  (random) => ({
    name: 'pays less, then the rest',
    policy: 'ACCEPTED_AMOUNT_POLICY_ALLOW_PARTIAL',
    transfers: [
      { account: 0, part: 0.5, afterMs: random.between(3000, 60_000) },
      { account: 0, part: 0.5, afterMs: random.between(3000, 40 * minuteMs) },
    ],
  }),
  (random) => ({
    name: 'pays less, and that is it',
    policy: random.pick(['ACCEPTED_AMOUNT_POLICY_ALLOW_PARTIAL', 'ACCEPTED_AMOUNT_POLICY_ALLOW_ANY']),
    transfers: [
      { account: 0, part: random.pick([0.25, 0.5, 0.75]), afterMs: random.between(3000, 5 * minuteMs) },
    ],
  }),
  (random) => ({
    name: 'pays more',
    policy: 'ACCEPTED_AMOUNT_POLICY_ALLOW_EXCESS',
    transfers: [{ account: 0, part: 1.5, afterMs: random.between(3000, 5 * minuteMs) }],
  }),
  (random) => ({
    name: 'pays twice into one account',
    policy: random.pick(['ACCEPTED_AMOUNT_POLICY_FIXED', 'ACCEPTED_AMOUNT_POLICY_ALLOW_EXCESS']),
    transfers: [
      { account: 0, part: 1, afterMs: random.between(3000, 60_000) },
      { account: 0, part: 1, afterMs: random.between(3000, 10 * minuteMs) },
    ],
  }),
  (random) => ({
    name: 'pays into two accounts',
    transfers: [
      { account: 0, part: 1, afterMs: random.between(5 * minuteMs, 30 * minuteMs) },
      { account: 1, part: 1, afterMs: random.between(3000, 30 * minuteMs) },
    ],
  }),
  ...Array.from({ length: 2 }, () => (random: Random) => ({
    name: 'pays into the old account after having seen the next',
    transfers: [{ account: 1, to: 0, part: 1, afterMs: random.between(2000, 30_000) }],
  })),
  (random) => ({
    name: 'changes the cart, and pays into an account of before or after it',
    cartChange: { factor: random.pick([0.5, 2]), afterMs: random.between(5000, 3 * minuteMs) },
    transfers: [
      { account: 0, part: 1, afterMs: random.between(3000, 10 * minuteMs) },
      { account: 1, part: 1, afterMs: random.between(10_000, 10 * minuteMs) },
    ].filter(() => random.chance(0.7)),
  }),
  (random) => ({
    name: 'pays, while the service gives the payment up',
    failsAfterMs: random.between(3000, 3 * minuteMs),
    transfers: [0, 1].map((account) => ({ account, part: 1, afterMs: random.between(3000, 5 * minuteMs) })),
  }),
];

/** Mostly within the watch; some money comes later still, and only a callback tells of it. */
const lateMs = (random: Random, lateWatchSeconds: number): number =>
  random.between(4 * minuteMs, lateWatchSeconds * (random.chance(0.2) ? 1100 : 950));

export const choosePlan = (random: Random, times: Times): OrderPlan => random.pick(makers)(random, times);
