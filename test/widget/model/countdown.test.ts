import { describe, expect, it, vi } from 'vitest';
import { createCountdown } from '../../../src/widget/model/countdown.ts';
import { createFakeEnvironment } from '../../core/fake-environment.ts';

const minute = 60_000;

function setUp() {
  const world = createFakeEnvironment();
  const ticks: number[] = [];
  const onZero = vi.fn();
  const countdown = createCountdown(world.environment, (remainingMs) => ticks.push(remainingMs), onZero);
  return { world, ticks, onZero, countdown };
}

describe('the countdown', () => {
  it('counts on the monotonic clock, and never reads the phone’s date', async () => {
    const phone = vi.spyOn(Date, 'now').mockImplementation(() => {
      throw new Error('The phone’s date was read.');
    });
    const { world, ticks, countdown } = setUp();
    countdown.setEnd(world.environment.now() + 30 * minute);
    await world.advance(2000);
    expect(ticks).toEqual([30 * minute, 30 * minute - 1000, 30 * minute - 2000]);
    expect(phone).not.toHaveBeenCalled();
    phone.mockRestore();
  });

  it('can be corrected in either direction', () => {
    const { world, ticks, countdown } = setUp();
    const end = world.environment.now() + minute;
    countdown.setEnd(end);
    countdown.setEnd(end - 20_000);
    countdown.setEnd(end - 5000);
    expect(ticks).toEqual([minute, 40_000, 55_000]);
  });

  it('ticks at full seconds, whatever the start', async () => {
    const { world, ticks, countdown } = setUp();
    countdown.setEnd(world.environment.now() + 2300);
    await world.advance(1500);
    expect(ticks).toEqual([2300, 2000, 1000]);
  });

  it('calls `onZero` once at zero, and stops', async () => {
    const { world, ticks, onZero, countdown } = setUp();
    countdown.setEnd(world.environment.now() + 2000);
    await world.advance(10_000);
    countdown.setEnd(world.environment.now() - 9000);
    expect(ticks.at(-1)).toBe(0);
    expect(onZero).toHaveBeenCalledOnce();
    expect(world.timers()).toBe(0);
  });

  it('calls `onZero` again at the next zero after a correction', async () => {
    const { world, onZero, countdown } = setUp();
    countdown.setEnd(world.environment.now());
    countdown.setEnd(world.environment.now() + 1000);
    await world.advance(1000);
    expect(onZero).toHaveBeenCalledTimes(2);
  });

  it('leaves no timer when it is stopped', () => {
    const { world, countdown } = setUp();
    countdown.setEnd(world.environment.now() + minute);
    countdown.stop();
    expect(world.timers()).toBe(0);
  });
});
