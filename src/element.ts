// biome-ignore-start lint/suspicious/noTsIgnore: there is no error in this project, but in the declarations on a page without these packages
/** @ts-ignore A page without Preact has no such types, and no use for them. */
import type { HTMLAttributes as PreactAttributes } from 'preact';
/** @ts-ignore The same without Svelte. */
import type { HTMLAttributes as SvelteAttributes } from 'svelte/elements';
/** @ts-ignore The same without Vue. */
import type { PublicProps, HTMLAttributes as VueAttributes } from 'vue';
import { createTransferCheckout, mountCheckout } from './entry/create-widget.ts';
import { defineCheckoutElement, type TransferCheckoutElement } from './entry/element.ts';
// biome-ignore-end lint/suspicious/noTsIgnore: as above
import type {
  TransferCheckoutAttributes,
  TransferCheckoutEmits,
  TransferCheckoutListeners,
} from './entry/element-types.ts';
import { reopen } from './entry/reopen.ts';

export { allowOrigins } from './entry/attributes.ts';
export type { TransferCheckoutAttributes, TransferCheckoutElement, TransferCheckoutListeners };

type OwnAttributes = TransferCheckoutAttributes & TransferCheckoutListeners;

declare global {
  interface HTMLElementTagNameMap {
    'transfer-checkout': TransferCheckoutElement;
  }
  // Svelte's templates.
  namespace svelteHTML {
    interface IntrinsicElements {
      'transfer-checkout': OwnAttributes &
        Omit<SvelteAttributes<TransferCheckoutElement>, keyof OwnAttributes>;
    }
  }
}

declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements {
      'transfer-checkout': OwnAttributes &
        Omit<PreactAttributes<TransferCheckoutElement>, keyof OwnAttributes>;
    }
  }
}

declare module 'vue' {
  interface GlobalComponents {
    'transfer-checkout': new () => TransferCheckoutElement & {
      $props: TransferCheckoutAttributes & TransferCheckoutEmits & VueAttributes & PublicProps;
    };
  }
}

// Importing this file on a server, where no elements can be defined, does nothing.
if (typeof customElements !== 'undefined') {
  defineCheckoutElement({ mountCheckout, createTransferCheckout });
  void reopen();
}
