import { defineCheckoutElement, type TransferCheckoutElement } from './mounts/checkout-element.ts';
import { createTransferCheckout, mountCheckout, wasOpen } from './mounts/inline.ts';
import { reopen } from './mounts/reopen.ts';
import { readWritten } from './mounts/written-options.ts';

export type { TransferCheckoutElement };

declare global {
  interface HTMLElementTagNameMap {
    'transfer-checkout': TransferCheckoutElement;
  }
}

// On a server there are no elements to define, and importing this is harmless.
if (typeof customElements !== 'undefined') {
  defineCheckoutElement({ mountCheckout, createTransferCheckout });
  void reopen({ wasOpen, readWritten });
}
