import { retryPartsBy } from './core/load-part.ts';
import { fileNameOf } from './mount/script-tag/file-names.ts';
import { isPinned } from './mount/script-tag/integrity-map.ts';

export {
  createCheckout,
  createTransferCheckout,
  mountCheckout,
  redirectToCheckout,
  resume,
  wasOpen,
} from './mount/checkout.ts';
export { showDedicatedAccount } from './mount/show-dedicated-account.ts';

// A failed import is remembered by its address. A fragment makes another address of the same file.
retryPartsBy(
  (name, attempt) => import(/* @vite-ignore */ `./${fileNameOf(name)}${isPinned() ? '' : `#${attempt}`}`),
);
