import { describe, expect, it } from 'vitest';
import { show, shown } from '../show.ts';

describe('a removed checkout', () => {
  it('leaves no content, style sheet or timer', async () => {
    const { root, remove, settle, timers } = await show(shown('awaitingTransfer'));
    expect(root.adoptedStyleSheets.length).toBeGreaterThan(0);
    remove();
    expect([root.innerHTML, root.adoptedStyleSheets.length]).toEqual(['', 0]);
    await settle();
    expect(timers.size).toBe(0);
  });

  it('asks nothing any more', async () => {
    const { leave, remove, pendingLeave } = await show(shown('awaitingTransfer'));
    leave(() => {});
    expect(pendingLeave.value).toBeDefined();
    remove();
    expect(pendingLeave.value).toBeUndefined();
  });
});
