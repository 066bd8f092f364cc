import type { HTMLAttributes } from 'preact';
import {
  defineCheckoutElement,
  type TransferCheckoutAttributes,
  type TransferCheckoutElement,
} from './mounts/checkout-element.ts';
import { createTransferCheckout, mountCheckout, wasOpen } from './mounts/inline.ts';
import { reopen } from './mounts/reopen.ts';
import { readWritten } from './mounts/written-options.ts';

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
