import { effect, signal } from '@preact/signals';
import { h, render } from 'preact';
import { CheckoutError } from '../contract/index.ts';
import { Checkout } from './checkout.tsx';
import { CheckoutProvider, type PageActions } from './context.tsx';
import { addStyles, pageDocument, whenVisited } from './dom/page.ts';
import { openPayment, openPaymentOf } from './dom/site-storage.ts';
import { ErrorBoundary, type OnRenderError } from './error-boundary.tsx';
import { type Modal, openModal } from './modal.ts';
import type { CheckoutModel, ShownModel } from './model/checkout-model.ts';
import checkoutCss from './styles/checkout.css?inline';

/** How long a placeholder stays before the loading screen, which says no more and takes a slow phone about as long as the account. */
const placeholderMs = 1000;

type ShowOptions = Partial<Modal['showOptions']> & {
  readonly onError: OnRenderError;
  readonly onReturn?: () => void;
};

export type MountPointOptions = Pick<ShowOptions, 'onError'> & {
  /** Returns the model, and creates it when needed; undefined when an event handler has unmounted the checkout meanwhile. */
  readonly startModel: (host: Element) => CheckoutModel | undefined;
  readonly onCancel: () => void;
  readonly onReplaced: () => void;
};

export type MountPoint = ReturnType<typeof createMountPoint>;

export function createMountPoint({ startModel, onError, onCancel, onReplaced }: MountPointOptions) {
  let host: Element | undefined;
  let target: Element | undefined;
  let modal: Modal | undefined;
  let stopShowing: (() => void) | undefined;
  let stopRemembering: (() => void) | undefined;

  const remove = (): void => {
    stopShowing?.();
    stopRemembering?.();
    stopShowing = stopRemembering = undefined;
  };

  const clear = (): void => {
    remove();
    modal?.close();
    if (host) removeByHost.delete(host);
    host = modal = undefined;
  };

  const renderNow = (): void => {
    if (!host?.shadowRoot) return;
    remove();
    const model = startModel(host);
    // An event handler may have unmounted or moved the checkout.
    if (!model || stopShowing || !host) return;
    stopRemembering = rememberOpenPayment(model);
    modal?.setLabel(model);
    stopShowing = showCheckout(model, host.shadowRoot as ShadowRoot, {
      ...modal?.showOptions,
      onError,
      // A shopper who leaves for the shop does not want the checkout opened again there.
      onReturn: stopRemembering,
    });
    modal?.takeFocus();
  };

  /** Waits until the shopper visits the page: no payment is opened for a prerendered one. */
  const render = (): void => whenVisited(renderNow);

  const showIn = ({ host: element }: ShadowRoot, above?: Modal): void => {
    clear();
    removeByHost.get(element)?.();
    removeByHost.set(element, onReplaced);
    host = element;
    modal = above;
    render();
  };

  return {
    host: (): Element | undefined => host,
    target: (): Element | undefined => target ?? host,
    isShown: (): boolean => stopShowing !== undefined,
    mount(element: Element): void {
      const root = openShadowRoot(element);
      if (element === host) return;
      target = element;
      showIn(root);
    },
    open(from?: Element): void {
      if (modal && host?.isConnected) return;
      target = from ?? target;
      const above = openModal(onCancel);
      showIn(above.root, above);
    },
    render,
    clear,
  };
}

const removeByHost = new WeakMap<Element, () => void>();

function openShadowRoot(element: Element): ShadowRoot {
  try {
    return element.shadowRoot ?? element.attachShadow({ mode: 'open' });
  } catch (cause) {
    const message = 'The checkout needs an element that can have a shadow root, such as a <div>.';
    throw new CheckoutError('invalid_options', message, { cause });
  }
}

/** Renders a checkout into a shadow root, in place of a placeholder or server-rendered content, until the returned function is called. */
export function showCheckout(
  model: ShownModel,
  root: ShadowRoot,
  { container, css = '', onError, onClose, onReturn }: ShowOptions,
): () => void {
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
  const stopWaiting = serverRendered ? () => {} : model.clock.setTimer(showLoading, placeholderMs);
  const element = pageDocument.createElement('div');

  let isRendered = false;
  const stopRendering = effect(() => {
    const isLoading = model.translator.value.isLoading || model.state.value.name === 'loading';
    if (isRendered || (!isLoadingShown.value && isLoading)) return;
    isRendered = true;
    addStyles(root, checkoutCss + css);
    for (const node of replaced) node.remove();
    parent.append(element);
    const checkout = h(ErrorBoundary, { onError }, h(Checkout, null));
    render(h(CheckoutProvider, { model, page, isStaged: !serverRendered }, checkout), element);
  });

  return () => {
    stopWaiting();
    stopRendering();
    render(null, element);
    model.leaving.cancelLeave();
    parent.textContent = '';
    root.adoptedStyleSheets = [];
  };
}

/** The states after which nothing is reopened. `expired` is not one of them: money may still arrive. */
const endStates: readonly string[] = ['succeeded', 'receivedLate', 'failed', 'reversed'];

/** Stores which payment this page shows, so that it can be reopened, until the payment ends or the returned function is called. */
function rememberOpenPayment({ state }: CheckoutModel): () => void {
  let stored: string | undefined;
  const store = (next?: string): void => {
    if (next) openPayment.write(next);
    // Another checkout's entry stays.
    else if (stored && stored === openPayment.read()) openPayment.write(null);
    stored = next;
  };
  const stop = effect(() => {
    const now = state.value;
    const isOpen = 'payment' in now && !endStates.includes(now.name);
    store(isOpen ? openPaymentOf(now.payment.reference) : undefined);
  });
  return () => {
    stop();
    store();
  };
}
