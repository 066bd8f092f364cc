import type { HTMLAttributes } from 'preact';
import { createTransferCheckout, mountCheckout, wasOpen } from './mount/checkout.ts';
import {
  defineCheckoutElement,
  type TransferCheckoutAttributes,
  type TransferCheckoutElement,
} from './mount/custom-element.ts';
import { readWritten } from './mount/options/attributes.ts';
import { reopen } from './mount/reopen/reopen.ts';

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

// On a server there are no elements to define, and importing this is harmless.
if (typeof customElements !== 'undefined') {
  defineCheckoutElement({ mountCheckout, createTransferCheckout });
  void reopen({ wasOpen, readWritten });
}
