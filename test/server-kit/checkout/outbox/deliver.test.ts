import { expect, it } from 'vitest';
import { defaultMaxHandlerTries, handlerPauseMs } from '../../../../server-kit/checkout/outbox/deliver.ts';

const pauses = (random: number) =>
  Array.from({ length: defaultMaxHandlerTries - 1 }, (_, index) => handlerPauseMs(index + 1, random));
const daysOf = (random: number) => pauses(random).reduce((sum, pauseMs) => sum + pauseMs) / 86_400_000;

it('A handler that always fails is called for three days with the shortest jitter, and six with the longest', () => {
  expect([Math.floor(daysOf(0)), Math.floor(daysOf(0.999_999))]).toEqual([3, 6]);
});

it('The pauses between tries begin with a second, and double up to an hour; jitter takes half of them at most', () => {
  expect(pauses(0.5).slice(0, 4)).toEqual([750, 1500, 3000, 6000]);
  expect(pauses(0).slice(10, 14)).toEqual([512_000, 1_024_000, 1_800_000, 1_800_000]);
  expect(Math.max(...pauses(0.999_999), handlerPauseMs(5000, 0.999_999))).toBeLessThanOrEqual(3_600_000);
});
