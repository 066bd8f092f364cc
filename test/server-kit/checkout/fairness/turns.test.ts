import { describe, expect, it } from 'vitest';
import { createTurns } from '../../../../server-kit/checkout/fairness/turns.ts';
import { nextTurn } from '../../kit/test-clock.ts';

const most = 8;

const limitOf = (signal: AbortSignal) => () => ({ signal, end: () => {} });

/** Work that lasts until the test ends it. */
function createDesk() {
  const turns = createTurns(most);
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const never = new AbortController().signal;
  const come = (client: string, signal = never): Promise<void> =>
    turns.take(client, limitOf(signal), () => {
      started.push(client);
      return new Promise((resolve) => ends.push(resolve));
    });
  const endOne = async (): Promise<void> => {
    ends.shift()?.();
    await nextTurn();
  };
  return { turns, started, come, endOne, never };
}

describe('turns', () => {
  it('start no more than their number at once, and each of the others when one ends', async () => {
    const { started, come, endOne } = createDesk();
    for (let index = 0; index < 20; index++) come('carrier');
    for (let ended = 0; ended <= 12; ended++) {
      expect(started).toHaveLength(most + ended);
      await endOne();
    }
  });

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

  it('are left by those who give up, and passed on by work that fails', async () => {
    const { turns, started, come, endOne, never } = createDesk();
    for (let index = 1; index < most; index++) come('carrier');
    const failing = turns.take('carrier', limitOf(never), () => Promise.reject(new Error('no account')));
    const gone = new AbortController();
    const left = come('impatient', gone.signal);
    gone.abort(new Error('gone'));
    await expect(left).rejects.toThrow('gone');
    await expect(failing).rejects.toThrow('no account');
    come('shopper');
    await endOne();
    expect(started.filter((client) => client !== 'carrier')).not.toContain('impatient');
    expect(started).toContain('shopper');
  });
});
