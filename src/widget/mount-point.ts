import { whenVisited } from './dom/page.ts';
import { openShadowRoot, releaseHost, takeHost } from './host.ts';
import { type Modal, openModal } from './modal/modal.ts';
import type { CheckoutModel } from './model/checkout-model.ts';
import { rememberOpenPayment } from './remember-open-payment.ts';
import { type ShownCheckout, type ShowOptions, showCheckout } from './show-checkout.ts';

/** Where one checkout is shown: in an element or in a modal dialog. */
export type MountPoint = {
  /** The element whose shadow root holds the checkout; undefined while it is hidden. */
  readonly host: () => Element | undefined;
  /** The element that dispatches the events. */
  readonly target: () => Element | undefined;
  readonly shown: () => ShownCheckout | undefined;
  readonly mount: (element: Element) => void;
  readonly open: (target?: Element) => void;
  /** Renders the checkout again in its present host. */
  readonly render: () => void;
  /** Removes the checkout from its host. */
  readonly clear: () => void;
};

export type MountPointOptions = Pick<ShowOptions, 'onError'> & {
  /** Returns the model, and creates it when needed; undefined when an event handler has unmounted the checkout meanwhile. */
  readonly startModel: (host: Element) => CheckoutModel | undefined;
  /** Called when the shopper wants to close the modal. */
  readonly onCancel: () => void;
  /** Called when something else is shown in the same host. */
  readonly onReplaced: () => void;
};

/** Creates a mount point that shows nothing yet. */
export function createMountPoint({
  startModel,
  onError,
  onCancel,
  onReplaced,
}: MountPointOptions): MountPoint {
  let host: Element | undefined;
  let target: Element | undefined;
  let modal: Modal | undefined;
  let shown: ShownCheckout | undefined;
  let stopRemembering: (() => void) | undefined;

  const remove = (): void => {
    shown?.remove();
    stopRemembering?.();
    shown = stopRemembering = undefined;
  };

  const clear = (): void => {
    remove();
    modal?.close();
    if (host) releaseHost(host);
    host = modal = undefined;
  };

  const renderNow = (): void => {
    if (!host?.shadowRoot) return;
    remove();
    const model = startModel(host);
    // An event handler may have unmounted or moved the checkout.
    if (!model || shown || !host) return;
    stopRemembering = rememberOpenPayment(model);
    modal?.setLabel(model);
    shown = showCheckout(model, host.shadowRoot as ShadowRoot, {
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
    takeHost(element, onReplaced);
    host = element;
    modal = above;
    render();
  };

  return {
    host: () => host,
    target: () => target ?? host,
    shown: () => shown,
    mount(element) {
      const root = openShadowRoot(element);
      if (element === host) return;
      target = element;
      showIn(root);
    },
    open(from) {
      if (modal && host?.isConnected) return;
      target = from ?? target;
      const above = openModal(onCancel);
      showIn(above.root, above);
    },
    render,
    clear,
  };
}
