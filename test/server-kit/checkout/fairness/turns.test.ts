import { describe, expect, it } from 'vitest';
import { createTurns } from '../../../../server-kit/checkout/fairness/turns.ts';
import { nextTurn } from '../../kit/test-clock.ts';

const most = 8;

const limitOf =
  ({ signal } = new AbortController()) =>
  () => ({ signal, end: () => {} });

/** Work that lasts until the test ends it. */
function createDesk(places = most) {
  const turns = createTurns(places, nextTurn);
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const come = (client: string, gone?: AbortController): Promise<void> =>
    turns.take(client, limitOf(gone), () => {
      started.push(client);
      return new Promise((resolve) => ends.push(resolve));
    });
  const endOne = async (): Promise<void> => {
    ends.shift()?.();
    await nextTurn();
  };
  return { turns, started, come, endOne };
}

describe('turns', () => {
  it('start no more than their number at once, and each of the others when one ends', async () => {
    const { started, come, endOne } = createDesk();
    for (let index = 0; index < 20; index++) come('carrier');
    await nextTurn();
    for (let ended = 0; ended <= 12; ended++) {
      expect(started).toHaveLength(most + ended);
      await endOne();
    }
  });

  it('start four in a row, and more after whatever else is ready', async () => {
    const { started, come } = createDesk(100);
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
    const { turns, started, come, endOne } = createDesk();
    for (let index = 1; index < most; index++) come('carrier');
    const failing = turns.take('carrier', limitOf(), () => Promise.reject(new Error('no account')));
    const gone = new AbortController();
    const left = come('impatient', gone);
    gone.abort(new Error('gone'));
    await expect(left).rejects.toThrow('gone');
    await expect(failing).rejects.toThrow('no account');
    come('shopper');
    await endOne();
    expect(started.filter((client) => client !== 'carrier')).not.toContain('impatient');
    expect(started).toContain('shopper');
  });
});
