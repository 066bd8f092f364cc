import type { CheckoutError } from '../contract/index.ts';
import type { Mount, Mounts } from './checkout-element.ts';
import type { RedirectOptions, TransferCheckout } from './inline.ts';
import { showLine } from './line.ts';
import type { CheckoutOptions } from './options.ts';
import type { showDedicatedAccount } from './show-dedicated-account.ts';

type ShowDedicatedAccount = typeof showDedicatedAccount;

/** What the widget's file exports. */
export type Widget = Mounts & {
  readonly wasOpen: (options?: CheckoutOptions) => Promise<boolean>;
  readonly resume: Mount;
  readonly redirectToCheckout: (options?: RedirectOptions) => Promise<void>;
  readonly showDedicatedAccount: ShowDedicatedAccount;
};

/** Fetches the widget's file; `attempt` is 0 at first, and another with every failure. */
export type ImportWidget = (attempt: number) => Promise<Widget>;

type LateMount = (element: Element, options?: CheckoutOptions) => Promise<TransferCheckout>;

/** What the script tag offers: the widget's own functions, which load it when one is first called. */
export type Loader = {
  readonly mountCheckout: LateMount;
  readonly resume: LateMount;
  readonly createTransferCheckout: (options?: CheckoutOptions) => Promise<TransferCheckout>;
  readonly redirectToCheckout: (options?: RedirectOptions) => Promise<void>;
  readonly showDedicatedAccount: ShowDedicatedAccount;
  readonly wasOpen: (options?: CheckoutOptions) => Promise<boolean>;
};

/**
 * Loads the widget when it is first needed; a failed load is tried once more. While `mountCheckout` or `resume` waits, a line
 * of text, or a bar, stands in the element; when there is no getting it, a line and a button to try again. `preload` loads it before it
 * is needed, and tells nobody when it does not come.
 *
 * All reject with a `CheckoutError` of code `load_failed` when there is no getting the widget (`onError` hears of it too),
 * and with what the widget's own functions throw.
 */
export function createLoader(importWidget: ImportWidget): Loader & {
  readonly preload: () => void;
} {
  let loaded: Promise<Widget> | undefined;
  let attempt = 0;
  const load = (options?: CheckoutOptions): Promise<Widget> => {
    loaded ??= importWidget(attempt++).catch(() => importWidget(attempt++));
    return loaded.catch((cause: unknown) => {
      // The next mount may try again.
      loaded = undefined;
      const error = toLoadError(cause);
      options?.onError?.(new CustomEvent('error', { detail: { error } }));
      throw error;
    });
  };
  const mountBy =
    (name: 'mountCheckout' | 'resume'): LateMount =>
    async (element, options = {}) => {
      showLine(element, options);
      try {
        return await (await load(options))[name](element, options);
      } catch (error) {
        // Who asked for it has been told; the next failure is on the page.
        showLine(element, options, () => void mountBy(name)(element, options).catch(() => {}));
        throw error;
      }
    };
  return {
    mountCheckout: mountBy('mountCheckout'),
    resume: mountBy('resume'),
    createTransferCheckout: async (options = {}) => (await load(options)).createTransferCheckout(options),
    redirectToCheckout: async (options) => (await load()).redirectToCheckout(options),
    showDedicatedAccount: async (...input) => (await load()).showDedicatedAccount(...input),
    wasOpen: async (options) => (await load()).wasOpen(options),
    preload: () => void load().catch(() => {}),
  };
}

/** Looks like a CheckoutError: the class itself is in the file that did not come. */
function toLoadError(cause: unknown): CheckoutError {
  const message = 'The checkout could not be loaded; its files must lie beside checkout.js.';
  return Object.assign(new Error(message), {
    name: 'CheckoutError' as const,
    code: 'load_failed' as const,
    retryAfterSeconds: undefined,
    cause,
  });
}
