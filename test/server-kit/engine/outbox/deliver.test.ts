import { expect, it } from 'vitest';
import { handlerPauseMs } from '../../../../server-kit/engine/outbox/deliver.ts';

const pauses = (random: number) =>
  Array.from({ length: 100 }, (_, index) => handlerPauseMs(index + 1, random));

it('The pauses between tries begin with a second, and double up to an hour; jitter takes half of them at most', () => {
  expect(pauses(0.5).slice(0, 4)).toEqual([750, 1500, 3000, 6000]);
  expect(pauses(0).slice(10, 14)).toEqual([512_000, 1_024_000, 1_800_000, 1_800_000]);
  expect(Math.max(...pauses(0.999_999), handlerPauseMs(5000, 0.999_999))).toBeLessThanOrEqual(3_600_000);
});
