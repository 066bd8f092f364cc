import { expect, it, vi } from 'vitest';
import type { State } from '../../src/core/index.ts';
import { show, shown } from './show.ts';

vi.mock('../../src/views/more.ts', () => {
  throw new Error('The file did not come.');
});

it.each<[State, RegExp]>([
  [shown('awaitingTransfer'), /Transfer NGN 12,500.00/],
  [shown('awaitingTransfer', {}, 'lost'), /This page can no longer see your payment/],
  [shown('confirming'), /Your transfer has arrived/],
  [shown('succeeded', { outcome: 'paid' }), /Payment received/],
  [
    shown('expired', { outcome: 'expired' }),
    /This account number has expired.*Do not send money to this account/,
  ],
  [shown('failed', { outcome: 'failed' }), /The payment did not go through/],
  [{ name: 'unavailable', code: 'network_error' }, /We can’t show an account number right now/],
])('a screen whose later part cannot be loaded still says what there is to say: %#', async (state, line) => {
  const { seen, dataState } = await show(state);
  expect(seen()).toMatch(line);
  expect(dataState()).toBe(state.name);
});

it('a shopper without an account can try again, though the later part cannot be loaded', async () => {
  const { click, restart } = await show({ name: 'unavailable', code: 'network_error' });
  await click(/Try again/);
  expect(restart).toHaveBeenCalledOnce();
});
