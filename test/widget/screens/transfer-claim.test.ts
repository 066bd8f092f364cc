import { describe, expect, it } from 'vitest';
import { show, shown } from '../show.ts';

describe('the claim to have sent the money', () => {
  it.each([
    [shown('awaitingTransfer'), /^I have sent the money$/],
    [shown('partlyPaid', { chargedAmount: 5 }), /^I have sent the rest$/],
    [shown('expired', { outcome: 'expired', chargedAmount: 5 }), /^I have sent the rest$/],
  ])('can be made on the screens that wait for money: %#', async (state, name) => {
    const { press, claimTransfer } = await show(state);
    await press(name);
    expect(claimTransfer).toHaveBeenCalledOnce();
  });

  it('can be checked at once, on every screen that checks for money', async () => {
    for (const state of [shown('checking'), shown('expired', { outcome: 'expired', chargedAmount: 5 })]) {
      const { press, refresh } = await show(state);
      await press(/^Check again$/);
      expect(refresh).toHaveBeenCalledOnce();
    }
  });

  it('shows the number less prominently, and can be withdrawn', async () => {
    const { root, field, seen, press, withdrawClaim } = await show(shown('checking'));
    expect([field('accountNumber'), field('countdown')]).toEqual(['9012345678', undefined]);
    expect(root.querySelector('.past [data-field="accountNumber"]')).not.toBeNull();
    expect(seen()).toContain('Please don’t send it again.');
    await press(/I have not sent it yet/);
    expect(withdrawClaim).toHaveBeenCalledOnce();
  });

  it('is not offered, and no account is shown, while the status is unclear', async () => {
    const { screen, field, seen } = await show(shown('checking', { outcome: 'unclear' }));
    expect(field('accountNumber')).toBeUndefined();
    expect(screen.queryByRole('button', { name: /sent/ })).toBeNull();
    expect(seen()).toContain('Please don’t send money now.');
  });
});
