import { type CheckoutOptions, callbackNames, optionNames, validateOptions } from '../options/options.ts';
import { createTransferCheckout, orderOf, type TransferCheckout } from './create-widget.ts';
import { wasOpen } from './reopen.ts';

/** A component's handle on its checkout. It stays the same for the life of the component. */
export type CheckoutHandle = {
  /** Shows the checkout inside the element that has this `ref`. */
  readonly ref: (element: HTMLElement | null) => void;
} & Pick<TransferCheckout, 'open' | 'close' | 'refresh'>;

/** Creates a checkout for a component. Reads no DOM until it is used, so that it can be created on a server. */
export function createReactCheckout() {
  let latest: CheckoutOptions = {};
  let appliedKey: string | undefined;
  let appliedOrder: string | undefined;
  let checkout: TransferCheckout | undefined;
  let element: HTMLElement | null = null;
  let retainCount = 0;

  const setOptions = (options: CheckoutOptions): void => {
    latest = options;
    const key = keyOfOptions(options);
    if (key === appliedKey) return;
    const complete = completeOptions(options, () => latest);
    if (checkout) checkout.update(complete);
    else checkout = createTransferCheckout(complete);
    appliedKey = key;
    const order = orderOf(validateOptions(complete));
    // Another order is shown in its place; otherwise an open checkout stays open, and a closed one closed.
    if (element && order !== appliedOrder) checkout.mount(element);
    appliedOrder = order;
  };

  const getCheckout = (): TransferCheckout => {
    if (!checkout) setOptions(latest);
    return checkout as TransferCheckout;
  };

  /** Waits for the end of the task: in StrictMode, React unmounts and remounts at once. */
  const unmountUnlessRetained = (): void =>
    queueMicrotask(() => {
      if (retainCount > 0) return;
      checkout?.unmount();
      checkout = appliedKey = appliedOrder = undefined;
    });

  const handle: CheckoutHandle = {
    ref(next) {
      element = next;
      // Without an element the checkout keeps running until it is shown again.
      if (next) checkout?.mount(next);
    },
    open: (target) => getCheckout().open(target),
    close: () => checkout?.close(),
    refresh: () => checkout?.refresh(),
  };

  return {
    handle,
    reopen(): () => void {
      let isCancelled = false;
      wasOpen(latest)
        .then((isOpen) => (isOpen && !isCancelled ? getCheckout().open() : undefined))
        // Invalid options are reported by `setOptions`; without storage there is nothing to reopen.
        .catch(() => {});
      return () => {
        isCancelled = true;
      };
    },
    /** Keeps the checkout until the returned function is called. Retaining it again in the same task keeps it running. */
    retain(): () => void {
      retainCount += 1;
      return () => {
        retainCount -= 1;
        unmountUnlessRetained();
      };
    },
    setOptions,
  };
}

/** Returns a string that is equal for equal options. Callbacks count as equal: inline ones differ at each rendering. */
function keyOfOptions(options: CheckoutOptions): string {
  try {
    return JSON.stringify(options, (_, value: unknown) => (typeof value === 'function' ? 'function' : value));
  } catch {
    // The checkout refuses these options with a clearer message.
    return '';
  }
}

/** Returns options that reset those left out, with callbacks that always call the latest ones. */
function completeOptions(options: CheckoutOptions, latest: () => CheckoutOptions): CheckoutOptions {
  const callbacks = callbackNames
    .filter((name) => options[name])
    .map((name) => [name, (event: never) => latest()[name]?.(event)]);
  const blank = [...optionNames, ...callbackNames].map((name) => [name, undefined]);
  return { ...Object.fromEntries(blank), ...options, ...Object.fromEntries(callbacks) };
}
