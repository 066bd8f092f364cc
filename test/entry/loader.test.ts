import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { TransferCheckout } from '../../src/entry/create-widget.ts';
import { createLoader, type ImportWidget, type LoaderTools, type Widget } from '../../src/entry/loader.ts';
import {
  type CheckoutOptions,
  validateOptions as validate,
  validateOrder,
} from '../../src/options/options.ts';
import { settle } from '../settle.ts';
import { place } from './shop.ts';

const handle = { mount: () => handle } as Partial<TransferCheckout> as TransferCheckout;
/** A widget with functions that a test observes. */
const widgetWith = (own: Partial<Widget> = {}): Widget => ({
  createWidget: () => handle,
  openPaymentPage: async () => {},
  ...own,
});

/** Creates a loader that sends no early request unless a test sets one. */
function loaderOf(importWidget: ImportWidget, sendEarly: LoaderTools['sendEarly'] = () => undefined) {
  const { loader, ...others } = createLoader({ importWidget, sendEarly });
  return { ...loader, ...others };
}

describe('the loader', () => {
  it('shows a placeholder at once, and resolves with the widget’s handle', async () => {
    const mount = vi.spyOn(handle, 'mount');
    onTestFinished(() => mount.mockRestore());
    const createWidget = vi.fn(() => handle);
    const host = place('div');
    const options = { body: 1 };
    const mounting = loaderOf(async () => widgetWith({ createWidget })).mountCheckout(host, options);
    expect(host.shadowRoot?.textContent).toBe('Getting your account number…');
    expect(await mounting).toBe(handle);
    expect(createWidget.mock.calls).toEqual([[options, { validate }]]);
    expect(mount).toHaveBeenCalledWith(host);
  });

  it('retries once when the file fails to load', async () => {
    const importWidget = vi
      .fn<ImportWidget>()
      .mockRejectedValueOnce(new Error('Lost.'))
      .mockResolvedValue(widgetWith());
    expect(await loaderOf(importWidget).mountCheckout(place('div'))).toBe(handle);
    expect(importWidget.mock.calls).toEqual([[0], [1]]);
  });

  it('reports a failed load on the page and to the developer', async () => {
    const cause = new Error('Lost.');
    const onError = vi.fn();
    const host = place('div');
    const mounting = loaderOf(() => Promise.reject(cause)).mountCheckout(host, { onError });
    await expect(mounting).rejects.toMatchObject({ name: 'CheckoutError', code: 'load_failed', cause });
    expect(host.shadowRoot?.textContent).toMatch(/could not be loaded. Check your connection/);
    expect(onError.mock.calls).toMatchObject([[{ detail: { error: { code: 'load_failed' } } }]]);
  });

  const french = { text: { loading: { fr: 'Un instant…' } } };
  it.each<[string, string, CheckoutOptions, string, string]>([
    ['the page’s own', 'fr-CA', french, 'Un instant…', 'fr-CA'],
    ['the named one’s', 'en', { locale: 'fr', ...french }, 'Un instant…', 'fr'],
    [
      'the page’s, where several may be meant',
      'en',
      { locale: 'fr en' },
      'Getting your account number…',
      'en',
    ],
    ['none, where there are none in its language', 'ar', {}, '', 'ar'],
    ['none, where the named language is another', 'en', { locale: 'yo' }, '', 'yo'],
    ['none, where the merchant’s are in another', 'pcm', { text: { loading: { en: 'Wait' } } }, '', 'pcm'],
  ])('shows a loading text only in the right language: %s', async (_whose, page, options, line, lang) => {
    const host = place('div');
    document.documentElement.lang = page;
    onTestFinished(() => void document.documentElement.removeAttribute('lang'));
    const loading = loaderOf(() => Promise.reject(new Error('Lost.')));
    const mounting = loading.mountCheckout(host, { ...options, merchantName: 'Kola' });
    const status = host.shadowRoot?.querySelector<HTMLElement>('[role="status"]');
    expect([status?.textContent, status?.lang]).toEqual([line, lang]);
    // Without a text there is a progress bar with the shop's name.
    expect(status?.querySelector('progress')?.ariaLabel).toBe(line ? undefined : 'Kola');
    await expect(mounting).rejects.toThrow();
    // A failure is reported in English, and marked as English.
    const failed = host.shadowRoot?.querySelector<HTMLElement>('[role="alert"]');
    expect(failed?.textContent).toMatch(/^This could not be/);
    expect([failed?.lang, failed?.dir]).toEqual(['en', 'ltr']);
  });

  it('offers to try again', async () => {
    const createWidget = vi.fn(() => handle);
    const importWidget = vi.fn<ImportWidget>(async () => widgetWith({ createWidget }));
    for (const _ of [1, 2, 3, 4]) importWidget.mockRejectedValueOnce(new Error('Lost.'));
    const host = place('div');
    const options = { text: { tryAgain: 'Encore' } };
    await expect(loaderOf(importWidget).mountCheckout(host, options)).rejects.toThrow();
    const again = () => host.shadowRoot?.querySelector('button');
    expect(again()?.textContent).toBe('Encore');
    again()?.click();
    expect(host.shadowRoot?.textContent).toBe('Getting your account number…');
    await settle();
    again()?.click();
    await settle();
    expect(createWidget.mock.calls).toEqual([[options, { validate }]]);
  });

  it('preloads the widget, and does not report a failure', async () => {
    const importWidget = vi.fn<ImportWidget>(async () => widgetWith());
    for (const _ of [1, 2]) importWidget.mockRejectedValueOnce(new Error('Lost.'));
    const { preload, mountCheckout, wasOpen } = loaderOf(importWidget);
    preload();
    await settle();
    await mountCheckout(place('div'));
    preload();
    expect(await wasOpen()).toBe(false);
    expect(importWidget.mock.calls).toEqual([[0], [1], [2]]);
  });

  it('resumes and redirects like the widget', async () => {
    history.replaceState(null, '', '?reference=order-1');
    onTestFinished(() => history.replaceState(null, '', location.pathname));
    const [createWidget, openPaymentPage] = [vi.fn(() => handle), vi.fn(async () => {})];
    const loader = loaderOf(async () => widgetWith({ createWidget, openPaymentPage }));
    const host = place('div');
    const resuming = loader.resume(host, { baseUrl: '/pay' });
    expect(host.shadowRoot?.textContent).toBe('Getting your account number…');
    expect(await resuming).toBe(handle);
    await loader.redirectToCheckout({ body: 1 });
    const returned = { reference: 'order-1' };
    expect(createWidget).toHaveBeenCalledWith({ baseUrl: '/pay' }, { validate, returned });
    expect(openPaymentPage).toHaveBeenCalledWith(validateOrder({ body: 1 }));
    await expect(loader.redirectToCheckout({ merchantName: 'Kola' } as never)).rejects.toThrow(
      /merchantName/,
    );
  });

  it('keeps server-rendered content, even when the widget fails to load, and sends no early request', async () => {
    const sendEarly = vi.fn(() => undefined);
    const host = place('div');
    host.attachShadow({ mode: 'open' }).innerHTML = '<div data-rendered>9012345678</div>';
    const mounting = loaderOf(() => Promise.reject(new Error('lost')), sendEarly).mountCheckout(host);
    expect(host.shadowRoot?.textContent).toBe('9012345678');
    await expect(mounting).rejects.toMatchObject({ code: 'load_failed' });
    expect(host.shadowRoot?.textContent).toBe('9012345678');
    expect(sendEarly).not.toHaveBeenCalled();
  });
});

describe('an early session request of the loader', () => {
  const response = new Promise<never>(() => {});
  const early = { key: 'order', isFirst: true, response, take: () => undefined };

  it('is handed to the mounted or opened checkout', async () => {
    const createWidget = vi.fn(() => handle);
    const sendEarly = vi.fn(() => early);
    const options = { baseUrl: '/pay' };
    const load = () => loaderOf(async () => widgetWith({ createWidget }), sendEarly);
    await load().mountCheckout(place('div'), options);
    await load().createToOpen(options);
    const given = [options, { validate, early }];
    expect(createWidget.mock.calls).toEqual([given, given]);
  });

  it('is not sent when the widget is loaded', async () => {
    const sendEarly = vi.fn(() => undefined);
    const { mountCheckout, createToOpen, preload } = loaderOf(async () => widgetWith(), sendEarly);
    preload();
    await settle();
    await mountCheckout(place('div'));
    await createToOpen({});
    expect(sendEarly).not.toHaveBeenCalled();
  });

  it('is not sent by resume, nor for an invalid element', async () => {
    const sendEarly = vi.fn(() => undefined);
    const { resume, mountCheckout } = loaderOf(() => new Promise(() => {}), sendEarly);
    void resume(place('div'));
    mountCheckout(null as never).catch(() => {});
    expect(sendEarly).not.toHaveBeenCalled();
  });
});
