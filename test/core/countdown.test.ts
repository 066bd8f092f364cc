import { describe, expect, it, vi } from 'vitest';
import { createCountdown } from '../../src/core/page/countdown.ts';
import { createFakeEnvironment } from './fake-environment.ts';
import { serviceTimeMs } from './views.ts';

const minute = 60_000;

function setUp() {
  const world = createFakeEnvironment();
  const ticks: number[] = [];
  const onZero = vi.fn();
  const countdown = createCountdown(world.environment, (remainingMs) => ticks.push(remainingMs), onZero);
  return { world, ticks, onZero, countdown };
}

describe('the countdown', () => {
  it('counts from the service’s clock, and never asks the phone’s', async () => {
    const phone = vi.spyOn(Date, 'now').mockImplementation(() => {
      throw new Error('The phone was asked for its date.');
    });
    const { world, ticks, countdown } = setUp();
    countdown.correct(serviceTimeMs + 30 * minute, serviceTimeMs);
    await world.advance(2000);
    expect(ticks).toEqual([30 * minute, 30 * minute - 1000, 30 * minute - 2000]);
    expect(phone).not.toHaveBeenCalled();
    phone.mockRestore();
  });

  it('says nothing until the service’s clock is known', async () => {
    const { world, ticks, countdown } = setUp();
    countdown.correct(serviceTimeMs + minute, undefined);
    await world.advance(5000);
    expect(ticks).toEqual([]);
  });

  it('is put right by every answer, in either direction', () => {
    const { ticks, countdown } = setUp();
    countdown.correct(serviceTimeMs + minute, serviceTimeMs);
    countdown.correct(serviceTimeMs + minute, serviceTimeMs + 20_000);
    countdown.correct(serviceTimeMs + minute, serviceTimeMs + 5000);
    expect(ticks).toEqual([minute, 40_000, 55_000]);
  });

  it('ticks when a second is full, also after a beginning in between', async () => {
    const { world, ticks, countdown } = setUp();
    countdown.correct(serviceTimeMs + 2300, serviceTimeMs);
    await world.advance(1500);
    expect(ticks).toEqual([2300, 2000, 1000]);
  });

  it('asks once when it reaches zero, and stands', async () => {
    const { world, ticks, onZero, countdown } = setUp();
    countdown.correct(serviceTimeMs + 2000, serviceTimeMs);
    await world.advance(10_000);
    countdown.correct(serviceTimeMs + 2000, serviceTimeMs + 11_000);
    expect(ticks.at(-1)).toBe(0);
    expect(onZero).toHaveBeenCalledOnce();
    expect(world.timers()).toBe(0);
  });

  it('asks again at the next zero when there was more time after all', async () => {
    const { world, onZero, countdown } = setUp();
    countdown.correct(serviceTimeMs, serviceTimeMs);
    countdown.correct(serviceTimeMs + 1000, serviceTimeMs);
    await world.advance(1000);
    expect(onZero).toHaveBeenCalledTimes(2);
  });

  it('leaves no timer when it is stopped', () => {
    const { world, countdown } = setUp();
    countdown.correct(serviceTimeMs + minute, serviceTimeMs);
    countdown.stop();
    expect(world.timers()).toBe(0);
  });
});
