import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createWidget } from '../../src/entry/create-widget.ts';
import { createEarlySessions, type EarlySession } from '../../src/entry/early-session.ts';
import { type CheckoutOptions, validateOptions as validate } from '../../src/options/options.ts';
import { headersOf, serviceTimeMs, sessionOf } from '../core/views.ts';
import { settleImports } from '../settle.ts';
import { fieldOf, place, stateOf, stubServer } from './shop.ts';

beforeEach(() => localStorage.clear());

/** Shows a checkout until the end of the test. */
function showIn(host: Element, options: CheckoutOptions = {}, early?: EarlySession) {
  const checkout = createWidget(options, { validate, early }).mount(host);
  onTestFinished(() => checkout.unmount());
  return checkout;
}

describe('an early session request', () => {
  it('is shared by equal options until its response is taken', () => {
    const { calls } = stubServer();
    const send = createEarlySessions();
    const first = send({ body: 1 });
    expect(send({ body: 1 })).toBe(first);
    send({ body: 2 });
    expect(calls.map(({ init }) => init.body)).toEqual(['1', '2']);
    expect(first?.take()).toBeDefined();
    expect(first?.take()).toBeUndefined();
    send({ body: 1 });
    expect(calls).toHaveLength(3);
  });

  it.each([
    ['has failed', () => Promise.reject(new TypeError('Failed to fetch'))],
    ['was refused', async () => new Response('{}', { status: 503 })],
  ])('that %s is not kept: the next try sends another one at once', async (_what, respond) => {
    const fetch = vi.fn(respond);
    vi.stubGlobal('fetch', fetch);
    const send = createEarlySessions();
    const first = send({});
    await settleImports();
    expect(send({})).not.toBe(first);
    expect(fetch).toHaveBeenCalledTimes(2);
  });

  it('equals the request that the widget would send', async () => {
    const { calls } = stubServer();
    const options = { baseUrl: '/pay/', body: { orderId: '7' }, credentials: 'include' } as const;
    createEarlySessions()(options);
    showIn(place('div'), options);
    await settleImports();
    const [early, late] = calls.map(({ url, init: { signal: _, ...init } }) => ({ url, init }));
    expect(early).toEqual(late);
    expect(early?.url).toBe('/pay/sessions');
  });

  it.each<[string, () => void]>([
    [
      'the page is prerendered',
      () => Object.defineProperty(Document.prototype, 'prerendering', { value: true, configurable: true }),
    ],
    ['the address names a payment', () => history.replaceState(null, '', '?reference=order-1')],
  ])('is not sent when %s', (_where, change) => {
    const { href } = location;
    const { calls } = stubServer();
    onTestFinished(() => {
      Reflect.deleteProperty(Document.prototype, 'prerendering');
      history.replaceState(null, '', href);
    });
    change();
    expect(createEarlySessions()({})).toBeUndefined();
    expect(calls).toEqual([]);
  });

  it('names the stored payments, as the widget would', async () => {
    const { calls } = stubServer();
    const stored = { reference: 'tc_1', clientSecret: 'cs_1', server: '/checkout', order: 'a1' };
    const other = { ...stored, reference: 'tc_2', server: '/pay' };
    localStorage.setItem('transfer-checkout', JSON.stringify([stored, other]));
    createEarlySessions()({});
    showIn(place('div'));
    await settleImports();
    const tokens = calls.slice(0, 2).map(({ init }) => new Headers(init.headers).get('checkout-secret'));
    expect(tokens).toEqual(['tc_1.cs_1', 'tc_1.cs_1']);
  });
});

describe('a checkout with an early session request', () => {
  /** A request whose response and clock the test controls. */
  function sendSlowly() {
    let respond = (_response: Response): void => {};
    let now = 1000;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    const posts: RequestInit[] = [];
    vi.stubGlobal('fetch', (_url: string, init: RequestInit) => {
      if (init.method !== 'POST') return new Promise(() => {});
      posts.push(init);
      return new Promise<Response>((resolve) => (respond = resolve));
    });
    onTestFinished(() => {
      vi.unstubAllGlobals();
      vi.restoreAllMocks();
    });
    return {
      early: createEarlySessions()({}),
      posts,
      wait: (ms: number) => {
        now += ms;
      },
      respond: async (body: object = sessionOf(), status = 201) => {
        respond(new Response(JSON.stringify(body), { status, headers: headersOf('a') }));
        await settleImports();
      },
    };
  }

  const start = async (early?: EarlySession, changes: CheckoutOptions = {}) => {
    const host = place('div');
    const checkout = createWidget({}, { validate, early });
    onTestFinished(() => checkout.unmount());
    checkout.update(changes);
    checkout.mount(host);
    await settleImports();
    return host;
  };

  it('shows its session without another request', async () => {
    const { early, posts, respond } = sendSlowly();
    await respond();
    const host = await start(early);
    expect([stateOf(host), posts.length]).toEqual(['awaitingTransfer', 1]);
  });

  it.each([
    ['an arrived session', 0, ['awaitingTransfer', 'awaitingTransfer', 'awaitingTransfer']],
    ['the session that arrives within a second', 1, [undefined, 'awaitingTransfer', 'awaitingTransfer']],
    ['the loading screen, until a later session arrives', 2, [undefined, 'loading', 'awaitingTransfer']],
  ] as const)('replaces a placeholder by %s', async (_what, arrival, expected) => {
    const { early, respond } = sendSlowly();
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const host = place('div');
    host.attachShadow({ mode: 'open' }).innerHTML = '<p>Placeholder</p>';
    if (arrival === 0) await respond();
    showIn(host, {}, early);
    expect(host.shadowRoot?.textContent).toBe('Placeholder');
    // The card's styles would hide a placeholder's progress bar.
    expect(host.shadowRoot?.adoptedStyleSheets).toHaveLength(0);
    const states: (string | undefined)[] = [];
    await settleImports();
    vi.advanceTimersByTime(999);
    states.push(stateOf(host));
    if (arrival === 1) await respond();
    vi.advanceTimersByTime(1);
    states.push(stateOf(host));
    if (arrival === 2) await respond();
    states.push(stateOf(host));
    expect(states).toEqual(expected);
    expect(host.shadowRoot?.textContent).not.toContain('Placeholder');
  });

  it('counts the time from the arrival of the response', async () => {
    const { early, wait, respond } = sendSlowly();
    await respond(sessionOf({ expiresAt: new Date(serviceTimeMs + 600_000).toISOString() }));
    wait(60_000);
    expect(fieldOf(await start(early), 'countdown')).toBe('09:00');
  });

  it.each<[string, CheckoutOptions]>([
    ['other options', { body: { orderId: '2' } }],
    ['another server', { baseUrl: '/pay' }],
  ])('drops it for %s, and sends another', async (_what, changes) => {
    const { early, posts } = sendSlowly();
    await start(early, changes);
    expect(posts.map(({ signal }) => signal?.aborted)).toEqual([true, false]);
  });

  it('aborts it when it is unmounted', async () => {
    const { early, posts } = sendSlowly();
    const checkout = showIn(place('div'), {}, early);
    await settleImports();
    checkout.unmount();
    expect(posts.map(({ signal }) => signal?.aborted)).toEqual([true]);
  });
});
