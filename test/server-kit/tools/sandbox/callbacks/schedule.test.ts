import { expect, it } from 'vitest';
import { createSchedule } from '../../../../../server-kit/tools/sandbox/callbacks/schedule.ts';
import { seededRandom } from '../sandbox-kit.ts';

it('returns due keys, earliest first, and in order of insertion for equal times', () => {
  const schedule = createSchedule();
  for (const [key, atMs] of [
    ['c', 30],
    ['a', 10],
    ['b', 20],
    ['a2', 10],
  ] as const)
    schedule.set(key, atMs);
  expect(schedule.nextMs()).toBe(10);
  expect(schedule.takeDue(9)).toEqual([]);
  expect(schedule.takeDue(20)).toEqual(['a', 'a2', 'b']);
  expect(schedule.nextMs()).toBe(30);
  expect(schedule.takeDue(30)).toEqual(['c']);
  expect(schedule.nextMs()).toBe(Number.POSITIVE_INFINITY);
});

it('uses the last time that was set for a key', () => {
  const schedule = createSchedule();
  schedule.set('a', 10);
  schedule.set('a', 30);
  schedule.set('b', 20);
  schedule.set('b', Number.POSITIVE_INFINITY);
  expect(schedule.nextMs()).toBe(30);
  expect(schedule.takeDue(20)).toEqual([]);
  schedule.set('a', 5);
  expect(schedule.takeDue(100)).toEqual(['a']);
});

it('gives the same result as a scan of all keys', () => {
  const schedule = createSchedule();
  const moments = new Map<string, number>();
  const random = seededRandom();
  for (let step = 0; step < 5_000; step++) {
    const key = String(Math.floor(random() * 50));
    const atMs = random() < 0.1 ? Number.POSITIVE_INFINITY : step + Math.floor(random() * 1_000);
    schedule.set(key, atMs);
    moments.set(key, atMs);
    if (random() < 0.9) continue;
    const due = [...moments].filter((entry) => entry[1] <= step).map(([name]) => name);
    for (const name of due) moments.delete(name);
    expect([...schedule.takeDue(step)].sort()).toEqual(due.sort());
    expect(schedule.nextMs()).toBe(Math.min(...moments.values()));
  }
});
