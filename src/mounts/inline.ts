import { CheckoutError } from '../contract/index.ts';
import { type CheckoutModel, createCheckoutModel } from '../model/index.ts';
import { type Shown, showCheckout } from '../views/show-checkout.ts';
import { createBrowserEnvironment } from './browser-environment.ts';
import { createEmit } from './emit.ts';
import type { Modal } from './modal.ts';
import { type CheckedOptions, type CheckoutOptions, checkOptions } from './options.ts';

/** A checkout: one order's payment, shown in one place at a time. */
export type TransferCheckout = {
  /**
   * Shows it inside an element, in an open shadow root. What was shown there is replaced.
   *
   * @throws {CheckoutError} `invalid_options` when the element cannot hold a checkout
   */
  readonly mount: (element: Element) => TransferCheckout;
  /** Shows it above the page. Rejects with `load_failed` when that part does not come. */
  readonly open: () => Promise<void>;
  /**
   * Takes it out of sight. While money may be on its way the shopper is warned first; while it is being confirmed it
   * stays. The account is watched on: `mount` and `open` show it again.
   */
  readonly close: () => void;
  /** Takes it away for good. No timer, listener or request is left behind. */
  readonly unmount: () => void;
  /** Looks at the payment at once. */
  readonly refresh: () => void;
  /**
   * Changes options. Another `baseUrl`, `body`, `orderKey` or `session` is another payment and starts anew; all else is shown at once.
   *
   * @throws {CheckoutError} `invalid_options`; nothing has changed then
   */
  readonly update: (changes: CheckoutOptions) => void;
};

const shownIn = new WeakMap<Element, TransferCheckout>();

/**
 * Makes a checkout. It starts when it is first shown.
 *
 * @throws {CheckoutError} `invalid_options` when an option cannot be used; the message says what to do
 */
export function createTransferCheckout(first?: CheckoutOptions): TransferCheckout {
  const environment = createBrowserEnvironment();
  let options = first ?? {};
  let checked = checkOptions(first);
  let host: Element | undefined;
  let model: CheckoutModel | undefined;
  let modal: Modal | undefined;
  let shown: Shown | undefined;
  const emit = createEmit({ element: () => host, options: () => options, report: environment.report });

  const hide = (): void => {
    shown?.takeAway();
    modal?.close();
    if (host) shownIn.delete(host);
    host = shown = modal = undefined;
  };

  const start = (root: ShadowRoot): void => {
    const preferredLanguages = languagesOf(root.host);
    model ??= createCheckoutModel({ ...checked, preferredLanguages, environment, emit });
    // A callback may have taken it away already.
    if (host === root.host) shown = showCheckout(model, root);
    else checkout.unmount();
  };

  const checkout: TransferCheckout = {
    mount(element) {
      const root = openShadowRoot(element);
      const before = shownIn.get(element);
      if (before === checkout) return checkout;
      before?.unmount();
      hide();
      host = element;
      shownIn.set(element, checkout);
      start(root);
      return checkout;
    },
    async open() {
      if (modal) return;
      const { openModal } = await loadModal();
      if (modal) return;
      const opened = openModal(checkout.close);
      checkout.mount(opened.place);
      modal = opened;
    },
    close() {
      shown?.leave(() => {
        if (host && model && emit('close', { state: model.state.peek().name })) hide();
      });
    },
    unmount() {
      model?.stop();
      model = undefined;
      hide();
    },
    refresh: () => model?.refresh(),
    update(changes) {
      const next = { ...options, ...changes };
      const isAnother = !isSamePayment(checked, checkOptions(next));
      options = next;
      checked = checkOptions(next);
      if (!isAnother) return model?.update(checked);
      model?.stop();
      model = undefined;
      shown?.takeAway();
      if (host?.shadowRoot) start(host.shadowRoot);
    },
  };
  return checkout;
}

/**
 * Makes a checkout and shows it inside an element: the short form.
 *
 * @throws {CheckoutError} `invalid_options` when the element or an option cannot be used; the message says what to do
 */
export function mountCheckout(element: Element, options?: CheckoutOptions): TransferCheckout {
  return createTransferCheckout(options).mount(element);
}

async function loadModal(): Promise<typeof import('./modal.ts')> {
  try {
    return await import('./modal.ts');
  } catch (cause) {
    throw new CheckoutError('load_failed', 'A file of the checkout is missing.', { cause });
  }
}

/** The languages that the reader likes: the page's own first. */
function languagesOf(element: Element): string[] {
  const ofPage = element.closest<HTMLElement>('[lang]')?.lang;
  return [ofPage, ...(navigator.languages ?? [])].filter((tag) => !!tag) as string[];
}

function isSamePayment(one: CheckedOptions, other: CheckedOptions): boolean {
  const [before, after] = [one, other].map(({ baseUrl, body, orderKey, session }) =>
    JSON.stringify([baseUrl, body, orderKey, session]),
  );
  return before === after;
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
