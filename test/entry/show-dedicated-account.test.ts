import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { mountCheckout, showDedicatedAccount } from '../../src/index.ts';
import { settleImports } from '../settle.ts';
import { fieldOf, place, stateOf, stubServer } from './shop.ts';

const view = {
  account: { number: '9012345678', name: 'Ada Obi', bankName: 'Sandbox Bank' },
  currency: 'NGN',
  liveMode: false,
};

describe('showDedicatedAccount', () => {
  it('shows the details without a request', async () => {
    const fetch = vi.fn();
    vi.stubGlobal('fetch', fetch);
    const element = place('div');
    await showDedicatedAccount(element, view, { merchantName: 'Kola’s' });
    vi.unstubAllGlobals();
    const fields = ['accountNumber', 'bankName', 'accountName', 'currency'].map((name) =>
      fieldOf(element, name),
    );
    expect(fields).toEqual(['9012345678', 'Sandbox Bank', 'Ada Obi', 'NGN']);
    const text = element.shadowRoot?.textContent ?? '';
    expect(text).toContain('Kola’s');
    expect(text).toContain('Test mode');
    expect(element.shadowRoot?.querySelector('[role="timer"], [data-field="amount"]')).toBeNull();
    expect(fetch).not.toHaveBeenCalled();
  });

  it('copies the number, and announces it', async () => {
    const element = place('div');
    const writeText = vi.fn(async () => {});
    vi.stubGlobal('navigator', { languages: ['en'], clipboard: { writeText } });
    await showDedicatedAccount(element, view);
    element.shadowRoot?.querySelector('button')?.click();
    await expect
      .poll(() => element.shadowRoot?.querySelector('[role="status"]')?.textContent)
      .toBe('Copied account number');
    vi.unstubAllGlobals();
    expect(writeText).toHaveBeenCalledWith('9012345678');
  });

  it('copies the number by its selection where the clipboard does not respond', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const writeText = (): Promise<void> => new Promise(() => {});
    vi.stubGlobal('navigator', { languages: ['en'], clipboard: { writeText } });
    onTestFinished(() => void vi.unstubAllGlobals());
    const copy = vi.fn(() => true);
    document.execCommand = copy;
    const element = place('div');
    await showDedicatedAccount(element, view);
    element.shadowRoot?.querySelector('button')?.click();
    await vi.advanceTimersByTimeAsync(1500);
    expect(copy).toHaveBeenCalledWith('copy');
  });

  it('takes the place of what the element shows', async () => {
    const { calls } = stubServer();
    const element = place('div');
    const checkout = mountCheckout(element);
    await settleImports();
    const removeFirst = await showDedicatedAccount(element, view);
    expect(calls.at(-1)?.init.signal?.aborted).toBe(true);
    const remove = await showDedicatedAccount(element, view);
    removeFirst();
    checkout.unmount();
    expect(fieldOf(element, 'accountNumber')).toBe('9012345678');
    remove();
    expect(element.shadowRoot?.childNodes).toHaveLength(0);
  });

  it('gives place to a checkout', async () => {
    stubServer();
    const element = place('div');
    const remove = await showDedicatedAccount(element, view);
    const checkout = mountCheckout(element);
    onTestFinished(() => checkout.unmount());
    await settleImports();
    remove();
    expect(stateOf(element)).toBe('awaitingTransfer');
    expect(element.shadowRoot?.querySelectorAll('.card')).toHaveLength(1);
  });

  it('refuses an element that cannot have a shadow root', async () => {
    const element = place('div');
    element.attachShadow({ mode: 'closed' });
    await expect(showDedicatedAccount(element, view)).rejects.toMatchObject({ code: 'invalid_options' });
  });

  it('uses other languages, and shows no test mode in live mode', async () => {
    const element = place('div');
    await showDedicatedAccount(element, { ...view, liveMode: true }, { locale: 'fr' });
    const text = element.shadowRoot?.textContent ?? '';
    expect(text).toContain('Votre numéro de compte');
    expect(element.shadowRoot?.querySelector('.test')).toBeNull();
  });

  it('uses the language of its page before the browser’s', async () => {
    const element = place('div');
    element.lang = 'fr';
    await showDedicatedAccount(element, view, { locale: ['en', 'fr'] });
    expect(element.shadowRoot?.textContent).toContain('Votre numéro de compte');
  });

  it('is in English when its language fails to load, and reports that', async () => {
    const report = vi.spyOn(console, 'error').mockImplementation(() => {});
    const element = place('div');
    const failure = new Error('No such file.');
    await showDedicatedAccount(element, view, {
      locale: 'xx',
      languages: { xx: () => Promise.reject(failure) },
    });
    expect(element.shadowRoot?.textContent).toContain('Your account number');
    expect(report.mock.calls).toEqual([[failure]]);
    report.mockRestore();
  });

  it('can be removed', async () => {
    const element = place('div');
    const remove = await showDedicatedAccount(element, view);
    remove();
    expect(element.shadowRoot?.childNodes).toHaveLength(0);
  });

  it.each([
    [undefined],
    [{ ...view, account: { ...view.account, number: '' } }],
    [{ ...view, currency: 'naira' }],
  ])('refuses an invalid view: %o', async (broken) => {
    await expect(showDedicatedAccount(place('div'), broken as never)).rejects.toMatchObject({
      code: 'invalid_options',
    });
  });
});
