import { within } from '@testing-library/preact';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type State, stateOfPayment } from '../../src/core/machine/state.ts';
import { fr } from '../../src/i18n/fr.ts';
import { viewOf } from '../core/views.ts';
import { everyState } from './model/states.ts';
import { show, shown } from './show.ts';

const states: [string, State, string][] = [
  ['loading', { name: 'loading', failures: 0 }, 'Getting your account number…'],
  ['loading', { name: 'loading', failures: 1 }, 'Still trying…'],
  ['awaitingTransfer', shown('awaitingTransfer'), 'Transfer ₦12,500.00'],
  ['checking', shown('checking'), 'We are looking for your transfer'],
  ['checking', shown('checking', { outcome: 'unclear' }), 'We are checking this payment'],
  ['checking', shown('checking', { outcome: 'unclear', status: 'not_found' }), 'We can’t find this payment'],
  ['partlyPaid', shown('partlyPaid', { chargedAmount: 500_000 }), 'Send ₦7,500.00 more'],
  ['confirming', shown('confirming', { status: 'charged' }), 'Your transfer has arrived'],
  ['succeeded', shown('succeeded', { outcome: 'paid' }), 'Payment received'],
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
const asSpoken = (text: string): string => text.replace(/₦([\d,]+\.\d\d)/g, '$1 Nigerian nairas');

describe('every screen', () => {
  it.each(states)(
    '%s: has its state as an attribute and a part of the card, a heading and an announcement',
    async (name, state, title) => {
      const { dataState, host, root, screen, spoken } = await show(state);
      const card = root.querySelector('.card');
      expect([dataState(), card?.getAttribute('part')]).toEqual([name, `card ${name}`]);
      expect(host.getAttributeNames()).toEqual([]);
      expect(screen.getAllByRole('heading').length).toBe(1);
      expect(screen.getByRole('heading').textContent?.replace(/\s/g, ' ')).toContain(title);
      expect(spoken()).toContain(asSpoken(title));
    },
  );

  it.each(states)('%s: shows the reference of its payment', async (_name, state) => {
    const { field } = await show(state);
    expect(field('reference')).toBe('payment' in state ? 'order-1001-1' : undefined);
  });

  it('has an icon of its own, except the screen with the account; a paid order always has the tick', async () => {
    const iconOf = async (name: Parameters<typeof shown>[0]): Promise<string> => {
      const { root } = await show(shown(name));
      return root.querySelector('svg.icon path')?.getAttribute('d') ?? '';
    };
    const names = ['checking', 'succeeded', 'expired', 'failed', 'reversed'] as const;
    const icons = new Set<string>();
    for (const name of names) icons.add(await iconOf(name));
    expect(icons.size).toBe(names.length);
    expect(await iconOf('receivedLate')).toBe(await iconOf('succeeded'));
  });

  it.each(states)(
    '%s: has a copy button for the reference unless there is an account to pay into',
    async (name, state) => {
      const { root } = await show(state);
      const isPayable = name === 'awaitingTransfer' || name === 'partlyPaid';
      expect(root.querySelectorAll('.foot button').length).toBe('payment' in state && !isPayable ? 1 : 0);
    },
  );

  it.each([
    ['shown before', { previous: viewOf() }],
    ['stored', { stored: { reference: 'order-1001-1', isClaimed: false } }],
  ])('shows the reference of a payment that was %s when no account can be shown', async (_, known) => {
    const { field, seen, screen } = await show(
      { name: 'unavailable', code: 'network_error', failures: 1, ...known },
      { supportUrl: 'https://shop.example/help' },
    );
    expect(field('reference')).toBe('order-1001-1');
    expect(seen()).toContain('Please don’t send money now.');
    expect(seen()).toContain('If you have sent the money, the shop will confirm it. Keep your reference.');
    expect(screen.getByRole('link', { name: 'Get help' })).toHaveProperty(
      'href',
      'https://shop.example/help?reference=order-1001-1',
    );
  });

  it.each([true, false])('shows the test mode only when the payment is not live (%s)', async (liveMode) => {
    for (const name of ['awaitingTransfer', 'succeeded', 'expired'] as const) {
      const { screen } = await show(shown(name, { liveMode }));
      expect(screen.queryAllByText('Test mode').length).toBe(liveMode ? 0 : 1);
    }
  });

  it('offers another account for a test payment that the service does not know, and for no live one', async () => {
    for (const liveMode of [false, true]) {
      for (const reason of ['unclear', 'sent'] as const) {
        const lost = shown('checking', { outcome: 'unclear', status: 'not_found', liveMode });
        const { root, screen, click, restart, seen } = await show({ ...lost, reason } as State);
        expect(seen()).not.toContain('Connection lost');
        const steps = [...root.querySelectorAll('.actions button')].map(({ textContent }) => textContent);
        expect([liveMode, steps]).toEqual([liveMode, liveMode ? [] : ['Get a new account number']]);
        screen.getByRole('button', { name: 'Check again' });
        if (!liveMode) await click(/Get a new account number/);
        expect(restart).toHaveBeenCalledTimes(liveMode ? 0 : 1);
      }
    }
  });

  it('shows the merchant’s custom texts', async () => {
    const { screen } = await show(shown('succeeded'), { text: { succeededTitle: 'E don land' } });
    screen.getByRole('heading', { name: 'E don land' });
  });

  it('says that the device is offline, and when it was last updated', async () => {
    for (const state of everyState) {
      const { seen, announced, later } = await show({ ...state, isOffline: true, checkedAtMs: 0 });
      expect(announced()).toContain('You are offline');
      await later(40_000);
      expect(seen()).toContain('You are offline');
      expect(seen()).toContain('Last checked 40 seconds ago.');
    }
  });

  it.each([0, 2])(
    'explains after eight seconds with %i failures that nobody pays, and offers a way on',
    async (failures) => {
      const settings = { returnUrl: 'https://shop.example/cart' };
      const { seen, spoken, screen, later, click, restart } = await show(
        { name: 'loading', failures },
        settings,
      );
      const why = 'We don’t have your account number yet. Please don’t send money until you see it here.';
      await later(7999);
      expect([seen()?.includes(why), screen.queryAllByRole('button'), screen.queryByRole('link')]).toEqual([
        false,
        [],
        null,
      ]);
      await later(1);
      expect([seen(), spoken()]).toEqual([expect.stringContaining(why), expect.stringContaining(why)]);
      expect(screen.getByRole('link', { name: 'Back to the shop' }).getAttribute('href')).toBe(
        settings.returnUrl,
      );
      await click(/Try again/);
      expect(restart).toHaveBeenCalledOnce();
    },
  );

  it('keeps explaining a long load through the next attempts, and no longer with an account', async () => {
    const { seen, state, later, settle } = await show({ name: 'loading', failures: 0 });
    const why = 'We don’t have your account number yet.';
    await later(4000);
    state.value = { name: 'loading', failures: 1 };
    await later(4000);
    expect(seen()).toContain(why);
    state.value = { name: 'loading', failures: 0 };
    await settle();
    expect(seen()).toContain(why);
    state.value = shown('awaitingTransfer');
    await settle();
    expect(seen()).not.toContain(why);
  });

  it.each([
    { failures: 1, stored: { reference: 'order-1001-1', isClaimed: false } },
    { failures: 1, previous: shown('expired', { outcome: 'expired' }).payment },
  ])('claims nothing about a payment that may be paid, while it cannot be looked up: %o', async (loading) => {
    const { seen, later } = await show({ name: 'loading', ...loading });
    await later(8000);
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
    expect([dataState(), root.querySelectorAll('.skeleton i').length]).toEqual(['loading', 3]);
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

describe('an order with money on several payments', () => {
  const paidElsewhere = {
    outcome: 'paid',
    status: 'succeeded',
    chargedAmount: 1_250_000,
    paymentReference: 'order-1001-0',
  } as const;
  const help = { supportUrl: 'https://shop.example/help', supportEmail: 'help@shop.example' };

  it.each([
    shown('succeeded', paidElsewhere),
    shown('awaitingTransfer', { paymentReference: 'order-1001-0' }),
  ])('shows the reference of the payment that counts, everywhere: $name', async (state) => {
    const { field, root } = await show(state, help);
    expect(field('reference')).toBe('order-1001-0');
    const link = root.querySelector<HTMLAnchorElement>('[data-action="help"]');
    expect(new URL(`${link?.href}`).searchParams.get('reference')).toBe('order-1001-0');
    expect(root.innerHTML).not.toContain('order-1001-1');
  });

  it.each(['[data-action="copyAll"]', '.foot button', '[data-action="share"]'])(
    'copies or shares it with %s',
    async (selector) => {
      const writeText = vi.fn(() => Promise.resolve());
      vi.stubGlobal('navigator', { clipboard: { writeText } });
      onTestFinished(() => void vi.unstubAllGlobals());
      const isPayable = selector.includes('copyAll');
      const { root, settle } = await show(
        isPayable
          ? shown('awaitingTransfer', { paymentReference: 'order-1001-0' })
          : shown('succeeded', paidElsewhere),
      );
      root.querySelector<HTMLElement>(selector)?.click();
      await settle();
      const copied = `${writeText.mock.calls[0]}`;
      expect([copied.includes('order-1001-0'), copied.includes('order-1001-1')]).toEqual([true, false]);
    },
  );

  it('shows the total on the receipt, beside the amount on this account', async () => {
    const { field, seen } = await show(
      shown('succeeded', { ...paidElsewhere, orderChargedAmount: 2_500_000 }),
    );
    expect([field('received'), field('receivedInAll')]).toEqual(['₦12,500.00', '₦25,000.00']);
    expect(seen()).not.toContain('nothing more to do');
    const one = await show(shown('succeeded', paidElsewhere));
    expect([one.field('received'), one.field('receivedInAll')]).toEqual(['₦12,500.00', undefined]);
  });

  it('is announced in sentences when it becomes known', async () => {
    const { state, settle, spoken, later } = await show(shown('succeeded', paidElsewhere));
    await later(10_000);
    expect(spoken()).toBe('');
    state.value = shown('succeeded', { ...paidElsewhere, orderChargedAmount: 2_500_000 });
    await settle();
    expect(spoken()).toBe(
      'Payment received. We received 25,000.00 Nigerian nairas in total. Your order total is 12,500.00 Nigerian nairas. The shop has been told. The shop refunds the extra, usually within a few working days. If nothing has happened by then, contact the shop and give them this reference.',
    );
  });

  it('shows below the account how much arrived on an earlier one', async () => {
    const { seen, root, spoken } = await show(shown('awaitingTransfer', { orderChargedAmount: 500_000 }));
    const lead =
      'Send the exact amount; the bank may return more. ₦5,000.00 was paid into an earlier account for this order. The shop has been told.';
    expect(root.querySelector('.lead')?.textContent?.replace(/\s/g, ' ')).toBe(lead);
    expect(seen()?.split('The shop has been told.').length).toBe(2);
    expect(spoken()).toBe(
      `Transfer 12,500.00 Nigerian nairas. Open your bank app, send exactly this amount in one transfer, then come back. ${asSpoken(lead)}`,
    );
  });

  it('moves the focus to the title, and is announced, when it is paid through another account', async () => {
    const { root, screen, state, settle, spoken, field } = await show(shown('awaitingTransfer'));
    root.querySelector<HTMLElement>('[data-action="sent"]')?.focus();
    state.value = shown('receivedLate', {
      ...paidElsewhere,
      receivedLate: true,
      account: { number: '9011111111', name: 'Kola Bookshop', bankName: 'Other Bank' },
    });
    await settle();
    expect(root.activeElement).toBe(screen.getByRole('heading', { name: 'Your order is paid' }));
    expect(spoken()).toContain('Your money arrived after the time ran out.');
    expect([field('accountNumber'), field('reference')]).toEqual(['9011111111', 'order-1001-0']);
  });
});

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

  it('shows names as text, whatever they contain', async () => {
    const evil = '<img src=x onerror="alert(1)"><script>alert(2)</script>';
    const account = { number: evil, name: evil, bankName: evil };
    const { root, field } = await show(shown('awaitingTransfer', { account, reference: evil }));
    for (const name of ['bankName', 'accountNumber', 'accountName', 'reference'])
      expect(field(name)).toBe(evil);
    expect(root.querySelector('img, script')).toBeNull();
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

  it('shows a partial payment under the account, as a bar: the lead and the row have the figures', async () => {
    const { root, screen } = await show(shown('partlyPaid', { chargedAmount: 500_000 }));
    const bar = screen.getByRole('progressbar', { name: 'Received' });
    expect([bar.getAttribute('value'), bar.getAttribute('max')]).toEqual(['500000', '1250000']);
    expect(root.querySelector('.top + dl + .lead')?.contains(bar)).toBe(true);
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
    const isShort = () => root.querySelector('.time.short') !== null;
    // After a part has arrived, the order keeps its account.
    const lead = chargedAmount
      ? ''
      : ' No rush: if the time runs out, you can get a new number. Late money is not lost.';
    await setTimeLeft(300_001);
    expect([isShort(), seen()?.includes('No rush')]).toEqual([false, false]);
    await setTimeLeft(300_000);
    expect([isShort(), seen()?.includes('No rush')]).toEqual([true, lead !== '']);
    expect(announced().at(-1)).toBe(`Up to 5 minutes left to pay.${lead}`);
    await setTimeLeft(240_000);
    expect(announced().at(-1)).toBe('Up to 4 minutes left to pay.');
  });

  it('leaves the time empty until the service’s clock is known', async () => {
    const { field, setTimeLeft } = await show(shown('awaitingTransfer'));
    await setTimeLeft(undefined);
    expect(field('countdown')).toBe('');
  });

  it('shows the share of the time that is left, also after a reload', async () => {
    const { root, setTimeLeft } = await show(shown('awaitingTransfer'));
    const bar = root.querySelector<HTMLElement>('.bar i');
    expect(bar?.style.transform).toBe('scaleX(0.5)');
    await setTimeLeft(450_000);
    expect(bar?.style.transform).toBe('scaleX(0.25)');
  });

  it('checks when the time is up, without calling the payment expired', async () => {
    const { seen, refresh, setTimeLeft, dataState } = await show(shown('awaitingTransfer'));
    await setTimeLeft(0);
    expect(seen()).toContain('Time is up. We are checking for your transfer');
    expect(refresh).toHaveBeenCalledOnce();
    expect(dataState()).toBe('awaitingTransfer');
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
      expect(announced()).toContain(spokenLine);
      screen.getByRole('button', { name: 'I have sent the money' });
    },
  );

  it('announces the time at a few steps, and the state only once', async () => {
    const { spoken, announced, setTimeLeft } = await show(shown('awaitingTransfer'));
    const before = [spoken(), announced().at(-1)];
    expect(before[1]).toBe('Up to 15 minutes left to pay.');
    await setTimeLeft(899_000);
    expect([spoken(), announced().at(-1)]).toEqual(before);
    await setTimeLeft(720_000);
    expect([spoken(), announced().at(-1)]).toEqual([before[0], 'Up to 12 minutes left to pay.']);
  });

  it('labels the time left, and has only the title as a heading', async () => {
    const { root, screen } = await show(shown('partlyPaid', { chargedAmount: 500_000 }));
    expect(screen.getByRole('timer', { name: 'Time left' }).textContent).toBe('15:00');
    expect(screen.getByRole('heading').textContent).toMatch(/^Send ₦7,500.00 more$/);
    expect(root.querySelector('h2 ~ p')?.textContent).toContain('Send the rest to the same account');
  });

  it('has live regions that outlive the screens', async () => {
    const { root, state, settle } = await show(shown('awaitingTransfer'));
    const before = [...root.querySelectorAll('.card > [role="status"]')];
    state.value = shown('succeeded');
    await settle();
    expect([...root.querySelectorAll('.card > [role="status"]')]).toEqual(before);
  });

  it.each([
    { connection: 'retrying', line: 'Connection lost. Retrying…' },
    { connection: 'failing', line: 'We can’t check right now' },
  ] as const)(
    'that cannot be checked can still be paid into, until the time is up: $line',
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

  it('whose connection is lost says so, keeps account and reference, and offers to check again', async () => {
    const { seen, field, click, refresh } = await show(shown('awaitingTransfer', {}, 'lost'));
    expect(seen()).toContain('This page can no longer see your payment');
    expect(seen()).toContain('the shop will confirm it. Keep your reference');
    expect([field('accountNumber'), field('reference')]).toEqual(['9012345678', 'order-1001-1']);
    await click(/Check again/);
    expect(refresh).toHaveBeenCalledOnce();
  });

  it('keeps its reference when the network goes after the connection was lost', async () => {
    const { field } = await show({ ...shown('awaitingTransfer', {}, 'lost'), isOffline: true } as State);
    expect(field('reference')).toBe('order-1001-1');
  });

  it('is not offered for payment while the server refuses the secret', async () => {
    const { seen, field } = await show(stateOfPayment(viewOf(), 'refused'));
    expect(seen()).toContain('Please don’t send money now.');
    expect(seen()).toContain('We can’t check right now');
    expect([field('accountNumber'), field('reference')]).toEqual([undefined, 'order-1001-1']);
  });
});

describe('the details of a payment that is over', () => {
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
  ] as const)('name amount and date where money may come back: %s %j', async (name, changes, key, date) => {
    const { root, field } = await show(shown(name, changes));
    expect([field('amount'), field('missing')]).toEqual(['₦12,500.00', undefined]);
    expect(field(key)).toMatch(date);
    expect([...root.querySelectorAll('dl del')].at(-1)?.textContent).toBe('Kola Bookshop');
  });
});

describe('the claim that the money is sent', () => {
  it.each([
    [shown('awaitingTransfer'), /^I have sent the money$/],
    [shown('partlyPaid', { chargedAmount: 5 }), /^I have sent the rest$/],
    [shown('expired', { outcome: 'expired', chargedAmount: 5 }), /^I have sent the rest$/],
  ])('can be made on the screens that wait for money: %#', async (state, name) => {
    const { click, claimTransfer } = await show(state);
    await click(name);
    expect(claimTransfer).toHaveBeenCalledOnce();
  });

  it('can be checked at once, on every screen that checks for money', async () => {
    for (const state of [shown('checking'), shown('expired', { outcome: 'expired', chargedAmount: 5 })]) {
      const { click, refresh } = await show(state);
      await click(/^Check again$/);
      expect(refresh).toHaveBeenCalledOnce();
    }
  });

  it('asks for the missing part after a partial payment', async () => {
    const { field, seen } = await show(shown('checking', { chargedAmount: 500_000 }));
    expect([field('missing'), field('amount')]).toEqual(['₦7,500.00', undefined]);
    expect(seen()).toContain('₦5,000.00 of ₦12,500.00 has arrived.');
  });

  it('starts over when it is withdrawn and made again', async () => {
    const { seen, later, state, settle } = await show(shown('checking'));
    await later(300_000);
    expect(seen()).toContain('longer than usual');
    for (const next of [shown('awaitingTransfer'), shown('checking')]) {
      state.value = next;
      await settle();
    }
    expect(seen()).not.toContain('longer than usual');
  });

  it('shows the number less prominently, and can be withdrawn', async () => {
    const { root, field, seen, click, withdrawClaim } = await show(shown('checking'));
    expect([field('accountNumber'), field('countdown')]).toEqual(['9012345678', undefined]);
    expect(root.querySelector('.past [data-field="accountNumber"]')).not.toBeNull();
    expect(seen()).toContain('Please don’t send it again.');
    await click(/I have not sent it yet/);
    expect(withdrawClaim).toHaveBeenCalledOnce();
  });

  it('is checked after expiry, and the screen says so', async () => {
    const { seen } = await show(shown('checking', { outcome: 'expired' }));
    expect(seen()).toContain('The time to pay has run out, but your money is not lost: we’ll keep looking.');
  });

  it('is not offered, and no account is shown, while the status is unclear', async () => {
    const { screen, field, seen } = await show(shown('checking', { outcome: 'unclear' }));
    expect(field('accountNumber')).toBeUndefined();
    expect(screen.queryByRole('button', { name: /sent/ })).toBeNull();
    expect(seen()).toContain('Please don’t send money now.');
  });
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

describe('help', () => {
  it.each([
    [
      { supportUrl: 'https://shop.example/help?topic=pay' },
      'https://shop.example/help?topic=pay&reference=order-1001-1',
    ],
    [
      { supportEmail: 'help@shop.example' },
      'mailto:help@shop.example?subject=Bank%20transfer%20order-1001-1',
    ],
  ])('with %j contains the reference', async (options, href) => {
    for (const name of ['awaitingTransfer', 'succeeded', 'failed'] as const) {
      const { screen } = await show(shown(name), options);
      expect(screen.getByRole('link', { name: 'Get help' }).getAttribute('href')).toBe(href);
    }
  });

  it('is not offered without an address', async () => {
    const { screen } = await show(shown('failed'));
    expect(screen.queryByRole('link')).toBeNull();
  });
});

describe('the next steps', () => {
  it('from an expired payment first ask whether the money is sent, and warn against its account', async () => {
    const { screen, seen, click, restart, claimTransfer } = await show(
      shown('expired', { outcome: 'expired' }),
    );
    expect(seen()).toContain('Do not send money to this account.');
    expect(seen()).toContain('Have you already sent the money?');
    expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
      'Copy',
      'I have sent the money',
      'Get a new account number',
    ]);
    await click(/I have sent the money/);
    expect(claimTransfer).toHaveBeenCalledOnce();
    await click(/Get a new account number/);
    expect(restart).toHaveBeenCalledOnce();
  });

  it('from an expired payment with a partial amount offer no other account', async () => {
    const { screen, seen } = await show(shown('expired', { outcome: 'expired', chargedAmount: 1_200_000 }));
    expect(seen()).toContain('₦12,000.00 of ₦12,500.00 has arrived');
    expect(screen.queryByRole('button', { name: /new account/ })).toBeNull();
  });

  it('explain why a request for another account returned the same payment', async () => {
    const expired = shown('expired', { outcome: 'expired' });
    const { seen, state, settle, spoken, screen } = await show(expired);
    const why = 'There is no new account number yet';
    const offered = () => screen.getAllByRole('button', { name: /new|again/ }).map((one) => one.textContent);
    expect(offered()).toEqual(['Get a new account number']);
    expect(seen()).not.toContain(why);
    state.value = { name: 'loading', failures: 0, previous: expired.payment };
    await settle();
    state.value = expired;
    await settle();
    expect([seen(), spoken()]).toEqual([expect.stringContaining(why), expect.stringContaining(why)]);
    expect(offered()).toEqual(['Try again']);
    state.value = { name: 'loading', failures: 0, previous: expired.payment };
    await settle();
    state.value = shown('expired', { outcome: 'expired', reference: 'order-1001-2' });
    await settle();
    expect(seen()).not.toContain(why);
  });

  it('from a failed payment ask first, and offer another try quietly, to those who have sent nothing', async () => {
    const { root, seen, click, restart } = await show(shown('failed', { outcome: 'failed' }));
    expect(seen()).toMatch(
      /Have you already sent the money\?Your order is not paid\. If money left your account, the bank traces it/,
    );
    expect(root.querySelector('.actions .main, .actions [part="button"]')).toBeNull();
    const again = root.querySelector('[data-action="tryAgain"]');
    expect(again?.previousElementSibling?.textContent).toBe('If you have not sent anything:');
    await click(/Try again/);
    expect(restart).toHaveBeenCalledOnce();
  });

  it('from a replaced account lead to the one to use', async () => {
    const { screen, click, restart } = await show(shown('expired', { outcome: 'replaced' }));
    expect(screen.queryByRole('button', { name: /sent/ })).toBeNull();
    await click(/Show the new number/);
    expect(restart).toHaveBeenCalledOnce();
  });

  it.each<[string, State, boolean]>([
    ['unavailable', { name: 'unavailable', code: 'network_error', failures: 1 }, true],
    ['failed', shown('failed', { outcome: 'failed' }), true],
    ['reversed', shown('reversed', { outcome: 'reversed' }), false],
    ['an amount that does not match', shown('failed', { outcome: 'amountMismatch' }), false],
    ['succeeded', shown('succeeded', { outcome: 'paid' }), false],
  ])('from %s offer to try again: %#', async (_name, state, offers) => {
    const { screen } = await show(state);
    expect(screen.queryAllByRole('button', { name: 'Try again' }).length).toBe(offers ? 1 : 0);
  });
});

const press = (element: HTMLElement): boolean =>
  element.dispatchEvent(new KeyboardEvent('keydown', { key: 'Tab', bubbles: true }));

describe('the link back to the shop', () => {
  const returnUrl = 'https://shop.example/orders';

  it.each(['checking', 'confirming', 'succeeded', 'failed', 'reversed', 'receivedLate'] as const)(
    'on the screen %s leads there at once',
    async (name) => {
      const { screen, root } = await show(shown(name), { returnUrl });
      const link = screen.getByRole('link', { name: 'Back to the shop' });
      expect(link.getAttribute('href')).toBe(returnUrl);
      link.addEventListener('click', (event) => {
        expect(event.defaultPrevented).toBe(false);
        event.preventDefault();
      });
      link.click();
      expect(root.querySelector('.leave')).toBeNull();
    },
  );

  it.each(['awaitingTransfer', 'partlyPaid', 'expired'] as const)(
    'on the screen %s warns first, takes the focus, and lets the shopper stay',
    async (name) => {
      const { screen, root, click, settle } = await show(shown(name, { chargedAmount: 5 }), { returnUrl });
      screen.getByRole('link', { name: 'Back to the shop' }).click();
      await settle();
      const warning = screen.getByRole('alertdialog', { name: 'Leave this page?' });
      expect(root.activeElement).toBe(warning);
      const lead = root.getElementById(warning.getAttribute('aria-describedby') ?? '');
      expect(lead?.textContent).toContain('you won’t lose it');
      await click(/Stay here/);
      expect(screen.queryByRole('alertdialog')).toBeNull();
      expect(root.activeElement).toBe(screen.getByRole('link', { name: 'Back to the shop' }));
    },
  );

  it('asks in a dialog that makes the rest unreachable until the shopper stays', async () => {
    const { root, screen, click, settle } = await show(shown('awaitingTransfer'), { returnUrl });
    const reachable = (): (string | null)[] =>
      [...root.querySelectorAll('button, a, summary')]
        .filter((one) => !one.closest('[inert]'))
        .map(({ textContent }) => textContent);
    const before = reachable();
    screen.getByRole('link', { name: 'Back to the shop' }).click();
    await settle();
    expect(reachable()).toEqual(['Copy', 'Stay here', 'Leave']);
    expect(root.querySelectorAll('[role="status"]').length).toBe(4);
    expect(root.querySelector('[inert] [role="status"]')).toBeNull();
    await click(/Stay here/);
    expect(reachable()).toEqual(before);
  });

  it('asks with the reference to keep, and its copy button', async () => {
    const { screen, settle } = await show(shown('awaitingTransfer'), { returnUrl });
    screen.getByRole('link', { name: 'Back to the shop' }).click();
    await settle();
    const question = within(screen.getByRole('alertdialog'));
    question.getByText(viewOf().reference);
    question.getByRole('button', { name: 'Copy reference' });
  });

  it('is not followed after Escape, which does not reach elements around the dialog', async () => {
    const { root, screen, settle } = await show(shown('awaitingTransfer'), { returnUrl });
    screen.getByRole('link', { name: 'Back to the shop' }).click();
    await settle();
    const heard = vi.fn();
    root.addEventListener('keydown', heard);
    const press = new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true });
    screen.getByText('Stay here').dispatchEvent(press);
    await settle();
    expect(screen.queryByRole('alertdialog')).toBeNull();
    expect([press.defaultPrevented, heard.mock.calls.length]).toEqual([true, 0]);
  });

  it('moves the focus to the title when its screen is gone after the dialog', async () => {
    const { root, screen, state, settle } = await show(shown('awaitingTransfer'), { returnUrl });
    screen.getByRole('link', { name: 'Back to the shop' }).click();
    await settle();
    state.value = shown('confirming');
    await settle();
    expect(root.activeElement).toBe(screen.getByRole('heading'));
  });

  it('announces that it is followed automatically, and can be stopped', async () => {
    const { seen, click, canAutoReturn, later, timers } = await show(shown('succeeded'), {
      returnUrl,
      returnAfterSeconds: 5,
    });
    canAutoReturn.value = true;
    await later(1000);
    expect(seen()).toContain('Going back to the shop in 4 seconds.');
    await click(/Stay here/);
    expect(seen()).not.toContain('Going back');
    // The announcement is removed.
    await later(10_000);
    expect(timers.size).toBe(0);
  });

  it.each<[string, (link: HTMLElement, heading: HTMLElement, help: HTMLElement) => void, boolean]>([
    ['help is asked for', (_link, _heading, help) => help.click(), true],
    ['a key is pressed', (_link, heading) => press(heading), true],
    ['it is clicked', (link) => link.click(), false],
    ['a key is pressed on it', (link) => press(link), false],
  ])('has an automatic return, which only other uses of the card stop: %s', async (_, use, isStopped) => {
    const { seen, screen, canAutoReturn, settle } = await show(shown('succeeded'), {
      returnUrl,
      returnAfterSeconds: 5,
      supportEmail: 'help@shop.example',
    });
    canAutoReturn.value = true;
    await settle();
    const link = screen.getByRole('link', { name: 'Back to the shop' });
    const help = screen.getByRole('link', { name: 'Get help' });
    for (const one of [link, help]) one.addEventListener('click', (event) => event.preventDefault());
    use(link, screen.getByRole('heading'), help);
    await settle();
    expect([seen().includes('Going back to the shop'), link.isConnected]).toEqual([!isStopped, true]);
  });
});

describe('a removed checkout', () => {
  it('leaves no content, style sheet or timer', async () => {
    const { root, remove, timers } = await show(shown('awaitingTransfer'));
    expect(root.adoptedStyleSheets.length).toBeGreaterThan(0);
    remove();
    expect([root.innerHTML, root.adoptedStyleSheets.length]).toEqual(['', 0]);
    expect(timers.size).toBe(0);
  });

  it('does not render any more', async () => {
    const { remove, state, settle, root } = await show(shown('awaitingTransfer'));
    const card = root.querySelector('.card');
    remove();
    state.value = shown('succeeded');
    await settle();
    expect(card?.getAttribute('data-state')).toBe('awaitingTransfer');
    expect(root.innerHTML).toBe('');
  });
});
