import { expect, it } from 'vitest';
import { attentionTo } from '../../demo/examples/medusa/src/lib/attention.ts';

it.each([
  ['succeeded', 1000, undefined],
  ['succeeded', 900, 'too little came'],
  ['succeeded', 1100, 'too much came'],
  ['succeeded', null, undefined],
  ['charged', 900, undefined],
  ['expired', 0, undefined],
  ['failed', 0, undefined],
  ['failed', 900, 'it failed with money on it'],
  ['reversed', 0, 'the money was taken back'],
] as const)('a transfer that is %s with %j of 1000: %j', (status, chargedAmount, reason) => {
  expect(attentionTo({ status, chargedAmount, expectedAmount: 1000 })).toBe(reason);
});
