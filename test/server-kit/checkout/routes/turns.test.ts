import { describe, expect, it } from 'vitest';
import { createTurns, sessionsAtOnce } from '../../../../server-kit/checkout/routes/turns.ts';
import { createTestClock, nextTurn } from '../../kit/test-clock.ts';

/** Work that lasts until the test ends it. */
function createDesk() {
  const clock = createTestClock();
  const turns = createTurns(clock.wait);
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const come = (client: string): Promise<void> =>
    turns.take(client, () => {
      started.push(client);
      return new Promise((resolve) => ends.push(resolve));
    });
  const endOne = async (): Promise<void> => {
    ends.shift()?.();
    await nextTurn();
  };
  for (let index = 1; index < sessionsAtOnce; index++) come('carrier');
  return { turns, clock, started, come, endOne };
}

describe('turns', () => {
  it.each([1, 200])(
    'come to a shopper within two rounds of %i addresses that take all they get',
    async (addresses) => {
      const { started, come, endOne } = createDesk();
      const flood = (): void => {
        for (let index = 0; index < addresses; index++) come(`flood-${index}`);
      };
      for (let times = 0; times < 10; times++) flood();
      come('shopper');
      let ended = 0;
      for (; !started.includes('shopper'); ended++) {
        if (ended % addresses === 0) flood();
        await endOne();
      }
      expect(ended).toBeLessThanOrEqual(2 * (addresses + 1));
    },
  );

  it('are left by those who wait for five seconds, and passed on by work that fails', async () => {
    const { turns, clock, started, come } = createDesk();
    let fail = (_: Error): void => {};
    const failing = turns.take('carrier', () => new Promise((_, reject) => (fail = reject)));
    const left = come('impatient');
    clock.advance(4999);
    come('shopper');
    clock.advance(1);
    await expect(left).rejects.toThrow('try again');
    fail(new Error('no account'));
    await expect(failing).rejects.toThrow('no account');
    expect(started.filter((client) => client !== 'carrier')).toEqual(['shopper']);
  });
});
