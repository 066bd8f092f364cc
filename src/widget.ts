import { setRetryImport } from './core/load-part.ts';
import { fileNameOf } from './entry/file-names.ts';

export { createWidget } from './entry/create-widget.ts';
export { openPaymentPage } from './entry/redirect.ts';

setRetryImport((name, attempt) => import(/* @vite-ignore */ `./${fileNameOf(name, attempt)}`));
