import { expect, it } from 'vitest';
import { plantedFaults } from './planted.ts';
import { search } from './search.ts';
import { plainSetup, setups } from './setups.ts';
import { realFunctions, type Setup } from './world.ts';

/** The rest is searched by `npm run prove -- explore` and the full tests. */
const states = 2200;

/** From an open payment on, enough to confirm it and verify it: awaiting, charged, succeeded, verified. */
const leastSteps = 4;

it.each(setups)(
  'the order’s functions break no invariant in the first states of: $name',
  ({ setup, depth }) => {
    const result = search({ setup, depth, states });
    expect(result.finding).toBeNull();
    expect(result.depth).toBeGreaterThanOrEqual(leastSteps);
  },
);

it.each(plantedFaults)('the search for faults finds what breaks a rule: %s', (text, functions, change) => {
  const setup: Setup = { ...plainSetup, ...change, functions: { ...realFunctions, ...functions } };
  const { finding } = search({ setup, depth: 20, states: 100_000 });
  expect(finding?.broken.rule).toBe(text.split(':')[0]);
});
