import { describe, expect, it, vi } from 'vitest';
import { show, shown } from '../show.ts';

const pressKey = (element: HTMLElement): boolean =>
  element.dispatchEvent(new KeyboardEvent('keydown', { key: 'Tab', bubbles: true }));

it.each([
  [
    { supportUrl: 'https://shop.example/help?topic=pay' },
    'https://shop.example/help?topic=pay&reference=order-1001-1',
  ],
  [{ supportEmail: 'help@shop.example' }, 'mailto:help@shop.example?subject=Bank%20transfer%20order-1001-1'],
])('the link to help goes to an address with the reference, by %j', async (options, href) => {
  for (const name of ['awaitingTransfer', 'succeeded', 'failed'] as const) {
    const { screen } = await show(shown(name), options);
    expect(screen.getByRole('link', { name: 'Get help' }).getAttribute('href')).toBe(href);
  }
});

describe('the link back to the shop', () => {
  const returnUrl = 'https://shop.example/orders';

  it.each(['awaitingTransfer', 'partlyPaid', 'expired'] as const)(
    'warns first on the screen %s, takes the focus, and lets the shopper stay',
    async (name) => {
      const { screen, root, press } = await show(shown(name, { chargedAmount: 5 }), { returnUrl });
      await press('Back to the shop');
      const warning = screen.getByRole('alertdialog', { name: 'Before you go' });
      expect(root.activeElement).toBe(warning);
      const lead = root.getElementById(warning.getAttribute('aria-describedby') ?? '');
      expect(lead?.textContent).toContain('you won’t lose it');
      await press(/Stay here/);
      expect(screen.queryByRole('alertdialog')).toBeNull();
      expect(root.activeElement).toBe(screen.getByRole('link', { name: 'Back to the shop' }));
    },
  );

  it('warns in a dialog that makes the rest unreachable until the shopper stays', async () => {
    const { root, press } = await show(shown('awaitingTransfer'), { returnUrl });
    const reachable = (): (string | null)[] =>
      [...root.querySelectorAll('button, a, summary')]
        .filter((one) => !one.closest('[inert]'))
        .map(({ textContent }) => textContent);
    const before = reachable();
    await press('Back to the shop');
    expect(reachable()).toEqual(['Copy', 'Stay here', 'Leave']);
    expect(root.querySelectorAll('[role="status"]').length).toBe(1);
    expect(root.querySelector('[inert] [role="status"]')).toBeNull();
    await press(/Stay here/);
    expect(reachable()).toEqual(before);
  });

  it.each([
    ['that it can be closed, as beside the account', {}],
    ['nothing, where the shop has taken that sentence away', { text: { closeLead: '' } }],
  ])('says of the page %s, and the browser never asks', async (_, options) => {
    const { screen, root, press } = await show(shown('awaitingTransfer'), { returnUrl, ...options });
    const saysSo = (element: Element | null): boolean | undefined =>
      element?.textContent?.includes('You can close this page. We keep watching.');
    const isSaid = saysSo(root.querySelector('.status'));
    expect(isSaid).toBe(!('text' in options));
    await press('Back to the shop');
    expect(saysSo(screen.getByRole('alertdialog'))).toBe(isSaid);
    expect(dispatchEvent(new Event('beforeunload', { cancelable: true }))).toBe(true);
  });

  it('is not followed after Escape, which reaches no element around the dialog', async () => {
    const { root, screen, press, settle } = await show(shown('awaitingTransfer'), { returnUrl });
    await press('Back to the shop');
    const onKeyDown = vi.fn();
    root.addEventListener('keydown', onKeyDown);
    const escapeKey = new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true });
    screen.getByText('Stay here').dispatchEvent(escapeKey);
    await settle();
    expect(screen.queryByRole('alertdialog')).toBeNull();
    expect(escapeKey.defaultPrevented).toBe(true);
    expect(onKeyDown).not.toHaveBeenCalled();
  });

  it('is followed automatically after an announcement, which the shopper can stop', async () => {
    const { seen, press, canAutoReturn, advance, settle, timers } = await show(shown('succeeded'), {
      returnUrl,
      returnAfterSeconds: 5,
    });
    canAutoReturn.value = true;
    await settle();
    await advance(1000);
    expect(seen()).toContain('Going back to the shop in 4 seconds.');
    await press(/Stay here/);
    expect(seen()).not.toContain('Going back');
    // The announcement is removed.
    await advance(10_000);
    expect(timers.size).toBe(0);
  });

  it.each<[string, (link: HTMLElement, heading: HTMLElement, help: HTMLElement) => void, boolean]>([
    ['help is asked for', (_link, _heading, help) => help.click(), true],
    ['a key is pressed', (_link, heading) => pressKey(heading), true],
    ['it is clicked', (link) => link.click(), false],
    ['a key is pressed on it', (link) => pressKey(link), false],
  ])(
    'is followed automatically unless the shopper uses the rest of the card: %s',
    async (_, use, isStopped) => {
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
      expect(link.isConnected).toBe(true);
      expect(seen()?.includes('Going back to the shop')).toBe(!isStopped);
    },
  );

  it('moves the focus to the title when its screen is gone after the dialog', async () => {
    const { root, screen, press, setState } = await show(shown('awaitingTransfer'), { returnUrl });
    await press('Back to the shop');
    await setState(shown('confirming'));
    expect(root.activeElement).toBe(screen.getByRole('heading'));
  });
});
