import { describe, expect, it } from 'vitest';
import { createTurns, sessionsAtOnce } from '../../../../server-kit/checkout/routes/turns.ts';
import { createTestClock, nextTurn } from '../../kit/test-clock.ts';

/** Work that lasts until the test ends it. */
function createDesk() {
  const clock = createTestClock();
  const turns = createTurns(clock.wait, nextTurn);
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
  return { clock, turns, started, come, endOne };
}

/** Lets all places be taken. */
async function fill(come: (client: string) => Promise<void>): Promise<void> {
  for (let index = 0; index < sessionsAtOnce; index++) {
    come('carrier');
    await nextTurn();
  }
}

describe('turns', () => {
  it('start no more than their number at once, and each of the others when one ends', async () => {
    const { started, come, endOne } = createDesk();
    await fill(come);
    for (let index = 0; index < 12; index++) come('carrier');
    for (let ended = 0; ended <= 12; ended++) {
      expect(started).toHaveLength(sessionsAtOnce + ended);
      await endOne();
    }
  });

  it('start four in a row, and more after whatever else is ready', async () => {
    const { started, come } = createDesk();
    for (let index = 0; index < 20; index++) come('carrier');
    const counts = [started.length];
    for (let turn = 0; turn < 5; turn++) {
      await nextTurn();
      counts.push(started.length);
    }
    expect(counts).toEqual([4, 8, 12, 16, 20, 20]);
  });

  it.each([1, 200])('come to a shopper with the second end of %i addresses’ work', async (addresses) => {
    const { started, come, endOne } = createDesk();
    await fill(come);
    const flood = (): void => {
      for (let index = 0; index < addresses; index++) come(`flood-${index}`);
    };
    flood();
    // Each address has had a turn.
    for (let ended = 0; ended < 2 * addresses; ended++) {
      if (ended % addresses === 0) flood();
      await endOne();
    }
    come('shopper');
    for (let ended = 0; ended < 2; ended++) {
      flood();
      await endOne();
    }
    expect(started).toContain('shopper');
  });

  it('are left by those who give up, and passed on by work that fails', async () => {
    const { clock, turns, started, come, endOne } = createDesk();
    const failing = turns.take('carrier', () => Promise.reject(new Error('no account')));
    await expect(failing).rejects.toThrow('no account');
    await fill(come);
    const left = come('impatient');
    clock.advance(5000);
    await expect(left).rejects.toMatchObject({ code: 'service_unavailable', retryAfterSeconds: 3 });
    come('shopper');
    await endOne();
    expect(started.slice(sessionsAtOnce)).toEqual(['shopper']);
  });
});
