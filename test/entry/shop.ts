import { onTestFinished, vi } from 'vitest';
import type { PaymentView } from '../../src/contract/index.ts';
import { type CheckoutOptions, createTransferCheckout } from '../../src/index.ts';
import { headersOf, sessionOf, viewOf } from '../core/views.ts';
import { settleImports } from '../settle.ts';

export type Call = { readonly url: string; readonly init: RequestInit };

/** Stubs `fetch` with a checkout server, which responds at once to requests without a wait, and holds others until `respond`. */
export function stubServer(first: Partial<PaymentView> = {}) {
  // Each test starts in a new browser.
  localStorage.clear();
  const calls: Call[] = [];
  let release: ((view: PaymentView) => void) | undefined;
  vi.stubGlobal('fetch', async (href: string, init: RequestInit) => {
    const url = href.replace(location.origin, '');
    calls.push({ url, init });
    const signal = init.signal as AbortSignal;
    const isPost = init.method === 'POST';
    const [isHeld] = heldOf([{ url, init }]);
    const body = isPost
      ? sessionOf(first)
      : !isHeld
        ? viewOf(first)
        : await new Promise<PaymentView>((resolve, reject) => {
            release = resolve;
            signal.addEventListener('abort', () => reject(new DOMException('Aborted', 'AbortError')));
          });
    return new Response(JSON.stringify(body), { headers: headersOf(isHeld ? 'b' : 'a') });
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  return {
    calls,
    /** The bodies of the requests for a session. */
    posted: () => calls.filter(({ init }) => init.method === 'POST').map(({ init }) => init.body),
    /** Responds to the held request. */
    respond: async (changes: Partial<PaymentView>) => {
      release?.(viewOf(changes));
      await settleImports();
    },
  };
}

/** Returns for each call whether the server may hold its response. */
export const heldOf = (calls: readonly Call[]): boolean[] =>
  calls.map(({ init }) => new Headers(init.headers).has('prefer'));

/** Adds an element to the page for the length of the test. */
export function place<Name extends keyof HTMLElementTagNameMap>(name: Name): HTMLElementTagNameMap[Name];
export function place(name: string): HTMLElement;
export function place(name: string): HTMLElement {
  const element = document.body.appendChild(document.createElement(name));
  onTestFinished(() => element.remove());
  return element;
}

/** Creates a checkout for the length of the test. */
export function create(options?: CheckoutOptions) {
  const checkout = createTransferCheckout(options);
  onTestFinished(() => checkout.unmount());
  return checkout;
}

/** Shows a checkout of a stubbed server in a new element until the end of the test. */
export async function mounted(options?: CheckoutOptions, first?: Partial<PaymentView>) {
  const server = stubServer(first);
  const host = place('div');
  const checkout = create(options).mount(host);
  await settleImports();
  return { ...server, host, checkout };
}

export const stateOf = (element: Element): string | undefined =>
  element.shadowRoot?.querySelector('[data-state]')?.getAttribute('data-state') ?? undefined;

export const fieldOf = (element: Element, name: string): string | undefined =>
  element.shadowRoot?.querySelector(`[data-field="${name}"]`)?.textContent ?? undefined;

/** Silences the console for the length of the test, and returns what it was called with. */
export function silence(level: 'error' | 'warn') {
  const log = vi.spyOn(console, level).mockImplementation(() => {});
  onTestFinished(() => log.mockRestore());
  return log.mock.calls;
}
