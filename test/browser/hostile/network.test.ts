import { describe } from 'vitest';
import { it } from '../browser-test.ts';
import { allCases, runCase } from './network-cases.ts';

/** A slice of the cases: each step and each fault at least once. */
const slice = allCases.filter((_, index) => index % 19 === 0);

describe.concurrent('a shopper gets to "received", with one account,', () => {
  it.for(slice)('where $step $fault', async (given, { newShopper, onTestFinished }) =>
    runCase(await newShopper(), given, onTestFinished),
  );
});
