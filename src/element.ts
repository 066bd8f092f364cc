// biome-ignore lint/suspicious/noTsIgnore: there is no error in this project, but in the declarations on a page without Preact
/** @ts-ignore A page without Preact has no such types, and no use for them. */
import type { HTMLAttributes } from 'preact';
import {
  defineCheckoutElement,
  type TransferCheckoutAttributes,
  type TransferCheckoutElement,
} from './entry/custom-element.ts';
import { createTransferCheckout, mountCheckout } from './entry/mount-checkout.ts';
import { reopen } from './entry/reopen/reopen.ts';
import { wasOpen } from './entry/reopen/was-open.ts';

export { allowOrigins } from './entry/options/allowed-origins.ts';
export type { TransferCheckoutAttributes, TransferCheckoutElement };

declare global {
  interface HTMLElementTagNameMap {
    'transfer-checkout': TransferCheckoutElement;
  }
}

declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements {
      'transfer-checkout': TransferCheckoutAttributes &
        Omit<HTMLAttributes<TransferCheckoutElement>, keyof TransferCheckoutAttributes>;
    }
  }
}

// Importing this file on a server, where no elements can be defined, does nothing.
if (typeof customElements !== 'undefined') {
  defineCheckoutElement({ mountCheckout, createTransferCheckout });
  void reopen(wasOpen);
}
