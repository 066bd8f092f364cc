import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { CheckoutError, type CheckoutOptions, mountCheckout } from '../../src/index.ts';
import { sessionOf } from '../core/views.ts';
import { settleImports } from '../settle.ts';
import { fieldOf, heldOf, place, stateOf, stubServer } from './shop.ts';

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
  it('shows a checkout in an open shadow root, from loading to paid', async () => {
    const { calls, respond } = stubServer();
    const host = place('div');
    const names: string[] = [];
    const onSucceeded = vi.fn();
    mount(host, {
      body: { orderId: '1001' },
      onStatusChange: ({ detail }) => names.push(detail.state),
      onSucceeded,
    });
    expect(stateOf(host)).toBe('loading');
    await settleImports();
    expect(calls[0]).toMatchObject({ url: '/checkout/sessions', init: { body: '{"orderId":"1001"}' } });
    expect(fieldOf(host, 'accountNumber')).toBe('9012345678');
    await respond({ outcome: 'paid', status: 'succeeded' });
    expect(stateOf(host)).toBe('succeeded');
    expect(names).toEqual(['awaitingTransfer', 'succeeded']);
    expect(onSucceeded).toHaveBeenCalledOnce();
  });

  it('sends an empty object without a body', async () => {
    const { calls } = stubServer();
    mount(place('div'));
    await settleImports();
    expect(calls[0]?.init.body).toBe('{}');
  });

  it('creates no session when it is given one', async () => {
    const { calls } = stubServer();
    const host = place('div');
    mount(host, { session: sessionOf(), baseUrl: 'https://pay.shop.example/checkout/' });
    await settleImports();
    expect(fieldOf(host, 'reference')).toBe('order-1001-1');
    const pollUrl = 'https://pay.shop.example/checkout/sessions/order-1001-1';
    expect(calls.map(({ url }) => url)).toEqual([pollUrl, pollUrl]);
  });

  it('never writes the secret into the page', async () => {
    stubServer();
    const host = place('div');
    mount(host, { session: sessionOf() });
    await settleImports();
    expect(host.outerHTML + host.shadowRoot?.innerHTML).not.toContain(sessionOf().clientSecret);
  });

  it.each(['light', 'dark', undefined] as const)('has the theme %s', async (theme) => {
    stubServer();
    const host = place('div');
    mount(host, { appearance: { theme } });
    expect(host.shadowRoot?.querySelector('.card')?.getAttribute('data-theme')).toBe(theme ?? 'auto');
  });

  it('resolves a relative returnUrl against the page', async () => {
    stubServer({ outcome: 'paid' });
    const host = place('div');
    mount(host, { returnUrl: '/orders/1001' });
    await settleImports();
    expect(host.shadowRoot?.querySelector('a')?.href).toBe(new URL('/orders/1001', document.baseURI).href);
  });

  it('checks at once on refresh', async () => {
    const { calls } = stubServer();
    const { refresh } = mount(place('div'));
    await settleImports();
    refresh();
    await settleImports();
    expect(heldOf(calls)).toEqual([false, true, false, true]);
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

  it('can be followed by another mount in the same element', async () => {
    stubServer();
    const host = place('div');
    mountCheckout(host).unmount();
    mount(host);
    await settleImports();
    expect(stateOf(host)).toBe('awaitingTransfer');
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

  it('leaves the first unchanged if an option is invalid', async () => {
    stubServer();
    const host = place('div');
    mount(host);
    await settleImports();
    refusalOf(() => mountCheckout(host, { baseUrl: 'ftp://x' }));
    expect(stateOf(host)).toBe('awaitingTransfer');
  });
});

describe('a refused mount', () => {
  const wrong: [string, unknown, RegExp][] = [
    ['an invalid option', { baseUrl: 'checkout' }, /baseUrl must be a path/],
    ['a session without a secret', { session: { ...sessionOf(), clientSecret: '' } }, /session must be/],
    ['a session of another kind', { session: 'cs_test_1' }, /session must be/],
  ];

  it.each(wrong)('says in one clear sentence that it got %s', (_what, options, message) => {
    const { calls } = stubServer();
    const refusal = refusalOf(() => mountCheckout(place('div'), options as CheckoutOptions));
    expect(refusal).toBeInstanceOf(CheckoutError);
    expect([refusal.code, refusal.message]).toEqual(['invalid_options', expect.stringMatching(message)]);
    expect(calls).toEqual([]);
  });

  it('does not quote the secret of a session', () => {
    const session = { ...sessionOf(), reference: '' };
    const { message, stack } = refusalOf(() => mountCheckout(place('div'), { session }));
    expect(message + stack).not.toContain(session.clientSecret);
  });

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

describe('an error', () => {
  it('goes to onError once, and not to the console', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    vi.stubGlobal('fetch', async () => new Response('<html>'));
    const host = place('div');
    const onError = vi.fn();
    mount(host, { onError });
    await settleImports();
    expect(stateOf(host)).toBe('unavailable');
    expect(onError.mock.calls).toMatchObject([[{ detail: { error: { code: 'invalid_response' } } }]]);
    expect(log).not.toHaveBeenCalled();
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
  });

  it('goes to the console once without onError', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    vi.stubGlobal('fetch', async () => new Response('<html>'));
    mount(place('div'));
    await settleImports();
    expect(log.mock.calls).toMatchObject([[{ code: 'invalid_response' }]]);
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
  });
});
