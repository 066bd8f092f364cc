import fc from 'fast-check';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { sessionUrl } from '../../../src/core/session/session-request.ts';
import { createCheckout } from '../../../src/mount/checkout.ts';
import { earlyRequestOf } from '../../../src/mount/early-session/early-request.ts';
import { createEarlySessions } from '../../../src/mount/early-session/early-session.ts';
import { readAttributes } from '../../../src/mount/options/attributes.ts';
import { checkOptions } from '../../../src/mount/options/check-options.ts';
import { type CheckoutOptions, optionNames } from '../../../src/mount/options/options.ts';
import { headersOf, serviceTimeMs, sessionOf } from '../../core/views.ts';
import '../../setup/property-seed.ts';
import { settleImports } from '../../settle.ts';
import { fieldOf, place, stateOf, stubServer } from '../shop.ts';

beforeEach(() => localStorage.clear());

describe('an early session request', () => {
  it('is shared by equal options until its response is taken', () => {
    const { calls } = stubServer();
    const send = createEarlySessions();
    const first = send({ body: 1 });
    expect(send({ body: 1 })).toBe(first);
    send({ body: 2 });
    expect(calls.map(({ init }) => init.body)).toEqual(['1', '2']);
    expect([!!first?.take(), first?.take()]).toEqual([true, undefined]);
    send({ body: 1 });
    expect(calls).toHaveLength(3);
  });

  it('equals the request that the widget would send', async () => {
    const { calls } = stubServer();
    const options = { baseUrl: '/pay/', body: { orderId: '7' }, credentials: 'include' } as const;
    createEarlySessions()(options);
    const checkout = createCheckout(options).mount(place('div'));
    onTestFinished(() => checkout.unmount());
    await settleImports();
    const [early, late] = calls.map(({ url, init: { signal: _, ...init } }) => ({ url, init }));
    expect(early).toEqual(late);
    expect(early?.url).toBe('/pay/sessions');
  });

  it.each<[string, () => void]>([
    ['the page is prerendered', () => Object.assign(document, { prerendering: true })],
    ['the address names a payment', () => history.replaceState(null, '', '?reference=order-1')],
  ])('is not sent when %s', (_where, change) => {
    const { href } = location;
    const { calls } = stubServer();
    onTestFinished(() => {
      Reflect.deleteProperty(document, 'prerendering');
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
    const checkout = createCheckout({}).mount(place('div'));
    onTestFinished(() => checkout.unmount());
    await settleImports();
    const tokens = calls.slice(0, 2).map(({ init }) => new Headers(init.headers).get('authorization'));
    expect(tokens).toEqual(['Bearer tc_1.cs_1', 'Bearer tc_1.cs_1']);
  });

  it('is sent when storage is blocked', () => {
    const { calls } = stubServer();
    vi.stubGlobal('localStorage', {
      getItem() {
        throw new DOMException('Refused.', 'SecurityError');
      },
    });
    createEarlySessions()({});
    expect(calls).toHaveLength(1);
  });
});

describe('the options of an early request', () => {
  it.each<CheckoutOptions>([
    {},
    { baseUrl: 'https://pay.kolas-bookshop.example/checkout/' },
    { baseUrl: 'http://localhost:3000', returnUrl: '/orders', supportEmail: 'help@shop.example' },
    { locale: 'auto', appearance: { density: 'compact' } },
    { merchantName: 'Kola’s', body: { a: [1] }, onSucceeded: () => {}, locale: 'fr', logo: '/logo.svg' },
    readAttributes((name) => ({ theme: 'dark', returnAfterSeconds: '5', body: '{"a":1}' })[name]),
  ])('may be %j', (options) => {
    expect(earlyRequestOf(options)).toMatchObject({ baseUrl: checkOptions(options).baseUrl });
  });

  it.each<[object]>([
    [{ merchant: 'Kola' }],
    [{ onSucceed: () => {} }],
    [{ toString: 'x' }],
    [{ baseUrl: '' }],
    [{ baseUrl: '//other.example' }],
    [{ baseUrl: '/pay?x' }],
    [{ baseUrl: 'javascript:alert(1)' }],
    [{ credentials: 'all' }],
    [{ returnAfterSeconds: '5' }],
    [{ returnAfterSeconds: 2 }],
    [{ supportEmail: 'nobody' }],
    [{ locale: 'not a tag' }],
    [{ appearance: { them: 'dark' } }],
    [{ appearance: { them: undefined } }],
    [{ merchant: undefined }],
    [{ appearance: null }],
    [{ body: Symbol('no JSON') }],
    [{ body: 1n }],
    [{ session: sessionOf() }],
  ])('may not be %o', (options) => {
    expect(earlyRequestOf(options as CheckoutOptions)).toBeUndefined();
  });

  it('are never such as the widget refuses', () => {
    const text = fc.oneof(
      // Not `webUrl`, which takes a second to create.
      fc.stringMatching(/^https?:\/\/[a-z]{1,8}(\.[a-z]{2,4})?(:\d{1,5})?(\/[\w?#=.-]{0,8})?$/),
      fc.webPath(),
      fc.string(),
      fc.stringMatching(/^(https?:)?\/{0,2}[\w.:/?#@-]{0,12}$/),
    );
    const value = fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null), fc.array(text), fc.object());
    fc.assert(
      fc.property(fc.constantFrom(...optionNames, 'onReady', 'x'), value, (name, given) => {
        const options = { [name]: given } as CheckoutOptions;
        const request = earlyRequestOf(options);
        if (request) expect(sessionUrl(checkOptions(options))).toBe(sessionUrl(request));
      }),
      { numRuns: 1000 },
    );
  });
});

describe('a checkout with an early session request', () => {
  /** A request whose response and clock the test controls. */
  function sendSlowly(options: CheckoutOptions = {}) {
    let respond = (_response: Response): void => {};
    let now = 1000;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    const posts: RequestInit[] = [];
    vi.stubGlobal('fetch', (_url: string, init: RequestInit) => {
      if (init.method !== 'POST') return new Promise(() => {});
      posts.push(init);
      return new Promise<Response>((resolve) => {
        respond = resolve;
      });
    });
    onTestFinished(() => {
      vi.unstubAllGlobals();
      vi.restoreAllMocks();
    });
    const early = createEarlySessions()(options);
    return {
      early,
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

  const start = async (
    early: ReturnType<typeof sendSlowly>['early'],
    options: CheckoutOptions = {},
    changes?: CheckoutOptions,
  ) => {
    const host = place('div');
    const checkout = createCheckout(options, { early });
    if (changes) checkout.update(changes);
    checkout.mount(host);
    onTestFinished(() => checkout.unmount());
    await settleImports();
    return host;
  };

  it('shows its session without another request', async () => {
    const { early, posts, respond } = sendSlowly();
    await respond();
    const host = await start(early);
    expect([stateOf(host), posts.length]).toEqual(['awaitingTransfer', 1]);
  });

  it('counts the time from the arrival of the response', async () => {
    const { early, wait, respond } = sendSlowly();
    const left = { openedAt: new Date(serviceTimeMs), expiresAt: new Date(serviceTimeMs + 600_000) };
    await respond(
      sessionOf({ openedAt: left.openedAt.toISOString(), expiresAt: left.expiresAt.toISOString() }),
    );
    wait(60_000);
    expect(fieldOf(await start(early), 'countdown')).toBe('09:00');
  });

  it.each<[string, CheckoutOptions]>([
    ['other options', { body: { orderId: '2' } }],
    ['another server', { baseUrl: '/pay' }],
  ])('drops it for %s, and sends another', async (_what, changes) => {
    const { early, posts } = sendSlowly();
    await start(early, {}, changes);
    expect([posts.length, posts[0]?.signal?.aborted]).toEqual([2, true]);
  });

  it('drops it when the options contain a session', async () => {
    const { early, posts } = sendSlowly();
    const host = await start(early, {}, { session: sessionOf() });
    expect([stateOf(host), posts.length, posts[0]?.signal?.aborted]).toEqual(['awaitingTransfer', 1, true]);
  });

  it('handles a refusal like that of its own request', async () => {
    const { early, posts, respond } = sendSlowly();
    await respond({ code: 'forbidden' }, 403);
    const host = await start(early);
    expect([stateOf(host), posts.length]).toEqual(['unavailable', 1]);
  });

  it('aborts it when it is unmounted', async () => {
    const { early, posts } = sendSlowly();
    const host = place('div');
    const checkout = createCheckout({}, { early }).mount(host);
    await settleImports();
    checkout.unmount();
    expect([posts.length, posts[0]?.signal?.aborted]).toEqual([1, true]);
  });
});
