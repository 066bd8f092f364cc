import { expect, it } from 'vitest';
import { createAbortGroup } from '../../../server-kit/async/abort-group.ts';
import { createTestClock } from '../kit/test-clock.ts';

const reason = new Error('The shop closes.');

it('aborts the work that runs or starts later, and not what has ended', async () => {
  const { wait, pending } = createTestClock();
  const group = createAbortGroup();
  let ended: AbortSignal | undefined;
  expect(
    await group.run(async (signal) => {
      ended = signal;
      return 7;
    }),
  ).toBe(7);
  const works = Array.from({ length: 3 }, () => group.run((signal) => wait(1000, signal)));
  expect(pending()).toBe(3);
  group.abort(reason);
  works.push(group.run((signal) => wait(1000, signal)));
  expect(await Promise.allSettled(works)).toEqual(Array(4).fill({ status: 'rejected', reason }));
  expect([ended?.aborted, pending()]).toEqual([false, 0]);
});

it('passes on the failure of work, also where it throws at once', async () => {
  const group = createAbortGroup();
  const fail = (): never => {
    throw reason;
  };
  await expect(group.run(fail)).rejects.toBe(reason);
});
