import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { Session } from '../../src/contract/index.ts';
import '../../src/element.ts';
import { openFromButtons } from '../../src/entry/button.ts';
import { earlyRequestOf } from '../../src/entry/early-session.ts';
import { type CheckoutOptions, mountCheckout } from '../../src/index.ts';
import { callbackNames } from '../../src/options/callbacks.ts';
import { optionNames } from '../../src/options/options.ts';
import { headersOf, sessionOf, viewOf } from '../core/views.ts';
import { settleImports } from '../settle.ts';
import { place, stateOf } from './shop.ts';

const fieldNames = Object.keys(Session.entries);
const optionsOfTest: CheckoutOptions = {
  appearance: { theme: 'dark' },
  text: { waiting: 'Hold on' },
  logo: { src: '/logo.svg' },
};

/** For some names, a value that would be believed. */
const values: Record<string, unknown> = {
  code: 'service_unavailable',
  density: 'compact',
  payment: viewOf({ outcome: 'failed' }),
  receivedLate: true,
  sentAfter: 0,
  session: sessionOf({ outcome: 'failed' }),
};

type Stub = { readonly status: number; readonly body: unknown };

const account: Stub = { status: 201, body: sessionOf() };
const requested: string[] = [];

/** Stubs `fetch` with a server that holds polls. */
function stubResponse({ status, body }: Stub): void {
  requested.length = 0;
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    if (new Headers(init.headers).has('prefer')) return new Promise(() => {});
    requested.push(`${url} ${init.body}`);
    return new Response(JSON.stringify(body), { status, headers: headersOf('a') });
  });
}

/** Runs while every object inherits an enumerable property of this name. */
async function runPolluted<T>(name: string, run: () => Promise<T>): Promise<T> {
  const value = values[name] ?? 'https://foreign.example';
  const property = { value, configurable: true, enumerable: true, writable: true };
  Object.defineProperty(Object.prototype, name, property);
  try {
    return await run();
  } finally {
    Reflect.deleteProperty(Object.prototype, name);
  }
}

/** Mounts a checkout, and returns what it requests, shows and logs. */
async function show(response: Stub): Promise<unknown[]> {
  vi.mocked(console.error).mockClear();
  stubResponse(response);
  const host = document.body.appendChild(document.createElement('div'));
  const checkout = mountCheckout(host, optionsOfTest);
  await settleImports();
  const card = host.shadowRoot?.querySelector<HTMLElement>('.card');
  const links = [...(card?.querySelectorAll('a, img') ?? [])].map(
    (one) => one.getAttribute('href') ?? one.getAttribute('src'),
  );
  const styles = card?.style.cssText;
  const logged = vi.mocked(console.error).mock.calls.map(([error]) => `${error}`);
  checkout.unmount();
  host.remove();
  return [...requested, stateOf(host), card?.textContent, styles, links, logged];
}

const log = vi.spyOn(console, 'error');
beforeAll(() => {
  log.mockImplementation(() => {});
  // The time left is the same however long a run takes.
  vi.spyOn(performance, 'now').mockReturnValue(1000);
});
beforeEach(() => localStorage.clear());

describe.each<[string, Stub, Stub | undefined, readonly string[]]>([
  [
    'an account',
    account,
    undefined,
    [
      'foo',
      ...optionNames,
      ...callbackNames,
      ...['theme', 'density', 'variables', 'alt', 'copy', 'close', 'help', 'payment', 'returned', 'etag'],
      // The stub's own `Response` reads its status from its options.
      ...fieldNames.filter((name) => name !== 'status'),
    ],
  ],
  [
    'a stored payment',
    { status: 200, body: sessionOf({ outcome: 'expired' }) },
    account,
    [
      'foo',
      'paymentReference',
      'receivedLate',
      'sentAfter',
      'sentFor',
      'sentAtMs',
      'claimedAtMs',
      'returned',
    ],
  ],
  [
    'a paid payment',
    { status: 201, body: sessionOf({ outcome: 'paid' }) },
    undefined,
    ['foo', 'paymentReference', 'receivedLate', 'orderId', 'paidAt', 'orderChargedAmount'],
  ],
  ['a refusal', { status: 403, body: {} }, undefined, ['code', 'detail', 'payment', 'previous', 'stored']],
])('%s in a page with a polluted Object.prototype', (_what, response, before, names) => {
  let stored: string | null;
  let clean: unknown[];
  beforeAll(async () => {
    localStorage.clear();
    if (before) await show(before);
    stored = localStorage.getItem('transfer-checkout');
    clean = await show(response);
  });

  it.each(names)('is shown as without %s', async (name) => {
    if (stored) localStorage.setItem('transfer-checkout', stored);
    expect(await runPolluted(name, () => show(response))).toEqual(clean);
  });
});

it.each(['baseUrl', 'body', 'session', 'credentials'])(
  'an element, a button and an early request never read %s from a polluted Object.prototype',
  async (name) => {
    stubResponse(account);
    const create = vi.fn((_options: CheckoutOptions) => new Promise<never>(() => {}));
    openFromButtons({ mountCheckout, createTransferCheckout: create });
    const button = place('button');
    button.dataset.transferCheckout = '';
    const early = await runPolluted(name, async () => {
      const element = place('transfer-checkout');
      button.click();
      await settleImports();
      return [earlyRequestOf({}), stateOf(element)];
    });
    expect(early).toEqual([{ baseUrl: '/checkout', body: '{}', credentials: undefined }, 'awaitingTransfer']);
    expect(requested).toEqual([`${location.origin}/checkout/sessions {}`]);
    expect(Object.values(create.mock.lastCall?.[0] ?? {})).not.toContain('https://foreign.example');
    document.querySelector('[data-checkout-waiting]')?.remove();
  },
);
