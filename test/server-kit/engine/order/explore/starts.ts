import { createCanonical } from './canonical.ts';
import { stepsOf } from './steps.ts';
import { createWorld, type Setup, type World } from './world.ts';

/** How a payment ends, so that another can be opened. */
const endings = {
  expired: (name: string, { isLink }: Setup) => [
    `${name}: its expiry passes`,
    ...(isLink ? [] : [`${name} at the service: expired 0`]),
  ],
  failed: (name: string, { isLink }: Setup) => [
    ...(isLink ? [`${name} at the service: its page is opened`] : []),
    `${name} at the service: failed 0`,
  ],
  replaced: () => ['the cart costs'],
} as const;

/**
 * Returns where searches start: an order without payments, and every order with some payments that have ended, each in one of the ways,
 * and an open one.
 */
export function startsOf(setup: Setup): World[] {
  const ways = setup.hasTwoPrices ? (['expired', 'replaced'] as const) : (['expired', 'failed'] as const);
  const starts = [createWorld()];
  let last = [follow(createWorld(), setup, openingOf(1))];
  starts.push(...last);
  for (let count = 1; count < setup.payments; count++) {
    last = last.flatMap((world) =>
      ways.map((way) =>
        follow(world, setup, [...endings[way](`payment ${count}`, setup), ...openingOf(count + 1)]),
      ),
    );
    starts.push(...last);
  }
  return starts;
}

/** The steps of a request that opens a payment: the verification of the ones before it, if there are any, is in between. */
const openingOf = (count: number): string[] => [
  'a request begins',
  ...(count === 1 ? [] : ['request 1 verifies']),
  'request 1: open',
  `opening of payment ${count}: the service creates it`,
  `opening of payment ${count}: its account is recorded`,
];

/** Takes the first step with each of these labels, or with one that begins like it. */
const follow = (start: World, setup: Setup, labels: readonly string[]): World =>
  labels.reduce((world, label) => {
    const step = stepsOf(world, { ...setup, requests: 1 }).find((one) => one.label.startsWith(label));
    if (step === undefined) throw new Error(`There is no step: ${label}`);
    return createCanonical()(step.world).world;
  }, start);
