import { retryPartsBy } from './core/load-part.ts';
import { fileNameOf } from './mounts/file-names.ts';
import { isPinned } from './mounts/integrity-map.ts';

export {
  createCheckout,
  createTransferCheckout,
  mountCheckout,
  redirectToCheckout,
  resume,
  wasOpen,
} from './mounts/inline.ts';
export { showDedicatedAccount } from './mounts/show-dedicated-account.ts';

// A failed import is remembered by its address. A fragment makes another address of the same file.
retryPartsBy(
  (name, attempt) => import(/* @vite-ignore */ `./${fileNameOf(name)}${isPinned() ? '' : `#${attempt}`}`),
);
