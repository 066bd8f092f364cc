import { describe, expect, it } from 'vitest';
import { RefusedError } from '../../../../../../../server-kit/tools/sandbox/pages/client/sandbox-calls.ts';
import { createPolled } from '../../../../../../../server-kit/tools/sandbox/pages/panel/model/polled.ts';

describe('a polled list', () => {
  it('ignores a response that was requested before an action', async () => {
    let actions = 0;
    let respond = (_: string): void => {};
    const list = createPolled(
      () =>
        new Promise<string>((resolve) => {
          respond = resolve;
        }),
      () => actions,
    );
    const first = list.refresh();
    respond('first');
    await first;
    const second = list.refresh();
    actions++;
    respond('old');
    await second;
    expect(list.latest.value).toBe('first');
  });

  it('keeps its data, with the sandbox’s reason, when it is refused', async () => {
    let refuses = false;
    const list = createPolled(
      async () => {
        if (refuses) throw new RefusedError('Not today.');
        return 'a list';
      },
      () => 0,
    );
    await list.refresh();
    refuses = true;
    await list.refresh();
    expect([list.latest.value, list.problem.value]).toEqual(['a list', 'Not today.']);
    refuses = false;
    await list.refresh();
    expect(list.problem.value).toBeUndefined();
  });

  it('rejects if there is no response', async () => {
    const list = createPolled(
      () => Promise.reject(new TypeError('fetch failed')),
      () => 0,
    );
    await expect(list.refresh()).rejects.toThrow('fetch failed');
  });
});
