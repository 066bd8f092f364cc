import { describe, expect, it, vi } from 'vitest';
import { show, shown } from '../show.ts';

describe('the details of an ended payment', () => {
  it.each([
    shown('expired', { outcome: 'expired' }),
    shown('expired', { outcome: 'expired', chargedAmount: 500_000 }),
    shown('expired', { outcome: 'replaced' }),
  ])('are struck through, can be compared, and cannot be copied: %#', async (state) => {
    const { root, screen, field } = await show(state);
    const struck = [...root.querySelectorAll('dl del')].map(({ textContent }) => textContent);
    expect(struck.map((one) => one?.replace(/\s/g, ' '))).toEqual([
      '9012345678',
      'Sandbox Bank',
      'Kola Bookshop',
      '₦12,500.00',
    ]);
    expect(field('amount')).toBe('₦12,500.00');
    expect(root.querySelector('dl button')).toBeNull();
    const spoken = root.querySelector('.accountNumber dd')?.firstElementChild;
    expect([spoken?.className, spoken?.textContent]).toEqual([
      'spoken',
      'Do not send money to this account.',
    ]);
    screen.getByText('9 0 1 2 3 4 5 6 7 8');
  });

  it.each([
    ['failed', { outcome: 'failed' }, 'openedAt', /^(1 Mar|Mar 1)/],
    ['failed', { outcome: 'amountMismatch', chargedAmount: 5 }, 'openedAt', /^(1 Mar|Mar 1)/],
    ['reversed', { outcome: 'reversed', paidAt: '2026-03-02T12:00:00Z' }, 'paidAt', /^(2 Mar|Mar 2)/],
  ] as const)(
    'contain amount and date where money may come back: %s %j',
    async (name, changes, key, date) => {
      const { root, field } = await show(shown(name, changes));
      expect([field('amount'), field('missing')]).toEqual(['₦12,500.00', undefined]);
      expect(field(key)).toMatch(date);
      expect([...root.querySelectorAll('dl del')].at(-1)?.textContent).toBe('Kola Bookshop');
    },
  );
});

describe('the receipt', () => {
  it('has amount, date and reference', async () => {
    const paid = { outcome: 'paid', chargedAmount: 1_300_000, paidAt: '2026-03-01T12:00:00Z' } as const;
    for (const name of ['succeeded', 'receivedLate'] as const) {
      vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['en', 'en-NG']);
      const { field, seen } = await show(shown(name, paid));
      expect([field('received'), field('reference')]).toEqual(['₦13,000.00', 'order-1001-1']);
      expect(field('paidAt')).toMatch(/1 Mar 2026/);
      expect(seen()).toContain('That is ₦500.00 more than your order total.');
    }
  });
});
