import { describe, expect, it } from 'vitest';
import { RefusedError } from '../../../demo/panel/sandbox-calls.ts';
import { createWatched } from '../../../demo/panel/watched.ts';

describe('a list that is looked at again and again', () => {
  it('passes over an answer to what was asked before an action', async () => {
    let actions = 0;
    let answer = (_: string): void => {};
    const list = createWatched(
      () =>
        new Promise<string>((resolve) => {
          answer = resolve;
        }),
      () => actions,
    );
    const first = list.look();
    answer('first');
    await first;
    const second = list.look();
    actions++;
    answer('old');
    await second;
    expect(list.value.value).toBe('first');
  });

  it('keeps what it had, with the sandbox’s reason, when it is refused', async () => {
    let refuses = false;
    const list = createWatched(
      async () => {
        if (refuses) throw new RefusedError('Not today.');
        return 'a list';
      },
      () => 0,
    );
    await list.look();
    refuses = true;
    await list.look();
    expect([list.value.value, list.problem.value]).toEqual(['a list', 'Not today.']);
    refuses = false;
    await list.look();
    expect(list.problem.value).toBeUndefined();
  });

  it('leaves it to others to say that nobody answers', async () => {
    const list = createWatched(
      () => Promise.reject(new TypeError('fetch failed')),
      () => 0,
    );
    await expect(list.look()).rejects.toThrow('fetch failed');
  });
});
