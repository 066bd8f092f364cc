import type { ControllerOptions } from '../core/controller.ts';
import { sessionRequestKey } from '../core/http.ts';
import { type CheckoutOptions, resolveOrder, validateOptions } from '../options/options.ts';
import { createBrowserEnvironment } from '../widget/dom/browser-environment.ts';
import { preferredLanguagesOf, readReference } from '../widget/dom/page.ts';
import { createEmit } from '../widget/emit.ts';
import { type CheckoutModel, createCheckoutModel } from '../widget/model/checkout-model.ts';
import { createMountPoint, type MountPoint } from '../widget/mount-point.ts';
import type { EarlySession } from './early-session.ts';
import { resolveOptions } from './resolve-options.ts';

/** A checkout for one order, shown in one element or dialog at a time. */
export type TransferCheckout = {
  /**
   * Shows the checkout inside an element, in an open shadow root. Replaces a checkout that the element shows already.
   *
   * @throws {CheckoutError} `invalid_options` when the element cannot have a shadow root
   */
  readonly mount: (element: Element) => TransferCheckout;
  /**
   * Shows the checkout above the page, in a modal dialog.
   *
   * @param target dispatches the events, for example the button that was pressed. Default: the element in which the checkout
   * was mounted before, or else the dialog's host, from which events bubble to the document
   */
  readonly open: (target?: Element) => Promise<void>;
  /**
   * Hides the checkout and keeps watching the account; `mount` and `open` show it again. Events are still emitted. Asks the shopper first
   * while an account can be paid into, or has expired.
   */
  readonly close: () => void;
  /** Removes the checkout for good. No timer, listener or request is left behind. */
  readonly unmount: () => void;
  /** Checks the payment at once. */
  readonly refresh: () => void;
  /**
   * Changes options. A new `baseUrl`, `credentials`, `body`, `orderKey` or `session` restarts the checkout; other changes show
   * at once.
   *
   * @throws {CheckoutError} `invalid_options`; the options then stay unchanged
   */
  readonly update: (changes: CheckoutOptions) => void;
};

export type MountFunctions = {
  readonly mountCheckout: (
    element: Element,
    options: CheckoutOptions,
  ) => TransferCheckout | Promise<TransferCheckout>;
  readonly createTransferCheckout: (options: CheckoutOptions) => TransferCheckout | Promise<TransferCheckout>;
};

export type StartOptions = Pick<ControllerOptions, 'returned'> & {
  /** `validateOptions`. A parameter, because the script tag's loader has it already, and the widget's file is smaller without it. */
  readonly validate: typeof validateOptions;
  /** The session request that was sent while the widget loaded. It is dropped when the options have changed since. */
  readonly early?: EarlySession | undefined;
};

/**
 * Creates a checkout. It starts when it is first shown.
 *
 * @throws {CheckoutError} `invalid_options` when an option is invalid; the message says what to write
 */
export function createTransferCheckout(options?: CheckoutOptions): TransferCheckout {
  return createWidget(options, { validate: validateOptions });
}

/**
 * Creates a checkout and shows it inside an element.
 *
 * @throws {CheckoutError} `invalid_options` when the element or an option is invalid; the message says what to write
 */
export function mountCheckout(element: Element, options?: CheckoutOptions): TransferCheckout {
  return createTransferCheckout(options).mount(element);
}

/**
 * Shows the payment of a shopper who returns from the service's page, on the page that `returnUrl` names. Only `?reference=` is
 * read from the page's address, and it only selects among the payments that this browser has stored; the server is asked for the
 * payment's status. In another browser the screen says that the shop will confirm. Never creates a payment.
 *
 * @throws {CheckoutError} as `mountCheckout` does
 */
export function resume(element: Element, options?: CheckoutOptions): TransferCheckout {
  const returned = { reference: readReference() };
  return createWidget(options, { validate: validateOptions, returned }).mount(element);
}

export function createWidget(
  first: CheckoutOptions = {},
  { validate, returned, early }: StartOptions,
): TransferCheckout {
  const environment = createBrowserEnvironment();
  const { report } = environment;
  let options = first;
  let checked = resolveOptions(validate(first, report));
  let model: CheckoutModel | undefined;
  const emit = createEmit({ target: () => mountPoint.target(), options: () => options, report });
  const fixed = { returned, takeEarly: early?.take, environment, emit };

  const startModel = (host: Element): CheckoutModel | undefined => {
    if (checked.session || early?.key !== sessionRequestKey(checked)) early?.take()?.abort();
    if (model) return model;
    const preferredLanguages = preferredLanguagesOf(host);
    const created = createCheckoutModel({ ...checked, ...fixed, preferredLanguages });
    // Its first event may have unmounted, moved or restarted the checkout.
    if (mountPoint.host() === host && !model) model = created;
    else created.stop();
    return model;
  };

  const stopModel = (): void => {
    model?.stop();
    model = undefined;
  };

  const mountPoint: MountPoint = createMountPoint({
    startModel,
    onError(error) {
      if (emit('error', { error })) report(error);
    },
    onCancel: () => checkout.close(),
    onReplaced: () => checkout.unmount(),
  });

  const checkout: TransferCheckout = {
    mount(element) {
      mountPoint.mount(element);
      return checkout;
    },
    open: async (target) => mountPoint.open(target),
    close() {
      if (!model || !mountPoint.isShown()) return mountPoint.clear();
      model.leaving.leave(() => {
        if (model && emit('close', { state: model.state.peek().name })) mountPoint.clear();
      });
    },
    unmount() {
      stopModel();
      mountPoint.clear();
    },
    refresh: () => model?.refresh(),
    update(changes) {
      const next = { ...options, ...changes };
      const before = orderOf(checked);
      checked = resolveOptions(validate(next, report));
      options = next;
      if (orderOf(checked) === before) return model?.update(checked);
      stopModel();
      mountPoint.render();
    },
  };
  return checkout;
}

export const orderOf = (options: CheckoutOptions): string =>
  JSON.stringify([resolveOrder(options), options.session]);
