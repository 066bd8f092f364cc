import { effect, signal } from '@preact/signals';
import { h, render } from 'preact';
import { Checkout } from './checkout.tsx';
import { createCheckoutContext } from './create-context.ts';
import { addStyles } from './dom/add-styles.ts';
import { pageDocument, preferredLanguagesOf } from './dom/page.ts';
import { ErrorBoundary, type OnRenderError } from './error-boundary.tsx';
import { CheckoutProvider } from './hooks/use-checkout.ts';
import type { ModalOptions } from './modal/modal.ts';
import type { CheckoutModel } from './model/checkout-model.ts';
import checkoutCss from './styles/checkout.css?inline';

export type ShowOptions = ModalOptions & {
  readonly onError: OnRenderError;
  /** Called when the shopper leaves for the shop, or is about to return there. */
  readonly onReturn?: () => void;
};

export type ShownCheckout = {
  /** Calls `go`; asks the shopper first while `isShopperNeeded`. */
  readonly leave: (go: () => void) => void;
  /** Removes the checkout and empties its container. */
  readonly remove: () => void;
};

/**
 * Renders a checkout into a shadow root until it is removed, and changes nothing else of its host. Server-rendered content stays until
 * the first state other than `loading`. A placeholder stays until the next task: where the account has arrived by then, rendering the
 * loading screen first would delay it by a tenth of a second on a slow phone.
 */
export function showCheckout(
  model: CheckoutModel,
  root: ShadowRoot,
  { container, css = '', onError, onClose, onReturn }: ShowOptions,
): ShownCheckout {
  const context = createCheckoutContext(model, {
    reader: { preferredLanguages: preferredLanguagesOf(root.host) },
    page: {
      go(url) {
        onReturn?.();
        location.assign(url);
      },
      onClose,
      onReturn,
    },
  });
  const { state, viewState } = context;
  const parent = container ?? root;
  const serverRendered = root.querySelector('[data-rendered]');
  const replaced = serverRendered ? [serverRendered] : [...parent.childNodes];
  const isLoadingShown = signal(replaced.length === 0);
  const showLoading = (): void => {
    isLoadingShown.value = true;
  };
  const stopWaiting = serverRendered ? () => {} : model.clock.setTimer(showLoading, 0);
  addStyles(root, checkoutCss + css);
  const element = pageDocument.createElement('div');

  let isRendered = false;
  const stopRendering = effect(() => {
    const { name } = state.value;
    if (isRendered || (!isLoadingShown.value && name === 'loading')) return;
    isRendered = true;
    for (const node of replaced) node.remove();
    parent.append(element);
    const checkout = h(ErrorBoundary, { onError }, h(Checkout, null));
    render(h(CheckoutProvider, { value: context }, checkout), element);
  });
  const stops = [stopWaiting, stopRendering, viewState.stop];

  return {
    leave: viewState.leaving.leave,
    remove() {
      for (const stop of stops) stop();
      render(null, element);
      parent.textContent = '';
      root.adoptedStyleSheets = [];
    },
  };
}
