import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { show, shown } from '../show.ts';

describe('an order with money on several payments', () => {
  const paidElsewhere = {
    outcome: 'paid',
    status: 'succeeded',
    chargedAmount: 1_250_000,
    paymentReference: 'order-1001-0',
  } as const;
  const help = { supportUrl: 'https://shop.example/help', supportEmail: 'help@shop.example' };

  const waiting = shown('awaitingTransfer', { paymentReference: 'order-1001-0' });
  const paid = shown('succeeded', paidElsewhere);
  const failed = shown('failed', { ...paidElsewhere, outcome: 'failed' });

  it.each([paid, waiting])(
    'shows the reference of the payment that counts, everywhere: $name',
    async (state) => {
      const { field, root } = await show(state, help);
      expect(field('reference')).toBe('order-1001-0');
      const link = root.querySelector<HTMLAnchorElement>('[data-action="help"]');
      expect(new URL(`${link?.href}`).searchParams.get('reference')).toBe('order-1001-0');
      expect(root.innerHTML).not.toContain('order-1001-1');
    },
  );

  it.each([
    ['[data-action="copyAll"]', waiting, /Account number: 9012345678\n[\s\S]*\nReference: order-1001-0$/],
    ['[data-action="share"]', paid, /\nReference: order-1001-0$/],
    ['[part~="reference"] button', paid, /^order-1001-0$/],
    ['[part~="reference"] button', failed, /^order-1001-0$/],
  ])('copies or shares the reference of the payment that counts with %s', async (selector, state, copied) => {
    const writeText = vi.fn(() => Promise.resolve());
    vi.stubGlobal('navigator', { clipboard: { writeText } });
    onTestFinished(() => void vi.unstubAllGlobals());
    const { root, settle } = await show(state);
    root.querySelector<HTMLElement>(selector)?.click();
    await settle();
    expect(writeText.mock.calls).toEqual([[expect.stringMatching(copied)]]);
    expect(`${writeText.mock.calls}`).not.toContain('order-1001-1');
  });

  it('is announced in sentences when its money becomes known', async () => {
    const { spoken, advance, setState } = await show(shown('succeeded', paidElsewhere));
    await advance(10_000);
    expect(spoken()).toBeUndefined();
    await setState(shown('succeeded', { ...paidElsewhere, orderChargedAmount: 2_500_000 }));
    expect(spoken()).toBe(
      '12,500.00 naira received. We received 25,000.00 naira in total. Your order total is 12,500.00 naira. The shop refunds the extra, usually within a few working days. If nothing has happened by then, contact the shop and give them this reference.',
    );
  });

  it('moves the focus to the title, and is announced, when it is paid through another account', async () => {
    const { root, screen, spoken, field, setState } = await show(shown('awaitingTransfer'));
    root.querySelector<HTMLElement>('[data-action="sent"]')?.focus();
    await setState(
      shown('receivedLate', {
        ...paidElsewhere,
        receivedLate: true,
        account: { number: '9011111111', name: 'Kola Bookshop', bankName: 'Other Bank' },
      }),
    );
    expect(root.activeElement).toBe(screen.getByRole('heading', { name: 'Your order is paid' }));
    expect(spoken()).toContain('Your money arrived after the time ran out.');
    expect([field('accountNumber'), field('reference')]).toEqual(['9011111111', 'order-1001-0']);
  });
});
