import { expect, it } from 'vitest';
import { search } from './search.ts';
import { setups } from './setups.ts';
import { startsOf } from './starts.ts';

it.each(setups.map((named) => [`${named.setup.payments} payments, ${named.name}`, named] as const))(
  'the functions that decide an order break no invariant: %s',
  (_name, { setup, depth }) => {
    expect(search({ setup, starts: startsOf(setup), depth, states: 25_000 }).finding).toBeNull();
  },
);
