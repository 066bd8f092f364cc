import type { en } from './en.ts';
import type { enMore } from './en-more.ts';

type MessageKey = keyof typeof en | keyof typeof enMore | 'loadFailed';

/**
 * The words of the checkout by key. `loadFailed` is what the script tag writes when the checkout cannot be loaded.
 */
export type Messages = { readonly [Key in MessageKey]: string };
