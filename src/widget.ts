import { setRetryImport } from './core/page/lazy-part.ts';
import { fileNameOf } from './mount/script-tag/file-names.ts';

export { createCheckout } from './mount/checkout.ts';
export { openPaymentPage } from './mount/redirect.ts';
export { wasOrderOpen } from './mount/reopen/was-open.ts';
export { renderDedicatedAccount } from './mount/show-dedicated-account.ts';

setRetryImport((name, attempt) => import(/* @vite-ignore */ `./${fileNameOf(name, attempt)}`));
