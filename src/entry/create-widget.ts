import { ownCopy } from '../contract/index.ts';
import type { ControllerOptions } from '../core/controller.ts';
import { sessionRequestKey } from '../core/session/session-request.ts';
import type { CheckoutOptions } from '../options/options.ts';
import { resolveOrder } from '../options/order-options.ts';
import type { ValidOptions } from '../options/validate-options.ts';
import { createBrowserEnvironment } from '../widget/dom/browser-environment.ts';
import { preferredLanguagesOf } from '../widget/dom/page.ts';
import { createEmit } from '../widget/emit.ts';
import { followClosed } from '../widget/modal/closed-checkout.ts';
import { type CheckoutModel, createCheckoutModel } from '../widget/model/checkout-model.ts';
import { createMountPoint, type MountPoint } from '../widget/mount-point.ts';
import type { EarlySession } from './early-session.ts';
import { resolveOptions } from './options/resolve-options.ts';

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
   * Hides the checkout and keeps watching the account; `mount` and `open` show it again. Events are still emitted, and the button that
   * opened it says "See your payment", then "Paid". Asks the shopper first while an account can be paid into, or has expired.
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

/** The functions that create a checkout, at once or when the widget is loaded: one shown in an element, or one to be opened. */
export type MountFunctions = {
  readonly mountCheckout: (
    element: Element,
    options: CheckoutOptions,
  ) => TransferCheckout | Promise<TransferCheckout>;
  readonly createTransferCheckout: (options: CheckoutOptions) => TransferCheckout | Promise<TransferCheckout>;
};

/** How a checkout starts. */
export type StartOptions = Pick<ControllerOptions, 'returned'> & {
  /** `validateOptions`. A parameter, because the script tag's loader has it already, and the widget's file is smaller without it. */
  readonly validate: (given: CheckoutOptions) => ValidOptions;
  /** The session request that was sent while the widget loaded. It is dropped when the options have changed since. */
  readonly early?: EarlySession | undefined;
};

/**
 * Creates a checkout. It starts when it is first shown.
 *
 * @throws {CheckoutError} `invalid_options`
 */
export function createWidget(first: CheckoutOptions = {}, start: StartOptions): TransferCheckout {
  const { validate, returned, early } = ownCopy(start);
  const environment = createBrowserEnvironment();
  let options = ownCopy(first);
  let checked = resolveOptions(validate(first));
  let model: CheckoutModel | undefined;
  let stopFollowing: (() => void) | undefined;
  const { report } = environment;
  const emit = createEmit({ target: () => mountPoint.target(), options: () => options, report });
  const fixed = { returned, takeEarly: early?.take, environment, emit };

  const startModel = (host: Element): CheckoutModel | undefined => {
    stopFollowing?.();
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
    stopFollowing?.();
    model?.stop();
    stopFollowing = model = undefined;
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
      const shown = mountPoint.shown();
      if (!shown) return mountPoint.clear();
      shown.leave(() => {
        if (!model || !emit('close', { state: model.state.peek().name })) return;
        // Before the dialog returns the focus to the button, whose label is then read. The handler may have unmounted the checkout.
        if (model) stopFollowing = followClosed(mountPoint.target(), model);
        mountPoint.clear();
      });
    },
    unmount() {
      stopModel();
      mountPoint.clear();
    },
    refresh: () => model?.refresh(),
    update(changes) {
      const next = ownCopy({ ...options, ...changes });
      const before = orderOf(checked);
      checked = resolveOptions(validate(next));
      options = next;
      if (orderOf(checked) === before) return model?.update(checked);
      stopModel();
      mountPoint.render();
    },
  };
  return checkout;
}

/** The options that identify the order, as one string to compare. */
export const orderOf = (options: CheckoutOptions): string =>
  JSON.stringify([resolveOrder(options), options.session]);
