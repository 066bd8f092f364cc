import { checkoutEventNames } from '../core/index.ts';
import { createTransferCheckout, type TransferCheckout } from './checkout.ts';
import { type CheckoutOptions, callbackName, optionNames } from './options/options.ts';

/** A checkout in the hands of a component, which comes and goes as its framework likes. */
export type ReactCheckout = {
  readonly handle: {
    readonly ref: (element: HTMLElement | null) => void;
    readonly open: (teller?: Element) => Promise<void>;
    readonly close: () => void;
    readonly refresh: () => void;
  };
  /** Keeps it until the returned function is called; and on, when it is kept again in the same task. */
  readonly keep: () => () => void;
  /**
   * Takes these options from now on. Equal ones change nothing.
   *
   * @throws {CheckoutError} `invalid_options`
   */
  readonly use: (options: CheckoutOptions) => void;
};

const callbackNames = checkoutEventNames.map(callbackName);
const everyName = [...optionNames, ...callbackNames];

/** Reads no DOM before it is used, so that it can be made on a server. */
export function createReactCheckout(): ReactCheckout {
  let latest: CheckoutOptions = {};
  let used: string | undefined;
  let checkout: TransferCheckout | undefined;
  let place: HTMLElement | null = null;
  let keepers = 0;

  const use = (options: CheckoutOptions): void => {
    latest = options;
    const next = describe(options);
    if (next === used) return;
    const complete = completeOptions(options, () => latest);
    if (checkout) checkout.update(complete);
    else checkout = createTransferCheckout(complete);
    used = next;
    if (place) checkout.mount(place);
  };

  const get = (): TransferCheckout => {
    if (!checkout) use(latest);
    return checkout as TransferCheckout;
  };

  /** Once React has ended what it does: it also takes away what it puts back at once, to find mistakes. */
  const settle = (): void =>
    queueMicrotask(() => {
      if (keepers > 0) return;
      checkout?.unmount();
      checkout = used = undefined;
    });

  return {
    handle: {
      ref(element) {
        place = element;
        // What is not in the page any more goes on, until it is shown again.
        if (element) checkout?.mount(element);
      },
      open: (teller) => get().open(teller),
      close: () => checkout?.close(),
      refresh: () => checkout?.refresh(),
    },
    keep() {
      keepers += 1;
      return () => {
        keepers -= 1;
        settle();
      };
    },
    use,
  };
}

/** All that makes options other than those before. A callback written inline is another function at each rendering. */
function describe(options: CheckoutOptions): string {
  try {
    return JSON.stringify(options, (_, value: unknown) => (typeof value === 'function' ? 'function' : value));
  } catch {
    // It is refused with a better word than JSON's.
    return '';
  }
}

/** With every option, so that one that is left out is taken back; and callbacks that are always the latest. */
function completeOptions(options: CheckoutOptions, latest: () => CheckoutOptions): CheckoutOptions {
  const callbacks = callbackNames
    .filter((name) => options[name])
    .map((name) => [name, (event: never) => latest()[name]?.(event)]);
  const blank = everyName.map((name) => [name, undefined]);
  return { ...Object.fromEntries(blank), ...options, ...Object.fromEntries(callbacks) };
}
