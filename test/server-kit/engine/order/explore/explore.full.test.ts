import { expect, it } from 'vitest';
import { search } from './search.ts';
import { setups } from './setups.ts';

it.each(setups)('the functions that decide an order break no invariant: $name', ({ setup, depth }) => {
  expect(search({ setup, depth, states: 12_000 }).finding).toBeNull();
});
