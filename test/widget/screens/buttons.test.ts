import { describe, expect, it } from 'vitest';
import type { State } from '../../../src/core/state.ts';
import { show, shown } from '../show.ts';

describe('the buttons of a screen', () => {
  it('ask on an expired account first whether the money is sent, and its screen warns against paying', async () => {
    const { screen, seen, press, restart, claimTransfer } = await show(
      shown('expired', { outcome: 'expired' }),
    );
    expect(seen()).toContain('Do not send money to this account.');
    expect(seen()).toContain('Have you already sent the money?');
    expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
      'Copy',
      'I have sent the money',
      'Get a new account number',
    ]);
    await press(/I have sent the money/);
    expect(claimTransfer).toHaveBeenCalledOnce();
    await press(/Get a new account number/);
    expect(restart).toHaveBeenCalledOnce();
  });

  it('offer no other account while a part of the amount is on an expired one', async () => {
    const { screen, seen } = await show(shown('expired', { outcome: 'expired', chargedAmount: 1_200_000 }));
    expect(seen()).toContain('₦12,000.00 of ₦12,500.00 has arrived');
    expect(screen.queryByRole('button', { name: /new account/ })).toBeNull();
  });

  it('offer another try after the server kept the same payment, and the screen explains why', async () => {
    const expired = shown('expired', { outcome: 'expired' });
    const { seen, spoken, screen, setState } = await show(expired);
    const why = 'There is no new account number yet';
    const offered = () => screen.getAllByRole('button', { name: /new|again/ }).map((one) => one.textContent);
    expect(offered()).toEqual(['Get a new account number']);
    expect(seen()).not.toContain(why);
    await setState({ name: 'loading', failures: 0, previous: expired.payment });
    await setState(expired);
    expect(seen()).toContain(why);
    expect(spoken()).toContain(why);
    expect(offered()).toEqual(['Try again']);
    await setState({ name: 'loading', failures: 0, previous: expired.payment });
    await setState(shown('expired', { outcome: 'expired', reference: 'order-1001-2' }));
    expect(seen()).not.toContain(why);
  });

  it('offer another try after a failed payment quietly, to those who have sent nothing', async () => {
    const { root, seen, press, restart } = await show(shown('failed', { outcome: 'failed' }));
    expect(seen()).toContain('Your order is not paid. If money left your account, the bank traces it');
    expect(root.querySelector('.actions .main')).toBeNull();
    const again = root.querySelector('[data-action="tryAgain"]');
    expect(again?.previousElementSibling?.textContent).toBe('If you have not sent anything:');
    await press(/Try again/);
    expect(restart).toHaveBeenCalledOnce();
  });

  it.each(['failed', 'reversed'] as const)(
    'lead to help first, where only the shop can help: %s',
    async (name) => {
      const { root } = await show(shown(name, { outcome: name }), {
        supportUrl: 'https://shop.example/help',
      });
      const help = [...root.querySelectorAll('[data-action="help"]')];
      expect(help.map((one) => [one.className, one.getAttribute('part')])).toEqual([['main', 'button']]);
      expect(root.querySelector('.actions :is(a, button)')).toBe(help[0]);
    },
  );

  it('open the account to use from a replaced one', async () => {
    const { screen, press, restart } = await show(shown('expired', { outcome: 'replaced' }));
    expect(screen.queryByRole('button', { name: /sent/ })).toBeNull();
    await press(/Show the new number/);
    expect(restart).toHaveBeenCalledOnce();
  });

  it.each<[string, State, boolean]>([
    ['unavailable', { name: 'unavailable', code: 'network_error', failures: 1 }, true],
    ['failed', shown('failed', { outcome: 'failed' }), true],
    ['reversed', shown('reversed', { outcome: 'reversed' }), false],
    ['an amount that does not match', shown('failed', { outcome: 'amountMismatch' }), false],
    ['succeeded', shown('succeeded', { outcome: 'paid' }), false],
  ])('offer another try or not: %s', async (_name, state, offers) => {
    const { screen } = await show(state);
    expect(screen.queryAllByRole('button', { name: 'Try again' }).length).toBe(offers ? 1 : 0);
  });
});
