import { describe, expect, it } from 'vitest';
import { stateOfPayment } from '../../../src/core/state.ts';
import { viewOf } from '../../core/views.ts';
import { show, shown } from '../show.ts';

describe('the screen with the account', () => {
  it('shows bank, number, name, amount and time left', async () => {
    const { field } = await show(shown('awaitingTransfer'));
    const names = ['bankName', 'accountNumber', 'accountName', 'amount', 'countdown'];
    expect(names.map(field)).toEqual(['Sandbox Bank', '9012345678', 'Kola Bookshop', '₦12,500.00', '15:00']);
  });

  it('hides rows without a value', async () => {
    const account = { number: '9012345678', name: '', bankName: 'Sandbox Bank' };
    const { screen, root } = await show(shown('awaitingTransfer', { account }));
    expect(screen.queryByText('Account name')).toBeNull();
    expect(root.querySelectorAll('dt').length).toBe(3);
  });

  it('has the account number read digit by digit', async () => {
    const { root } = await show(shown('awaitingTransfer'));
    const shownNumber = root.querySelector('[data-field="accountNumber"]');
    expect(shownNumber?.getAttribute('aria-hidden')).toBe('true');
    expect(shownNumber?.previousElementSibling?.textContent).toBe('9 0 1 2 3 4 5 6 7 8');
  });

  it('shows what has arrived, what is missing, and the time left, for the same account', async () => {
    const { field, screen, seen } = await show(shown('partlyPaid', { chargedAmount: 500_000 }));
    expect(field('accountNumber')).toBe('9012345678');
    expect([field('missing'), field('amount')]).toEqual(['₦7,500.00', undefined]);
    expect(seen()).toContain('₦5,000.00 of ₦12,500.00 has arrived.');
    expect(field('countdown')).toBe('15:00');
    const copying = ['Copy account number', 'Copy amount left to pay', 'Copy all'];
    for (const name of copying) screen.getByRole('button', { name });
    expect(screen.getAllByRole('button', { name: /Copy/ }).length).toBe(copying.length);
  });

  it('names the time by which to pay, unless the phone’s clock differs by more than a minute', async () => {
    const { field, setDateAhead, setTimeLeft } = await show(shown('awaitingTransfer'));
    for (const ahead of [0, 60_000, -60_000]) {
      await setDateAhead(ahead);
      expect(field('payBy')).toMatch(/^Pay by \d\d:30/);
    }
    for (const ahead of [60_001, -60_001]) {
      await setDateAhead(ahead);
      expect([field('payBy'), field('countdown')]).toEqual([undefined, '15:00']);
    }
    await setTimeLeft(undefined);
    expect(field('payBy')).toMatch(/^Pay by/);
  });

  it.each([
    ['awaitingTransfer', 0],
    ['partlyPaid', 500_000],
  ] as const)('looks and reads differently in the last five minutes: %s', async (name, chargedAmount) => {
    const { root, seen, announced, setTimeLeft } = await show(shown(name, { chargedAmount }));
    // After a part has arrived, the order keeps its account.
    const lead = chargedAmount
      ? ''
      : 'No rush: if the time runs out, you can get a new number. Late money is not lost.';
    const before = seen();
    await setTimeLeft(300_001);
    expect(root.querySelector('.time.short')).toBeNull();
    expect(before).not.toContain('No rush');
    await setTimeLeft(300_000);
    expect(root.querySelector('.time.short')).not.toBeNull();
    expect(seen()).toContain(lead);
    expect(announced().at(-1)).toBe(`Up to 5 minutes left to pay. ${lead}`.trim());
    await setTimeLeft(240_000);
    expect(announced().at(-1)).toBe('Up to 4 minutes left to pay.');
  });

  it('shows the share of the time that is left, also after a reload', async () => {
    const { root, setTimeLeft } = await show(shown('awaitingTransfer'));
    const bar = root.querySelector<HTMLElement>('.bar i');
    expect(bar?.style.transform).toBe('scaleX(0.5)');
    await setTimeLeft(450_000);
    expect(bar?.style.transform).toBe('scaleX(0.25)');
  });

  it.each([
    { connection: 'ok', isOffline: false, line: 'Looking…', spokenLine: '' },
    { connection: 'retrying', isOffline: false, line: 'Connection lost. Retrying…' },
    { connection: 'failing', isOffline: false, line: 'We can’t check right now' },
    { connection: 'ok', isOffline: true, line: 'You are offline' },
  ] as const)(
    'warns against sending money when the time is up: $line',
    async ({ line, spokenLine = line, ...is }) => {
      const { root, screen, seen, spoken, announced, field, setTimeLeft } = await show({
        ...shown('awaitingTransfer'),
        ...is,
      });
      const buttons = () => screen.queryAllByRole('button', { name: /Copy|QR/ }).length;
      expect(buttons()).toBe(4);
      expect(seen()).not.toContain('Do not send');
      expect(seen()).toContain('Open your bank app');
      await setTimeLeft(0);
      expect(screen.getByRole('heading').textContent).toBe('Time is up. We are checking for your transfer');
      expect(seen().split('Do not send money to this account.')).toHaveLength(2);
      expect(root.querySelector('.top p')?.textContent).toBe('Do not send money to this account.');
      expect(seen()).not.toContain('stay here');
      expect(field('accountNumber')).toBe('9012345678');
      expect(buttons()).toBe(0);
      expect(spoken()).toBe(
        'Time is up. We are checking for your transfer. Do not send money to this account.',
      );
      expect(seen()).toContain(line);
      expect(announced().join()).toContain(spokenLine);
      screen.getByRole('button', { name: 'I have sent the money' });
    },
  );

  it.each([
    { connection: 'retrying', line: 'Connection lost. Retrying…' },
    { connection: 'failing', line: 'We can’t check right now' },
  ] as const)(
    'offers an account that cannot be checked for payment, until the time is up: $line',
    async ({ connection, line }) => {
      const { root, announced, field, seen, setTimeLeft } = await show(
        shown('awaitingTransfer', {}, connection),
      );
      const status = root.querySelector('[part="status"]');
      expect([...(status?.children ?? [])].map(({ textContent }) => textContent)).toEqual([
        line,
        'You can still pay into this account.',
      ]);
      expect(announced().join()).toMatch(RegExp(`${line}\\.? You can still pay into this account\\.`));
      expect(field('accountNumber')).toBe('9012345678');
      await setTimeLeft(0);
      expect(seen()).not.toContain('You can still pay');
    },
  );

  it('says that its connection is lost, keeps account and reference, and offers to check again', async () => {
    const { seen, field, press, refresh } = await show(shown('awaitingTransfer', {}, 'lost'));
    expect(seen()).toContain('This page can no longer see your payment');
    expect(seen()).toContain('the shop will confirm it. Keep your reference');
    expect([field('accountNumber'), field('reference')]).toEqual(['9012345678', 'order-1001-1']);
    await press(/Check again/);
    expect(refresh).toHaveBeenCalledOnce();
  });

  it('hides the account while the server refuses the secret', async () => {
    const { seen, field } = await show(stateOfPayment(viewOf(), 'refused'));
    expect(seen()).toContain('Please don’t send money now.');
    expect(seen()).toContain('We can’t check right now');
    expect([field('accountNumber'), field('reference')]).toEqual([undefined, 'order-1001-1']);
  });
});

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
