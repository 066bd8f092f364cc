import { expect, it, onTestFinished, vi } from 'vitest';
import type { State } from '../../src/core/index.ts';
import { show, shown } from './show.ts';

const file = vi.hoisted(() => ({ isThere: false }));
vi.mock('../../src/views/more.ts', async (importOriginal) => {
  if (!file.isThere) throw new Error('The file did not come.');
  return importOriginal();
});

it.each<[State, RegExp]>([
  [shown('awaitingTransfer'), /Transfer NGN 12,500.00.*9012345678/],
  [shown('partlyPaid', { chargedAmount: 5 }), /Transfer the missing NGN 12,499.95.*9012345678/],
  [shown('confirming'), /Your transfer has arrived/],
  [shown('succeeded', { outcome: 'paid' }), /Payment received/],
  [
    shown('expired', { outcome: 'expired' }),
    /This account number has expired.*Do not send money to this account/,
  ],
  [{ name: 'unavailable', code: 'network_error' }, /We can’t show an account number right now/],
  [shown('checking'), /Still trying/],
  [shown('failed', { outcome: 'failed' }), /Still trying/],
])(
  'a screen whose later part cannot be loaded says what there is to say, and that it tries: %#',
  async (state, line) => {
    const { seen, dataState } = await show(state);
    expect(seen()).toMatch(line);
    expect(seen()).toContain('Still trying…');
    expect(dataState()).toBe(state.name);
  },
);

it('a shopper without an account can try again, though the later part cannot be loaded', async () => {
  const { click, restart } = await show({ name: 'unavailable', code: 'network_error' });
  await click(/Try again/);
  expect(restart).toHaveBeenCalledOnce();
});

it('the later part is asked for again, ever more seldom', async () => {
  const { timers, later } = await show(shown('awaitingTransfer'));
  for (const ms of [3000, 6000]) {
    expect(timers.size).toBe(1);
    await later(ms);
  }
  expect(timers.size).toBe(1);
});

it('a copy that is refused says what to do, and leaves the number selected', async () => {
  vi.stubGlobal('navigator', {});
  onTestFinished(() => void vi.unstubAllGlobals());
  const { root, screen, settle } = await show(shown('awaitingTransfer'));
  const select = vi.spyOn(Selection.prototype, 'selectAllChildren');
  onTestFinished(() => select.mockRestore());
  screen.getAllByRole('button', { name: 'Copy' })[0]?.click();
  await settle();
  screen.getByRole('button', { name: 'Press and hold to copy' });
  expect(select).toHaveBeenCalledWith(root.querySelector('[data-field="accountNumber"]'));
});
