import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type CheckoutError, type CheckoutOptions, mountCheckout } from '../../src/index.ts';
import { settleImports } from '../settle.ts';
import { place, stubServer } from './shop.ts';

/** Mounts a checkout until the end of the test. */
function mount(element: Element, options?: CheckoutOptions) {
  const handle = mountCheckout(element, options);
  onTestFinished(() => handle.unmount());
  return handle;
}

const refusalOf = (act: () => unknown): CheckoutError => {
  try {
    act();
  } catch (error) {
    return error as CheckoutError;
  }
  throw new Error('Nothing was refused.');
};

describe('a mount', () => {
  it('resolves a relative returnUrl against the page', async () => {
    stubServer({ outcome: 'paid' });
    const host = place('div');
    mount(host, { returnUrl: '/orders/1001' });
    await settleImports();
    expect(host.shadowRoot?.querySelector('a')?.href).toBe(new URL('/orders/1001', document.baseURI).href);
  });
});

describe('an unmount', () => {
  it('leaves no content, request, listener or timer', async () => {
    const { calls } = stubServer();
    const added = new Map<string, number>();
    const count = (
      target: Window | Document,
      method: 'addEventListener' | 'removeEventListener',
      by: number,
    ) => {
      const real = target[method].bind(target) as (name: string, ...rest: unknown[]) => void;
      const counted = (name: string, ...rest: unknown[]): void => {
        added.set(name, (added.get(name) ?? 0) + by);
        real(name, ...rest);
      };
      vi.spyOn(target as Window, method).mockImplementation(counted as never);
    };
    for (const target of [window, document]) {
      count(target, 'addEventListener', 1);
      count(target, 'removeEventListener', -1);
    }
    const timers = new Set<unknown>();
    const { setTimeout: set, clearTimeout: clear } = globalThis;
    vi.stubGlobal('setTimeout', (act: () => void, ms: number) => {
      const timer = set(() => {
        timers.delete(timer);
        act();
      }, ms);
      timers.add(timer);
      return timer;
    });
    vi.stubGlobal('clearTimeout', (timer: ReturnType<typeof set>) => {
      timers.delete(timer);
      clear(timer);
    });
    const host = place('div');
    const { unmount } = mountCheckout(host);
    await settleImports();
    expect(added.get('visibilitychange')).toBeGreaterThan(0);
    expect(added.get('freeze')).toBeGreaterThan(0);
    expect(timers.size).toBeGreaterThan(0);
    unmount();
    unmount();
    await settleImports();
    expect(host.shadowRoot?.innerHTML).toBe('');
    expect(calls.filter(({ init }) => init.method !== 'POST' && !init.signal?.aborted)).toEqual([]);
    expect([...added.values()].filter((count) => count !== 0)).toEqual([]);
    expect(timers.size).toBe(0);
    vi.restoreAllMocks();
  });
});

describe('a second mount in the same element', () => {
  it('replaces the first, whose handle then does nothing', async () => {
    const { calls } = stubServer();
    const host = place('div');
    const first = mount(host);
    await settleImports();
    mount(host, { merchantName: 'Second' });
    await settleImports();
    first.unmount();
    expect(host.shadowRoot?.querySelectorAll('.card').length).toBe(1);
    expect(host.shadowRoot?.textContent).toContain('Second');
    expect(calls[1]?.init.signal?.aborted).toBe(true);
  });
});

describe('a refused mount', () => {
  it.each([null, undefined, '#checkout', {}, 'closed'])(
    'says that it needs an element that can have a shadow root: %s',
    (element) => {
      const closed = element === 'closed' ? place('div') : undefined;
      closed?.attachShadow({ mode: 'closed' });
      const refusal = refusalOf(() => mountCheckout((closed ?? element) as never));
      expect([refusal.code, refusal.message]).toEqual([
        'invalid_options',
        expect.stringMatching(/needs an element/),
      ]);
    },
  );
});
