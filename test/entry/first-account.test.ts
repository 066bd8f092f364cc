import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { PaymentView } from '../../src/contract/index.ts';
import { createEarlySessions } from '../../src/entry/early-session.ts';
import { createLoader, type Widget } from '../../src/entry/loader.ts';
import type { CheckoutOptions } from '../../src/options/options.ts';
import { headersOf, sessionOf } from '../core/views.ts';
import { fieldOf, place } from './shop.ts';

beforeEach(() => {
  vi.useFakeTimers();
  // The page is older than its session.
  vi.advanceTimersByTime(5000);
  localStorage.clear();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** Mounts a checkout whose widget is not loaded, and lets its session arrive. */
async function mountSlowly(
  session: Partial<PaymentView> = {},
  options: CheckoutOptions = {},
  { status = 201, headers = headersOf('a'), afterMs = 0 } = {},
) {
  vi.stubGlobal('fetch', async () => {
    await new Promise((resolve) => setTimeout(resolve, afterMs));
    return new Response(JSON.stringify(sessionOf(session)), { status, headers });
  });
  let finish: (widget: Widget) => void = () => {};
  let fail: (error: Error) => void = () => {};
  const importWidget = () =>
    new Promise<Widget>((resolve, reject) => {
      [finish, fail] = [resolve, reject];
    });
  const host = place('div');
  const { loader } = createLoader({ importWidget, sendEarly: createEarlySessions() });
  const mounting = loader.mountCheckout(host, options);
  mounting.catch(() => {});
  await vi.advanceTimersByTimeAsync(0);
  const shown = (): string[] =>
    Array.from(host.shadowRoot?.querySelectorAll('bdi') ?? [], (one) => one.textContent ?? '');
  return { host, shown, mounting, fail: () => fail(new Error('Lost.')), finish };
}

describe('the account of an early session', () => {
  it('stands in for the widget, and counts down on the service’s clock', async () => {
    const { host, shown } = await mountSlowly();
    const account = ['₦12,500.00', '9012345678', 'Sandbox Bank', 'Kola Bookshop'];
    expect(shown()).toEqual([...account, '30:00']);
    await vi.advanceTimersByTimeAsync(61_000);
    expect(shown()).toEqual([...account, '28:59']);
    // Not a live region: the countdown would be read out every second.
    expect(host.shadowRoot?.querySelector('[role]')).toBeNull();
    // Nobody should pay into it any more.
    await vi.advanceTimersByTimeAsync(30 * 60_000);
    expect(shown()).toEqual([]);
  });

  it('is written as the options say', async () => {
    const { shown } = await mountSlowly({}, { locale: 'fr', currencyDisplay: 'code' });
    expect(shown()[0]?.replace(/\s/g, ' ')).toBe('12 500,00 NGN');
  });

  it.each<[string, ...Parameters<typeof mountSlowly>]>([
    ['is paid', { outcome: 'paid', status: 'succeeded', chargedAmount: 1_250_000 }],
    ['has a part of the money', { chargedAmount: 100_000 }],
    ['has expired', { outcome: 'expired', status: 'expired' }],
    ['is over by the service’s clock', { expiresAt: '2026-03-01T12:00:00Z' }],
    ['has no time', { expiresAt: 'soon' }],
    ['has days left, which need words', { expiresAt: '2026-03-03T12:00:00Z' }],
    ['has a status that we do not know', { status: 'on_hold' }],
    ['is paid on a page of the service', { authorizationUrl: 'https://pay.example/1' }],
    ['has no time of the service', {}, {}, { headers: {} as never }],
    ['came with an error', {}, {}, { status: 503 }],
  ])('is not shown when the payment %s', async (_what, ...given) => {
    const { host, shown } = await mountSlowly(...given);
    expect(shown()).toEqual([]);
    expect(host.shadowRoot?.textContent).toMatch(/^(Getting your account number…)?$/);
  });

  it('is not shown to a shopper who may have paid already', async () => {
    const stored = { reference: 'tc_1', clientSecret: 'cs_1', server: '/checkout', order: 'a1' };
    localStorage.setItem('transfer-checkout', JSON.stringify([stored]));
    expect((await mountSlowly()).shown()).toEqual([]);
  });

  it('is not shown once the widget is loaded, which shows it itself', async () => {
    const { shown, finish } = await mountSlowly({}, {}, { afterMs: 500 });
    finish({ createWidget: () => ({ mount: () => undefined }) } as never);
    await vi.advanceTimersByTimeAsync(500);
    expect(shown()).toEqual([]);
  });

  it('gives way to a failure', async () => {
    const { host, fail, mounting } = await mountSlowly();
    fail();
    await vi.advanceTimersByTimeAsync(0);
    fail();
    await expect(mounting).rejects.toThrow();
    expect(fieldOf(host, 'accountNumber')).toBeUndefined();
    expect(host.shadowRoot?.textContent).toMatch(/could not be loaded/);
    await vi.advanceTimersByTimeAsync(1000);
    expect(vi.getTimerCount()).toBe(0);
  });
});
