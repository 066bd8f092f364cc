import type { Emit } from '../core/index.ts';
import { storageOf } from '../core/session/order.ts';
import { createLink } from '../core/session/returned-link.ts';
import { keyOf } from '../core/session/session-request.ts';
import {
  type CheckoutModel,
  type CheckoutModelOptions,
  createCheckoutModel,
  type PaymentView,
} from '../model/index.ts';
import { likedLanguages } from '../ui/preferred-languages.ts';
import { createBrowserEnvironment } from './browser-environment.ts';
import { createEmit } from './emit.ts';
import { createStage, type Stage } from './mount-point.ts';
import { type CheckedOptions, checkOptions } from './options/check-options.ts';
import type { CheckoutOptions } from './options/options.ts';
import { warnOfNames } from './options/warn-unknown-names.ts';
import { openNoteName } from './reopen/open-payment.ts';
import type { EarlySession } from './script-tag/early-session.ts';

/** A checkout: one order's payment, shown in one place at a time. */
export type TransferCheckout = {
  /**
   * Shows it inside an element, in an open shadow root. What was shown there is replaced.
   *
   * @throws {CheckoutError} `invalid_options` when the element cannot hold a checkout
   */
  readonly mount: (element: Element) => TransferCheckout;
  /**
   * Shows it above the page, in a modal dialog.
   *
   * @param teller tells the events, such as the button that was pressed; without one, the element that it was mounted in
   * before, or else the dialog's, from which they bubble to the document
   */
  readonly open: (teller?: Element) => Promise<void>;
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
   * Changes options. Another `baseUrl`, `credentials`, `body`, `orderKey` or `session` starts anew; all else is shown at once.
   *
   * @throws {CheckoutError} `invalid_options`; nothing has changed then
   */
  readonly update: (changes: CheckoutOptions) => void;
};

/**
 * Makes a checkout. It starts when it is first shown.
 *
 * @throws {CheckoutError} `invalid_options` when an option cannot be used; the message says what to do
 */
export function createTransferCheckout(options?: CheckoutOptions): TransferCheckout {
  return createCheckout(options);
}

/** What there is before a checkout starts. */
export type Beginning = Pick<CheckoutModelOptions, 'returned'> & {
  /** The order's session, which was asked for while the widget was on its way. Other options drop it. */
  readonly early?: EarlySession | undefined;
};

/** Makes a checkout, as `createTransferCheckout` does. */
export function createCheckout(
  first?: CheckoutOptions,
  { returned, early }: Beginning = {},
): TransferCheckout {
  const environment = createBrowserEnvironment();
  let options = first ?? {};
  let checked = checkOptions(first);
  let model: CheckoutModel | undefined;
  const tell = createEmit({
    element: () => stage.teller(),
    options: () => options,
    report: environment.report,
  });
  const emit: Emit = (name, detail) => {
    // In test mode the developer hears of what nothing reads.
    if (name === 'ready' && !(detail as { payment: PaymentView }).payment.liveMode) {
      void warnOfNames(stage.teller(), options);
    }
    return tell(name, detail);
  };

  const startIn = (host: Element): CheckoutModel | undefined => {
    const preferredLanguages = likedLanguages(host);
    // What was asked for with other options is for nobody.
    if (checked.session || early?.key !== keyOf(checked)) early?.take()?.abort();
    const takeSent = early?.take;
    model ??= createCheckoutModel({ ...checked, returned, takeSent, preferredLanguages, environment, emit });
    if (stage.host() !== host) checkout.unmount();
    return model;
  };

  const stage: Stage = createStage(
    startIn,
    () => checkout.close(),
    () => checkout.unmount(),
  );

  const checkout: TransferCheckout = {
    mount(element) {
      stage.mount(element);
      return checkout;
    },
    async open(teller) {
      stage.open(teller);
    },
    close() {
      const shown = stage.shown();
      if (!shown) return stage.clear();
      shown.leave(() => {
        if (model && emit('close', { state: model.state.peek().name })) stage.clear();
      });
    },
    unmount() {
      model?.stop();
      model = undefined;
      stage.clear();
    },
    refresh: () => model?.refresh(),
    update(changes) {
      const next = { ...options, ...changes };
      const before = orderOf(checked);
      checked = checkOptions(next);
      options = next;
      if (orderOf(checked) === before) return model?.update(checked);
      model?.stop();
      model = undefined;
      stage.draw();
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

/**
 * Shows the payment that a shopper comes back from, on the page that `returnUrl` names. Of the page's address only `?reference=`
 * is read, and it only chooses among the payments that this browser knows: how it stands is asked of the server. In
 * another browser it says that the shop will confirm. Nothing is ever made anew.
 *
 * @throws {CheckoutError} as `mountCheckout` does
 */
export function resume(element: Element, options?: CheckoutOptions): TransferCheckout {
  const reference = new URLSearchParams(location.search).get('reference') ?? undefined;
  return createCheckout(options, { returned: { reference } }).mount(element);
}

export type RedirectOptions = Pick<CheckoutOptions, 'baseUrl' | 'credentials' | 'body' | 'orderKey'>;

/**
 * Sends the shopper to a page of the service to pay the order, and keeps what `resume` needs to know it again. Resolves when
 * the browser is on its way.
 *
 * @throws {CheckoutError} when there is no such page to be had, or an option cannot be used
 */
export async function redirectToCheckout(options?: RedirectOptions): Promise<void> {
  const order = { ...checkOptions(options), environment: createBrowserEnvironment() };
  location.assign(await createLink(order));
}

/**
 * True where this order's checkout was shown on this page when the browser ended or reloaded it, such as behind the bank's app, and
 * its payment is still known: the page may show or open it again. Not after the shopper has closed it, nor when all is over.
 *
 * @throws {CheckoutError} `invalid_options`
 */
export async function wasOpen(options?: CheckoutOptions): Promise<boolean> {
  const order = { ...checkOptions(options), environment: createBrowserEnvironment() };
  const reference = storageOf(order).read()?.reference;
  return !!reference && sessionStorage.getItem(openNoteName) === `${location.pathname} ${reference}`;
}

/** What says which payment it is about, to compare. */
const orderOf = ({ baseUrl, credentials, body, orderKey, session }: CheckedOptions): string =>
  JSON.stringify([baseUrl, credentials, body, orderKey, session]);
