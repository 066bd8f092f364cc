import { setRetryImport } from './core/page/lazy-part.ts';
import { fileNameOf } from './mount/script-tag/file-names.ts';
import { isPinned } from './mount/script-tag/integrity-map.ts';

export {
  createCheckout,
  createTransferCheckout,
  mountCheckout,
  redirectToCheckout,
  resume,
  wasOpen,
} from './mount/inline.ts';
export { showDedicatedAccount } from './mount/show-dedicated-account.ts';

// A failed import is remembered by its address. A fragment makes another address of the same file.
setRetryImport(
  (name, attempt) => import(/* @vite-ignore */ `./${fileNameOf(name)}${isPinned() ? '' : `#${attempt}`}`),
);
