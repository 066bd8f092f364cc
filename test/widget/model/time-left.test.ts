import { signal } from '@preact/signals';
import { renderHook } from '@testing-library/preact';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { State } from '../../../src/core/state.ts';
import type { CheckoutModel } from '../../../src/widget/model/checkout-model.ts';
import { roundTimeLeft, useTimeLeft } from '../../../src/widget/model/time-left.ts';
import { createFakeEnvironment } from '../../core/fake-environment.ts';
import { viewOf } from '../../core/views.ts';
import { settle } from '../../settle.ts';
import { shown } from './states.ts';

const minute = 60_000;
const expiresAtMs = Date.parse(viewOf().expiresAt);

/** Counts down from this time left. */
function count(ms: number) {
  const world = createFakeEnvironment();
  const { now } = world.environment;
  const stateWith = (leftMs: number): State => ({
    ...shown('awaitingTransfer'),
    serviceOffsetMs: expiresAtMs - leftMs - now(),
  });
  const state = signal(stateWith(ms));
  const refresh = vi.fn();
  const model = { state, clock: world.environment, refresh } as Partial<CheckoutModel> as CheckoutModel;
  const { result, unmount } = renderHook(() => useTimeLeft(model));
  const ticks: (number | undefined)[] = [];
  onTestFinished(result.current.remainingMs.subscribe((left) => void ticks.push(left)));
  onTestFinished(unmount);
  const correct = (leftMs: number): void => {
    state.value = stateWith(leftMs);
  };
  return { world, ticks, refresh, correct, unmount };
}

describe('the countdown', () => {
  it('counts on the monotonic clock, and never reads the phone’s date', async () => {
    const phone = vi.spyOn(Date, 'now').mockImplementation(() => {
      throw new Error('The phone’s date was read.');
    });
    const { world, ticks } = count(30 * minute);
    await world.advance(2000);
    expect(ticks).toEqual([30 * minute, 30 * minute - 1000, 30 * minute - 2000]);
    expect(phone).not.toHaveBeenCalled();
    phone.mockRestore();
  });

  it('can be corrected in either direction', () => {
    const { ticks, correct } = count(minute);
    correct(40_000);
    correct(55_000);
    expect(ticks).toEqual([minute, 40_000, 55_000]);
  });

  it('ticks at full seconds, whatever the start', async () => {
    const { world, ticks } = count(2300);
    await world.advance(1500);
    expect(ticks).toEqual([2300, 2000, 1000]);
  });

  it('checks the payment once at zero, and again at the next zero after a correction', async () => {
    const { world, ticks, refresh, correct } = count(2000);
    await world.advance(10_000);
    correct(-9000);
    expect([ticks.at(-1), refresh.mock.calls.length, world.timers()]).toEqual([0, 1, 0]);
    correct(1000);
    await world.advance(1000);
    expect(refresh).toHaveBeenCalledTimes(2);
  });

  it('leaves no timer when the checkout is removed', async () => {
    const { world, unmount } = count(minute);
    expect(world.timers()).toBe(1);
    unmount();
    await settle();
    expect(world.timers()).toBe(0);
  });
});

it('the announced time left changes every three minutes, in the last five every minute, in the last two every thirty seconds', () => {
  const steps: number[] = [];
  for (let left = 15 * minute; left > 0; left -= 1000) {
    const step = roundTimeLeft(left) / minute;
    if (step !== steps.at(-1)) steps.push(step);
  }
  expect(steps).toEqual([15, 12, 9, 6, 5, 4, 3, 2, 1.5, 1, 0.5]);
});
