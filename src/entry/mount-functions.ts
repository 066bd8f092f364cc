import type { CheckoutOptions } from '../options/options.ts';
import type { TransferCheckout } from './create-widget.ts';

/** The functions that create a checkout, at once or when the widget is loaded: one shown in an element, or one to be opened. */
export type MountFunctions = {
  readonly mountCheckout: (
    element: Element,
    options: CheckoutOptions,
  ) => TransferCheckout | Promise<TransferCheckout>;
  readonly createTransferCheckout: (options: CheckoutOptions) => TransferCheckout | Promise<TransferCheckout>;
};
