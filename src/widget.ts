import { setRetryImport } from './core/connection/lazy-part.ts';
import { fileNameOf } from './entry/script-tag/file-names.ts';

export { createWidget } from './entry/create-widget.ts';
export { openPaymentPage } from './entry/redirect.ts';
export { labelStored } from './entry/reopen/label-stored.ts';
export { wasOrderOpen } from './entry/reopen/was-open.ts';
export { renderDedicatedAccount } from './entry/show-dedicated-account.ts';

setRetryImport((name, attempt) => import(/* @vite-ignore */ `./${fileNameOf(name, attempt)}`));
