import { describe } from 'vitest';
import { it } from '../browser-test.ts';
import { allCases, runCase } from './network-cases.ts';

/** Every fault at every step takes many minutes: `ALL_FAULTS=1 npm run test:full network`. */
describe.skipIf(!process.env.ALL_FAULTS).concurrent('a shopper on a bad network', () => {
  it.for(allCases)(
    'gets to "received", with one account, where $step $fault',
    async (given, { newShopper, onTestFinished }) => runCase(await newShopper(), given, onTestFinished),
  );
});
