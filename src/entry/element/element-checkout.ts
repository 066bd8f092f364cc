import type { CheckoutOptions } from '../../options/options.ts';
import { pageDocument } from '../../widget/dom/page.ts';
import type { MountFunctions, TransferCheckout } from '../create-widget.ts';
import { openWithLoadingDialog, type ShowFailure } from '../loading-dialog.ts';
import { readElement } from '../options/attributes.ts';
import { showPlaceholder } from '../placeholder.ts';

/** The checkout of one `<transfer-checkout>`. */
export type ElementCheckout = {
  /** Applies what has changed to the element's options, or to its place on the page, once the task ends. */
  readonly changed: (areOptionsNew: boolean) => void;
  readonly open: () => Promise<void>;
  readonly close: () => Promise<void>;
  readonly refresh: () => Promise<void>;
};

/** Creates the checkout of an element. It is shown while the element is on the page; with `modal`, once it is opened. */
export function createElementCheckout(element: HTMLElement, mounts: MountFunctions): ElementCheckout {
  /** Undefined until the first mount; the promise resolves with undefined when that fails. */
  let mounted: Promise<TransferCheckout | undefined> | undefined;
  let isStale = true;
  const isModal = (): boolean => element.hasAttribute('modal');

  const update = (): void => {
    if (!element.isConnected) {
      mounted?.then((checkout) => checkout?.unmount());
      mounted = undefined;
      isStale = true;
    } else if (isRenderedLater(element)) {
      void untilRendered(element).then(update);
    } else if (isStale && (mounted || !isModal())) apply();
  };

  const apply = (showFailure?: ShowFailure): Promise<TransferCheckout | undefined> => {
    isStale = false;
    mounted = applyTo(mounted, showFailure);
    return mounted;
  };

  /** Updates the checkout, or creates it. Errors become events. */
  const applyTo = async (
    before: Promise<TransferCheckout | undefined> | undefined,
    showFailure: ShowFailure | undefined,
  ): Promise<TransferCheckout | undefined> => {
    const checkout = await before;
    const options = readElement(element);
    try {
      if (!checkout) return await create(options);
      checkout.update(options);
    } catch (error) {
      if (!checkout) showFailure?.(error);
      if (!checkout && !isModal()) showPlaceholder(element, options, { error, retry: () => apply() });
      report(element, error);
    }
    return checkout;
  };

  const create = (options: CheckoutOptions) =>
    isModal() ? mounts.createTransferCheckout(options) : mounts.mountCheckout(element, options);

  const openModal = (): Promise<void> =>
    openWithLoadingDialog({
      target: element,
      options: readElement(element),
      create: apply,
      retry: openModal,
    });

  return {
    changed(areOptionsNew) {
      isStale ||= areOptionsNew;
      // Frameworks set attributes and properties and insert the element one after the other.
      queueMicrotask(update);
    },
    async open() {
      if (isModal()) return openModal();
      await untilRendered(element);
      await (await apply())?.open(element);
    },
    close: async () => (await mounted)?.close(),
    refresh: async () => (await mounted)?.refresh(),
  };
}

/**
 * Returns whether the parser has not reached the element's server-rendered content yet, for example while it waits for the style
 * sheet. A checkout shown before that would end up above the content.
 */
const isRenderedLater = (element: Element): boolean =>
  element.hasAttribute('data-server-rendered') &&
  pageDocument.readyState === 'loading' &&
  !element.shadowRoot?.querySelector('[data-rendered]');

/** Waits until the parser has reached the element's server-rendered content, or the end of the page. */
async function untilRendered(element: Element): Promise<void> {
  while (isRenderedLater(element))
    await new Promise((resolve) =>
      pageDocument.addEventListener('readystatechange', resolve, { once: true }),
    );
}

/** Dispatches an error as an event, which does not bubble. An error that no listener cancels is logged. */
function report(element: Element, error: unknown): void {
  const event = new CustomEvent('error', { detail: { error }, cancelable: true });
  // biome-ignore lint/suspicious/noConsole: no listener has handled the error, and the developer needs to see it
  if (element.dispatchEvent(event)) console.error(error);
}
