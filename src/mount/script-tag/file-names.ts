import { version } from '../../../package.json';

/**
 * The names of the script tag's files beside `checkout.js`: the widget's, and those of its lazy parts. They hold the version, so that a
 * file of a name never changes, and a page can know the widget's name to preload it.
 */
export const fileNameOf = (part: string): string => `checkout-${part}-${version}.js`;
