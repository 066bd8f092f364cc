import { describe, expect, it } from 'vitest';
import type { State } from '../../../src/core/state.ts';
import { fr } from '../../../src/i18n/fr.ts';
import { viewOf } from '../../core/views.ts';
import { show, shown } from '../show.ts';

const states: [string, State, string][] = [
  ['loading', { name: 'loading', failures: 0 }, 'Getting your account number…'],
  ['loading', { name: 'loading', failures: 1 }, 'Still trying…'],
  ['awaitingTransfer', shown('awaitingTransfer'), 'Transfer ₦12,500.00'],
  ['checking', shown('checking'), 'We are looking for your transfer'],
  ['checking', shown('checking', { outcome: 'unclear' }), 'We are checking this payment'],
  ['checking', shown('checking', { outcome: 'unclear', status: 'not_found' }), 'We can’t find this payment'],
  ['partlyPaid', shown('partlyPaid', { chargedAmount: 500_000 }), 'Send ₦7,500.00 more'],
  ['confirming', shown('confirming', { status: 'charged' }), 'Your transfer has arrived'],
  ['succeeded', shown('succeeded', { outcome: 'paid' }), '₦12,500.00 received'],
  ['expired', shown('expired', { outcome: 'expired' }), 'This account number has expired'],
  ['expired', shown('expired', { outcome: 'replaced' }), 'This account number is no longer in use'],
  ['receivedLate', shown('receivedLate', { outcome: 'paid' }), 'Your order is paid'],
  ['failed', shown('failed', { outcome: 'failed' }), 'The payment did not go through'],
  [
    'failed',
    shown('failed', { outcome: 'amountMismatch', chargedAmount: 5 }),
    '₦0.05 arrived instead of ₦12,500.00',
  ],
  ['reversed', shown('reversed', { outcome: 'reversed' }), 'The payment was reversed'],
  [
    'unavailable',
    { name: 'unavailable', code: 'forbidden', failures: 1 },
    'We can’t show an account number right now',
  ],
];

/** An announcement names the currency. */
const asSpoken = (text: string): string => text.replace(/₦([\d,]+\.\d\d)/g, '$1 naira');

describe('every screen', () => {
  it.each(states)(
    'has its state in the card, a heading, an announcement, and a copy button for the reference unless there is an account to pay into: %s',
    async (name, state, title) => {
      const { dataState, host, root, screen, spoken } = await show(state);
      const isPayable = name === 'awaitingTransfer' || name === 'partlyPaid';
      const card = root.querySelector('.card');
      expect([dataState(), card?.getAttribute('part')]).toEqual([name, `card ${name}`]);
      expect(host.getAttributeNames()).toEqual([]);
      expect(screen.getAllByRole('heading').length).toBe(1);
      expect(screen.getByRole('heading').textContent?.replace(/\s/g, ' ')).toContain(title);
      expect(spoken()).toContain(asSpoken(title));
      expect(root.querySelectorAll('[part~="reference"] button').length).toBe(
        'payment' in state && !isPayable ? 1 : 0,
      );
    },
  );

  it('says that the page is offline: below the account, or in the title while there is none', async () => {
    const { seen, screen, setState } = await show({ ...shown('awaitingTransfer'), isOffline: true });
    expect(seen()).toContain('You are offlineThe details stay here.');
    await setState({ name: 'loading', failures: 1, isOffline: true });
    screen.getByRole('heading', { name: 'You are offline' });
    expect(seen()?.match(/You are offline/g)?.length).toBe(1);
  });

  it.each([
    ['shown before', { previous: viewOf() }],
    ['stored', { stored: { reference: 'order-1001-1', isClaimed: false } }],
  ])('shows the reference of a payment that was %s when no account can be shown', async (_, known) => {
    const { field, seen, screen } = await show(
      { name: 'unavailable', code: 'network_error', failures: 1, ...known },
      { supportUrl: 'https://shop.example/help' },
    );
    expect(field('reference')).toBe('order-1001-1');
    expect(seen()).toContain('Please don’t send money yet. There is no account number here.');
    expect(seen()).toContain('If you have sent the money, the shop will confirm it. Keep your reference.');
    expect(screen.getByRole('link', { name: 'Get help' })).toHaveProperty(
      'href',
      'https://shop.example/help?reference=order-1001-1',
    );
  });

  it('offers another account for a test payment that the service does not know, and for no live one', async () => {
    for (const liveMode of [false, true]) {
      for (const reason of ['unclear', 'sent'] as const) {
        const lost = shown('checking', { outcome: 'unclear', status: 'not_found', liveMode });
        const { root, screen, press, restart, seen } = await show({ ...lost, reason } as State);
        expect(seen()).not.toContain('Connection lost');
        const steps = [...root.querySelectorAll('.actions button')].map(({ textContent }) => textContent);
        expect(steps).toEqual(liveMode ? [] : ['Get a new account number']);
        screen.getByRole('button', { name: 'Check again' });
        if (!liveMode) await press(/Get a new account number/);
        expect(restart).toHaveBeenCalledTimes(liveMode ? 0 : 1);
      }
    }
  });

  it.each([0, 2])(
    'explains after eight seconds with %i failures that nobody should pay, and offers a way on',
    async (failures) => {
      const settings = { returnUrl: 'https://shop.example/cart' };
      const { seen, spoken, screen, advance, press, restart } = await show(
        { name: 'loading', failures },
        settings,
      );
      const why = 'We don’t have your account number yet. Please don’t send money until you see it here.';
      await advance(7999);
      expect(seen()).not.toContain(why);
      expect(screen.queryByRole('button')).toBeNull();
      expect(screen.queryByRole('link')).toBeNull();
      await advance(1);
      expect(seen()).toContain(why);
      expect(spoken()).toContain(why);
      expect(screen.getByRole('link', { name: 'Back to the shop' }).getAttribute('href')).toBe(
        settings.returnUrl,
      );
      await press(/Try again/);
      expect(restart).toHaveBeenCalledOnce();
    },
  );

  it('keeps explaining a long load through the next attempts, and no longer with an account', async () => {
    const { seen, state, advance, setState } = await show({ name: 'loading', failures: 0 });
    const why = 'We don’t have your account number yet.';
    await advance(4000);
    state.value = { name: 'loading', failures: 1 };
    await advance(4000);
    expect(seen()).toContain(why);
    await setState({ name: 'loading', failures: 0 });
    expect(seen()).toContain(why);
    await setState(shown('awaitingTransfer'));
    expect(seen()).not.toContain(why);
  });

  it.each([
    { failures: 1, stored: { reference: 'order-1001-1', isClaimed: false } },
    { failures: 1, previous: shown('expired', { outcome: 'expired' }).payment },
  ])('claims nothing about a payment that may be paid, while it cannot be looked up: %o', async (loading) => {
    const { seen, advance } = await show({ name: 'loading', ...loading });
    await advance(8000);
    expect(seen()).toContain('Please don’t send money now.');
    expect(seen()).toContain('If you have sent the money, the shop will confirm it. Keep your reference.');
    expect(seen()).toContain('order-1001-1');
    expect(seen()).not.toContain('We don’t have your account number yet.');
  });

  it('shows no unnamed field or button while the messages load', async () => {
    const { root, localization, field, dataState, settle } = await show(shown('awaitingTransfer'), {
      supportEmail: 'help@shop.example',
    });
    localization.setLanguage('ha', undefined);
    await settle();
    expect([dataState(), root.querySelectorAll('.skeleton').length]).toEqual(['loading', 1]);
    expect(root.querySelectorAll('button, a, dl').length).toBe(0);
    localization.setLanguage('ha', { copy: 'Kwafi' });
    await settle();
    expect([dataState(), field('accountNumber')]).toEqual(['awaitingTransfer', '9012345678']);
    expect(root.querySelector('.accountNumber button')?.textContent).toBe('Kwafi');
  });

  it('has the language and direction of its messages', async () => {
    const { root, localization, field, settle } = await show(shown('awaitingTransfer'));
    localization.setLanguage('fr', fr);
    await settle();
    const card = root.querySelector<HTMLElement>('.card');
    expect([card?.lang, card?.dir]).toEqual(['fr', 'ltr']);
    expect(card?.textContent).toContain('Numéro de compte');
    expect(field('amount')).toBe('12 500,00 ₦');
    localization.setLanguage('ar', {});
    await settle();
    expect([card?.lang, card?.dir]).toEqual(['ar', 'rtl']);
  });
});

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
