import { CheckoutError } from '../contract/errors.ts';
import { type CheckoutOptions, validateOptions as validate, validateOrder } from '../options/options.ts';
import { readReference } from '../widget/dom/page.ts';
import { forget } from '../widget/dom/site-storage.ts';
import type { TransferCheckout } from './create-widget.ts';
import type { EarlySession } from './early-session.ts';
import { showFirstAccount } from './first-account.ts';
import { showPlaceholder } from './placeholder.ts';
import type { RedirectOptions } from './redirect.ts';
import { wasOpen } from './reopen.ts';

export type Widget = typeof import('../widget.ts');
/** Imports the widget's file. `attempt` counts from 0. A `CheckoutError` that it rejects with is reported as it is. */
export type ImportWidget = (attempt: number) => Promise<Widget>;

/** The functions of `window.TransferCheckout`: those of the npm package, which load the widget when one is first called. */
export type Loader = ReturnType<typeof createLoader>['loader'];

export type LoaderTools = {
  readonly importWidget: ImportWidget;
  readonly sendEarly: (options: CheckoutOptions) => EarlySession | undefined;
};

/**
 * Creates the loader, which loads the widget when it is first needed and retries once. When it cannot be loaded, all functions reject
 * with a `CheckoutError` `load_failed`, which `onError` receives, too.
 */
export function createLoader({ importWidget, sendEarly }: LoaderTools) {
  const { load, isLoaded } = createWidgetLoad(importWidget);
  const sendUnlessLoaded = (options: CheckoutOptions): EarlySession | undefined =>
    isLoaded() ? undefined : sendEarly(options);

  const deferredMount =
    (isReturned: boolean) =>
    async (element: Element, options: CheckoutOptions = {}): Promise<TransferCheckout> => {
      const placeholder = showPlaceholder(element, options);
      const returned = isReturned ? { reference: readReference() } : undefined;
      const early = !isReturned && isEmptyHost(element) ? sendUnlessLoaded(options) : undefined;
      if (placeholder && early?.isFirst)
        early.response
          .then((arrived) => isLoaded() || showFirstAccount(placeholder, options, arrived))
          // The widget reads the same response, and reports what is wrong with it.
          .catch(() => {});
      try {
        const { createWidget } = await load(options);
        return createWidget(options, { validate, returned, early }).mount(element);
      } catch (error) {
        // This error reaches the caller; a failed retry shows only in the element.
        const retry = (): void => void deferredMount(isReturned)(element, options).catch(() => {});
        showPlaceholder(element, options, { error, retry });
        throw error;
      }
    };

  const loader = {
    mountCheckout: deferredMount(false),
    resume: deferredMount(true),
    createTransferCheckout: async (options?: CheckoutOptions) =>
      (await load(options)).createWidget(options, { validate }),
    redirectToCheckout: async (options?: RedirectOptions) =>
      (await load()).openPaymentPage(validateOrder(options)),
    wasOpen,
    forget,
  };
  return {
    loader,
    preload: (): void => void load().catch(() => {}),
    /** Creates a checkout that is opened at once: its session request is sent while the widget loads. */
    async createToOpen(options: CheckoutOptions): Promise<TransferCheckout> {
      const early = sendUnlessLoaded(options);
      return (await load(options)).createWidget(options, { validate, early });
    },
  };
}

const isEmptyHost = (element: Element | null): boolean =>
  !!element?.shadowRoot && !element.shadowRoot.querySelector('[data-rendered]');

function createWidgetLoad(importWidget: ImportWidget) {
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
      loading = undefined;
      const error =
        cause instanceof CheckoutError ? cause : new CheckoutError('load_failed', loadFailed, { cause });
      // By itself, so that the browser reports what the callback throws, and the caller receives this error.
      queueMicrotask(() => options?.onError?.(new CustomEvent('error', { detail: { error } })));
      throw error;
    }
  };
  return { load, isLoaded: () => isLoaded };
}

const loadFailed =
  'The checkout could not be loaded. Its files must be beside checkout.js, or in the folder that data-assets on the tag or TransferCheckout.assets names; another origin must send Access-Control-Allow-Origin.';
