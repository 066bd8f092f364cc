import { setRetryImport } from './core/page/lazy-part.ts';
import { fileNameOf } from './mount/script-tag/file-names.ts';

export { createCheckout } from './mount/checkout.ts';
export { createTransferCheckout, mountCheckout, resume } from './mount/mount-checkout.ts';
export { redirectToCheckout } from './mount/redirect.ts';
export { wasOpen } from './mount/reopen/was-open.ts';
export { showDedicatedAccount } from './mount/show-dedicated-account.ts';

setRetryImport((name, attempt) => import(/* @vite-ignore */ `./${fileNameOf(name, attempt)}`));
