import { describe } from 'vitest';
import { it } from '../browser-test.ts';
import { allCases, runCase } from './network-cases.ts';

describe.concurrent('a shopper gets to "received", with one account,', () => {
  it.for(allCases)('where $step $fault', async (given, { newShopper, onTestFinished }) =>
    runCase(await newShopper(), given, onTestFinished),
  );
});
