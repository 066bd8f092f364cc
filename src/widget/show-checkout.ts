import { effect, signal } from '@preact/signals';
import { h, render } from 'preact';
import { Checkout } from './checkout.tsx';
import { CheckoutProvider, type PageActions } from './context.tsx';
import { addStyles, pageDocument, preferredLanguagesOf } from './dom/page.ts';
import { ErrorBoundary, type OnRenderError } from './error-boundary.tsx';
import type { Modal } from './modal.ts';
import type { CheckoutModel } from './model/checkout-model.ts';
import checkoutCss from './styles/checkout.css?inline';

export type ShowOptions = Partial<Modal['showOptions']> & {
  readonly onError: OnRenderError;
  readonly onReturn?: () => void;
};

export type ShownCheckout = ReturnType<typeof showCheckout>;

/** Renders a checkout into a shadow root, in place of a placeholder or server-rendered content, until it is removed. */
export function showCheckout(
  model: CheckoutModel,
  root: ShadowRoot,
  { container, css = '', onError, onClose, onReturn }: ShowOptions,
) {
  const reader = { preferredLanguages: preferredLanguagesOf(root.host) };
  const page: PageActions = {
    go(url) {
      onReturn?.();
      location.assign(url);
    },
    onClose,
    onReturn,
  };
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
    const isLoading = model.translator.value.isLoading || model.state.value.name === 'loading';
    if (isRendered || (!isLoadingShown.value && isLoading)) return;
    isRendered = true;
    for (const node of replaced) node.remove();
    parent.append(element);
    const checkout = h(ErrorBoundary, { onError }, h(Checkout, null));
    render(h(CheckoutProvider, { model, reader, page, isStaged: !serverRendered }, checkout), element);
  });

  return {
    remove(): void {
      stopWaiting();
      stopRendering();
      render(null, element);
      model.leaving.cancelLeave();
      parent.textContent = '';
      root.adoptedStyleSheets = [];
    },
  };
}
