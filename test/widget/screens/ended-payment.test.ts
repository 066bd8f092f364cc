import { expect, it } from 'vitest';
import { show, shown } from '../show.ts';

it.each([
  shown('expired', { outcome: 'expired' }),
  shown('expired', { outcome: 'expired', chargedAmount: 500_000 }),
  shown('expired', { outcome: 'replaced' }),
])(
  'the details of an ended payment are struck through, can be compared, and cannot be copied: %#',
  async (state) => {
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
  },
);
