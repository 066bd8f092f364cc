import fc from 'fast-check';
import { expect } from 'vitest';
import { createCanonical } from '../server-kit/engine/order/explore/canonical.ts';
import { findBroken } from '../server-kit/engine/order/explore/invariants.ts';
import { setups } from '../server-kit/engine/order/explore/setups.ts';
import { startsOf } from '../server-kit/engine/order/explore/starts.ts';
import { stepsOf } from '../server-kit/engine/order/explore/steps.ts';
import type { World } from '../server-kit/engine/order/explore/world.ts';
import { fuzz } from './fuzz.ts';

const maxSteps = 30;
const all = setups.map(({ setup }) => ({ setup, starts: startsOf(setup) }));

/** A long walk through the histories of which `npm run prove -- explore` searches all the short ones. */
fuzz(
  'an order keeps its invariants, among them that it is paid once, whatever happens in whatever order',
  fc.tuple(fc.constantFrom(...all), fc.nat(), fc.array(fc.nat(), { maxLength: maxSteps, size: 'max' })),
  ([{ setup, starts }, start, choices]) => {
    const canonicalOf = createCanonical();
    let world = starts[start % starts.length] as World;
    const history: string[] = [];
    for (const choice of choices) {
      const steps = stepsOf(world, setup);
      const step = steps[choice % steps.length];
      if (step === undefined) break;
      history.push(step.label);
      world = canonicalOf(step.world).world;
      expect(findBroken(world, setup), history.join('\n')).toBe(null);
    }
  },
  { share: 0.3 },
);
