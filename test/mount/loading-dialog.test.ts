import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { openAbove } from '../../src/mount/loading-dialog.ts';
import type { CheckoutOptions } from '../../src/mount/options/options.ts';
import { settle } from '../settle.ts';
import { place } from './shop.ts';

const open = vi.fn(async (_teller?: Element) => {});
const close = vi.fn();
const retry = vi.fn();
const checkout = { open, close } as never;

beforeEach(() => void vi.clearAllMocks());

const dialog = () =>
  document.querySelector('[data-checkout-waiting]')?.shadowRoot?.querySelector('dialog') ?? undefined;

/** Opens one whose widget comes, or fails, when the test says so. */
function openSlowly(options: CheckoutOptions = {}) {
  document.documentElement.lang = 'en';
  onTestFinished(() => void document.documentElement.removeAttribute('lang'));
  const widget = { come: (_checkout?: never): void => {}, fail: (_error: Error): void => {} };
  const coming = new Promise<never | undefined>((resolve, reject) => {
    widget.come = resolve;
    widget.fail = reject;
  });
  const teller = place('button');
  const opening = openAbove({ teller, options, make: () => coming, retry });
  opening.catch(() => {});
  const press = (name: string): void =>
    [...(dialog()?.querySelectorAll('button') ?? [])]
      .find((button) => (button.ariaLabel ?? button.textContent) === name)
      ?.click();
  return { ...widget, teller, opening, press };
}

describe('a checkout that is opened above the page', () => {
  it('says in the same moment that it is on its way, and goes when the checkout is there', async () => {
    const { come, opening, teller } = openSlowly();
    expect(dialog()?.open).toBe(true);
    expect(dialog()?.querySelector('[role="status"]')?.textContent).toBe('Getting your account number…');
    expect(dialog()?.ariaLabel).toBe('Getting your account number…');
    come(checkout);
    await opening;
    expect(open.mock.calls).toEqual([[teller]]);
    expect([dialog(), close.mock.calls]).toEqual([undefined, []]);
  });

  it('has the shop’s name, and the theme that is chosen', () => {
    const { press } = openSlowly({ merchantName: 'Kola', appearance: { theme: 'dark' } });
    expect([dialog()?.ariaLabel, dialog()?.style.cssText]).toEqual([
      'Kola',
      expect.stringContaining('color-scheme: dark'),
    ]);
    press('Close');
  });

  it('does not open when the shopper has closed it before, and can be asked for again at once', async () => {
    const { come, opening, press } = openSlowly();
    press('Close');
    await opening;
    expect(dialog()).toBeUndefined();
    come(checkout);
    await settle();
    expect(open).not.toHaveBeenCalled();
  });

  it('is closed with it while the modal’s own file is on its way', async () => {
    open.mockReturnValueOnce(new Promise(() => {}));
    const { come, press } = openSlowly();
    come(checkout);
    await settle();
    press('Close');
    expect([dialog(), close.mock.calls.length]).toEqual([undefined, 1]);
  });

  it('says that it did not come, and tries again when the shopper wants it', async () => {
    const { fail, opening, press } = openSlowly();
    fail(new Error('Lost.'));
    await expect(opening).rejects.toThrow('Lost.');
    expect(dialog()?.querySelector('[role="alert"]')?.textContent).toMatch(/could not be loaded/);
    expect(retry).not.toHaveBeenCalled();
    press('Try again');
    expect([retry.mock.calls.length, dialog(), close.mock.calls]).toEqual([1, undefined, []]);
  });

  it('says so, too, where somebody else was told why', async () => {
    const { come, press } = openSlowly();
    come(undefined);
    await settle();
    expect(dialog()?.querySelector('[role="alert"]')?.textContent).toMatch(/could not be loaded/);
    press('Close');
    expect(dialog()).toBeUndefined();
  });
});
