import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { CheckoutError } from '../../src/contract/index.ts';
import { openWithLoadingDialog, type ShowFailure } from '../../src/entry/loading-dialog.ts';
import type { CheckoutOptions } from '../../src/options/options.ts';
import { settle } from '../settle.ts';
import { place } from './shop.ts';

const open = vi.fn(async (_target?: Element) => {});
const close = vi.fn();
const retry = vi.fn();
const checkout = { open, close } as never;

beforeEach(() => void vi.clearAllMocks());

const dialog = () =>
  document.querySelector('[data-checkout-waiting]')?.shadowRoot?.querySelector('dialog') ?? undefined;

/** Opens a checkout whose widget loads or fails when the test says so. */
function openSlowly(options: CheckoutOptions = {}, reported?: Error) {
  document.documentElement.lang = 'en';
  onTestFinished(() => void document.documentElement.removeAttribute('lang'));
  const widget = { load: (_checkout?: never): void => {}, fail: (_error: Error): void => {} };
  const loading = new Promise<never | undefined>((resolve, reject) => {
    widget.load = resolve;
    widget.fail = reject;
  });
  const target = place('button');
  const create = async (showFailure: ShowFailure) => {
    if (reported) return void showFailure(reported);
    return await loading;
  };
  const opening = openWithLoadingDialog({ target, options, create, retry });
  opening.catch(() => {});
  const press = (name: string): void =>
    [...(dialog()?.querySelectorAll('button') ?? [])]
      .find((button) => (button.ariaLabel ?? button.textContent) === name)
      ?.click();
  return { ...widget, target, opening, press };
}

describe('the loading dialog', () => {
  it('opens at once, and closes when the checkout is open', async () => {
    const { load, opening, target } = openSlowly();
    expect(dialog()?.open).toBe(true);
    expect(dialog()?.querySelector('[role="status"]')?.textContent).toBe('Getting your account number…');
    expect(dialog()?.ariaLabel).toBe('Getting your account number…');
    load(checkout);
    await opening;
    expect(open.mock.calls).toEqual([[target]]);
    expect([dialog(), close.mock.calls]).toEqual([undefined, []]);
  });

  it('has the shop’s name and the chosen theme', () => {
    const { press } = openSlowly({ merchantName: 'Kola', appearance: { theme: 'dark' } });
    expect([dialog()?.ariaLabel, dialog()?.style.cssText]).toEqual([
      'Kola',
      expect.stringContaining('color-scheme: dark'),
    ]);
    press('Close');
  });

  it('opens no checkout after the shopper has closed it', async () => {
    const { load, opening, press } = openSlowly();
    press('Close');
    await opening;
    expect(dialog()).toBeUndefined();
    load(checkout);
    await settle();
    expect(open).not.toHaveBeenCalled();
  });

  it('closes a checkout that is still opening', async () => {
    open.mockReturnValueOnce(new Promise(() => {}));
    const { load, press } = openSlowly();
    load(checkout);
    await settle();
    press('Close');
    expect([dialog(), close.mock.calls.length]).toEqual([undefined, 1]);
  });

  it('reports a failed load, and offers to try again', async () => {
    const { fail, opening, press } = openSlowly();
    fail(new Error('Lost.'));
    await expect(opening).rejects.toThrow('Lost.');
    expect(dialog()?.querySelector('[role="alert"]')?.textContent).toMatch(/could not be loaded/);
    expect(retry).not.toHaveBeenCalled();
    press('Try again');
    expect([retry.mock.calls.length, dialog(), close.mock.calls]).toEqual([1, undefined, []]);
  });

  it('does not blame the shopper’s connection for a wrong option', async () => {
    const { fail, press } = openSlowly();
    fail(new CheckoutError('invalid_options', 'The option payLink must be …'));
    await settle();
    expect(dialog()?.querySelector('[role="alert"]')?.textContent).toMatch(/^Try again, or ask the shop/);
    press('Close');
  });

  it('offers to try again after a failure that was reported elsewhere', async () => {
    const { press } = openSlowly({}, new Error('Lost.'));
    await settle();
    expect(dialog()?.querySelector('[role="alert"]')?.textContent).toMatch(/could not be loaded/);
    press('Close');
    expect(dialog()).toBeUndefined();
  });
});
