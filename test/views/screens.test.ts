import { describe, expect, it } from 'vitest';
import type { State } from '../../src/core/index.ts';
import { viewOf } from '../core/views.ts';
import { show, shown } from './show.ts';

const states: [string, State, string][] = [
  ['loading', { name: 'loading', failures: 0 }, 'Getting your account number…'],
  ['loading', { name: 'loading', failures: 1 }, 'Still trying…'],
  ['awaitingTransfer', shown('awaitingTransfer'), 'Transfer NGN 12,500.00'],
  ['confirming', shown('confirming', { status: 'charged' }), 'Your transfer has arrived'],
  ['succeeded', shown('succeeded', { outcome: 'paid' }), 'Payment received'],
  ['expired', shown('expired', { outcome: 'expired' }), 'This account number has expired'],
  ['expired', shown('expired', { outcome: 'replaced' }), 'This account number is no longer in use'],
  ['failed', shown('failed', { outcome: 'failed' }), 'The payment did not go through'],
  ['failed', shown('failed', { outcome: 'reversed' }), 'The payment was reversed'],
  ['unavailable', { name: 'unavailable', code: 'forbidden' }, 'We can’t show an account number right now'],
];

describe('every screen', () => {
  it.each(states)(
    '%s: carries its state, a heading and its words to screen readers',
    async (name, state, title) => {
      const { dataState, screen, spoken } = await show(state);
      expect(dataState()).toBe(name);
      expect(screen.getAllByRole('heading').length).toBe(1);
      expect(screen.getByRole('heading').textContent?.replace(/\s/g, ' ')).toContain(title);
      expect(spoken()).toContain(title);
    },
  );

  it.each(states)('%s: shows the reference when there is a payment', async (_name, state) => {
    const { field } = await show(state);
    expect(field('reference')).toBe('payment' in state ? 'order-1001-1' : undefined);
  });

  it('shows the reference of the payment before, when no new one can be made', async () => {
    const { field, seen } = await show({ name: 'unavailable', code: 'network_error', previous: viewOf() });
    expect(field('reference')).toBe('order-1001-1');
    expect(seen()).toContain('If you have sent the money, the shop will confirm it');
  });

  it.each([true, false])(
    'shows the test mode exactly when the payment is not live (%s)',
    async (liveMode) => {
      for (const name of ['awaitingTransfer', 'succeeded', 'expired'] as const) {
        const { screen } = await show(shown(name, { liveMode }));
        expect(screen.queryAllByText('Test mode').length).toBe(liveMode ? 0 : 1);
      }
    },
  );

  it('shows the words of the merchant', async () => {
    const { screen } = await show(shown('succeeded'), { text: { succeededTitle: 'E don land' } });
    screen.getByRole('heading', { name: 'E don land' });
  });
});

describe('the screen with the account', () => {
  it('shows bank, number, name, amount and time left', async () => {
    const { field } = await show(shown('awaitingTransfer'));
    const names = ['bankName', 'accountNumber', 'accountName', 'amount', 'countdown'];
    expect(names.map(field)).toEqual([
      'Sandbox Bank',
      '9012 345 678',
      'Kola Bookshop',
      'NGN 12,500.00',
      '15:00',
    ]);
  });

  it('shows names as text, whatever they hold', async () => {
    const evil = '<img src=x onerror="alert(1)"><script>alert(2)</script>';
    const account = { number: evil, name: evil, bankName: evil };
    const { root, field } = await show(shown('awaitingTransfer', { account, reference: evil }));
    for (const name of ['bankName', 'accountNumber', 'accountName', 'reference'])
      expect(field(name)).toBe(evil);
    expect(root.querySelector('img, script')).toBeNull();
  });

  it('says what has arrived and what is missing', async () => {
    const { field, screen, seen } = await show(shown('awaitingTransfer', { chargedAmount: 500_000 }));
    expect(field('missing')).toBe('NGN 7,500.00');
    expect(field('amount')).toBe('NGN 12,500.00');
    expect(seen()).toContain('NGN 5,000.00 of NGN 12,500.00 has arrived.');
    expect(screen.getAllByRole('button', { name: /Copy/ }).length).toBe(2);
  });

  it('leaves the time empty while the service’s clock is not known', async () => {
    const { field, remainingMs, settle } = await show(shown('awaitingTransfer'));
    remainingMs.value = undefined;
    await settle();
    expect(field('countdown')).toBe('');
  });

  it('shows how much of the whole time is left, also after a reload', async () => {
    const { root, remainingMs, settle } = await show(shown('awaitingTransfer'));
    const bar = root.querySelector<HTMLElement>('.bar i');
    expect(bar?.style.transform).toBe('scaleX(0.5)');
    remainingMs.value = 450_000;
    await settle();
    expect(bar?.style.transform).toBe('scaleX(0.25)');
  });

  it('checks, and does not call it expired, when the time is up', async () => {
    const { screen, remainingMs, settle, dataState } = await show(shown('awaitingTransfer'));
    remainingMs.value = 0;
    await settle();
    screen.getByText(/Time is up. Checking/);
    expect(dataState()).toBe('awaitingTransfer');
  });

  it('does not speak as the time runs', async () => {
    const { spoken, remainingMs, settle } = await show(shown('awaitingTransfer'));
    const before = spoken();
    remainingMs.value = 899_000;
    await settle();
    expect(spoken()).toBe(before);
  });

  it('says that it is trying again, and keeps the account', async () => {
    const { screen, field } = await show(shown('awaitingTransfer', {}, 'retrying'));
    screen.getByText('Connection lost. Retrying…');
    expect(field('accountNumber')).toBe('9012 345 678');
  });

  it('says that it can no longer look, keeps account and reference, and offers to check again', async () => {
    const { screen, field, click, refresh } = await show(shown('awaitingTransfer', {}, 'lost'));
    screen.getByText('This page can no longer see your payment');
    screen.getByText(/the shop will confirm it. Keep your reference/);
    expect([field('accountNumber'), field('reference')]).toEqual(['9012 345 678', 'order-1001-1']);
    await click(/Check again/);
    expect(refresh).toHaveBeenCalledOnce();
  });
});

describe('the way on', () => {
  it('from an expired account is a new one, and its old number is not to be paid', async () => {
    const { screen, click, restart, field } = await show(shown('expired', { outcome: 'expired' }));
    screen.getByText('Do not send money to this account.');
    expect(field('accountNumber')).toBeUndefined();
    await click(/Get a new account number/);
    expect(restart).toHaveBeenCalledOnce();
  });

  it('keeps the focus in the checkout when the button goes', async () => {
    const { click, root } = await show(shown('expired', { outcome: 'expired' }));
    await click(/Get a new account number/);
    expect(root.activeElement?.className).toBe('card');
  });

  it.each<[string, State, boolean]>([
    ['unavailable', { name: 'unavailable', code: 'network_error' }, true],
    ['failed', shown('failed', { outcome: 'failed' }), true],
    ['reversed', shown('failed', { outcome: 'reversed' }), false],
    ['an amount that does not match', shown('failed', { outcome: 'amountMismatch' }), false],
    ['succeeded', shown('succeeded', { outcome: 'paid' }), false],
  ])('from %s offers to try again: %#', async (_name, state, offers) => {
    const { screen } = await show(state);
    expect(screen.queryAllByRole('button', { name: 'Try again' }).length).toBe(offers ? 1 : 0);
  });

  it.each(['succeeded', 'expired', 'failed'] as const)('from %s leads back to the shop', async (name) => {
    const { screen } = await show(shown(name), { returnUrl: 'https://shop.example/orders' });
    expect(screen.getByRole('link', { name: 'Back to the shop' }).getAttribute('href')).toBe(
      'https://shop.example/orders',
    );
  });

  it.each(['awaitingTransfer', 'confirming'] as const)('does not lead away from %s', async (name) => {
    const { screen } = await show(shown(name), { returnUrl: 'https://shop.example/orders' });
    expect(screen.queryByRole('link')).toBeNull();
  });
});

describe('a checkout that is taken away', () => {
  it('leaves an empty root', async () => {
    const { root, takeAway } = await show(shown('awaitingTransfer'));
    takeAway();
    expect(root.innerHTML).toBe('');
  });

  it('draws no more', async () => {
    const { takeAway, state, settle, root } = await show(shown('awaitingTransfer'));
    const card = root.querySelector('.card');
    takeAway();
    state.value = shown('succeeded');
    await settle();
    expect(card?.getAttribute('data-state')).toBe('awaitingTransfer');
    expect(root.innerHTML).toBe('');
  });
});

describe('a checkout that is taken away', () => {
  it('leaves nothing in its root, no style sheet either', async () => {
    const { root, takeAway } = await show(shown('awaitingTransfer'));
    expect(root.adoptedStyleSheets.length).toBeGreaterThan(0);
    takeAway();
    expect(root.childNodes.length).toBe(0);
    expect(root.adoptedStyleSheets.length).toBe(0);
  });
});
