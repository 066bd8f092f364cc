import { defineCheckoutElement } from './mounts/checkout-element.ts';
import { createTransferCheckout, mountCheckout } from './mounts/inline.ts';

// On a server there are no elements to define, and importing this is harmless.
if (typeof customElements !== 'undefined') defineCheckoutElement({ mountCheckout, createTransferCheckout });
