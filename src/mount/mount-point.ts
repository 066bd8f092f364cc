import { CheckoutError } from '../contract/index.ts';
import type { CheckoutModel } from '../model/index.ts';
import { type Shown, showCheckout } from '../ui/show-checkout.ts';
import { type Modal, openModal } from './modal.ts';

/** Where a checkout is shown: in one place at a time, in an element or above the page. */
export type Stage = {
  readonly host: () => Element | undefined;
  /** The element that tells the events. */
  readonly teller: () => Element | undefined;
  readonly shown: () => Shown | undefined;
  readonly mount: (element: Element) => void;
  readonly open: (teller?: Element) => void;
  /** Draws it anew where it is. */
  readonly draw: () => void;
  /** Takes it from where it is, or is about to be. */
  readonly clear: () => void;
};

/** What takes away the checkout that an element shows. */
const shownIn = new WeakMap<Element, () => void>();

/**
 * @param startIn makes the model when something is first shown, or gives the one there is; undefined when that has ended it
 * @param onCancel is called when the shopper wants the modal closed
 * @param end is called when another checkout takes its place
 */
export function createStage(
  startIn: (host: Element) => CheckoutModel | undefined,
  onCancel: () => void,
  end: () => void,
): Stage {
  let host: Element | undefined;
  let teller: Element | undefined;
  let modal: Modal | undefined;
  let shown: Shown | undefined;
  let stopNaming: (() => void) | undefined;

  const clear = (): void => {
    shown?.takeAway();
    stopNaming?.();
    modal?.close();
    if (host) shownIn.delete(host);
    host = shown = modal = stopNaming = undefined;
  };

  const draw = (): void => {
    if (!host?.shadowRoot) return;
    shown?.takeAway();
    shown = undefined;
    const model = startIn(host);
    // A callback may have taken it away, or elsewhere.
    if (!model || shown || !host) return;
    stopNaming?.();
    stopNaming = modal?.name(model);
    shown = showCheckout(model, host.shadowRoot as ShadowRoot, modal?.frame);
    modal?.takeFocus();
  };

  const showIn = ({ host: element }: ShadowRoot, above?: Modal): void => {
    clear();
    shownIn.get(element)?.();
    shownIn.set(element, end);
    host = element;
    modal = above;
    draw();
  };

  return {
    host: () => host,
    teller: () => teller ?? host,
    shown: () => shown,
    mount(element) {
      const root = openShadowRoot(element);
      if (element === host) return;
      teller = element;
      showIn(root);
    },
    open(from) {
      if (modal && host?.isConnected) return;
      teller = from ?? teller;
      const above = openModal(onCancel);
      showIn(above.root, above);
    },
    draw,
    clear,
  };
}

function openShadowRoot(element: Element): ShadowRoot {
  try {
    return element.shadowRoot ?? element.attachShadow({ mode: 'open' });
  } catch (cause) {
    const message =
      'mountCheckout needs an element that can hold a checkout, such as a <div> that is on the page.';
    throw new CheckoutError('invalid_options', message, { cause });
  }
}
