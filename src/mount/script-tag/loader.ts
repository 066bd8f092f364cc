import type { CheckoutError } from '../../contract/index.ts';
import type { createCheckout, RedirectOptions, TransferCheckout } from '../checkout.ts';
import type { Mount, Mounts } from '../custom-element.ts';
import type { CheckoutOptions } from '../options/options.ts';
import { showLine } from '../placeholder.ts';
import type { showDedicatedAccount } from '../show-dedicated-account.ts';
import type { EarlySession } from './early-session.ts';

type ShowDedicatedAccount = typeof showDedicatedAccount;

/** What the widget's file exports. */
export type Widget = Mounts & {
  readonly createCheckout: typeof createCheckout;
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

export type LoaderTools = {
  readonly importWidget: ImportWidget;
  /** Asks for the session of a checkout that starts now, where that can be done before the widget is there. */
  readonly sendEarly: (options: CheckoutOptions) => EarlySession | undefined;
};

/** The loader, and what only the script tag's own button and element may do. */
export type CreatedLoader = {
  readonly loader: Loader;
  /** Loads the widget before it is needed, and tells nobody when it does not come. */
  readonly preload: () => void;
  /** Makes a checkout that is opened at once: its session is asked for while the widget is on its way. */
  readonly createToOpen: (options: CheckoutOptions) => Promise<TransferCheckout>;
};

/**
 * Loads the widget when it is first needed; a failed load is tried once more. While `mountCheckout` or `resume` waits, a line
 * of text, or a bar, stands in the element; when there is no getting it, a line and a button to try again.
 *
 * All reject with a `CheckoutError` of code `load_failed` when there is no getting the widget (`onError` hears of it too),
 * and with what the widget's own functions throw.
 */
export function createLoader({ importWidget, sendEarly }: LoaderTools): CreatedLoader {
  const { load, isLoaded } = createLoad(importWidget);
  const early = (options: CheckoutOptions): EarlySession | undefined =>
    isLoaded() ? undefined : sendEarly(options);

  const mountBy =
    (name: 'mountCheckout' | 'resume'): LateMount =>
    async (element, options = {}) => {
      showLine(element, options);
      const isToMount = name === 'mountCheckout' && isEmpty(element);
      const session = isToMount ? early(options) : undefined;
      try {
        const widget = await load(options);
        return session
          ? widget.createCheckout(options, { early: session }).mount(element)
          : await widget[name](element, options);
      } catch (error) {
        // Who asked for it has been told; the next failure is on the page.
        showLine(element, options, () => void mountBy(name)(element, options).catch(() => {}));
        throw error;
      }
    };

  const loader: Loader = {
    mountCheckout: mountBy('mountCheckout'),
    resume: mountBy('resume'),
    createTransferCheckout: async (options = {}) => (await load(options)).createTransferCheckout(options),
    redirectToCheckout: async (options) => (await load()).redirectToCheckout(options),
    showDedicatedAccount: async (...input) => (await load()).showDedicatedAccount(...input),
    wasOpen: async (options) => (await load()).wasOpen(options),
  };
  return {
    loader,
    preload: () => void load().catch(() => {}),
    async createToOpen(options) {
      const session = early(options);
      return (await load(options)).createCheckout(options, { early: session });
    },
  };
}

/** True for an element that can hold a checkout, and holds nothing that a server has rendered. */
const isEmpty = (element: Element | null): boolean =>
  !!element?.shadowRoot && !element.shadowRoot.querySelector('[data-rendered]');

/** Loads the widget once; what has failed can be tried again. */
function createLoad(importWidget: ImportWidget) {
  let loading: Promise<Widget> | undefined;
  let isLoaded = false;
  let attempt = 0;
  const load = async (options?: CheckoutOptions): Promise<Widget> => {
    loading ??= importWidget(attempt++).catch(() => importWidget(attempt++));
    try {
      const widget = await loading;
      isLoaded = true;
      return widget;
    } catch (cause) {
      // The next mount may try again.
      loading = undefined;
      const error = toLoadError(cause);
      options?.onError?.(new CustomEvent('error', { detail: { error } }));
      throw error;
    }
  };
  return { load, isLoaded: () => isLoaded };
}

/** Looks like a CheckoutError: the class itself is in the file that did not come. */
function toLoadError(cause: unknown): CheckoutError {
  const message =
    'The checkout could not be loaded: its files lie beside checkout.js; another origin must send Access-Control-Allow-Origin.';
  return Object.assign(new Error(message), {
    name: 'CheckoutError' as const,
    code: 'load_failed' as const,
    retryAfterSeconds: undefined,
    cause,
  });
}
