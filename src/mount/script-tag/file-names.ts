import { version } from '../../../package.json';

/**
 * Returns the name of one of the script tag's files beside `checkout.js`: the widget or a lazy part. It contains the version, so that
 * a file never changes under its name, and a page can preload the widget.
 */
export const fileNameOf = (part: string): string => `checkout-${part}-${version}.js`;

/**
 * Returns whether the page pins files by integrity in an import map. A failed file is then retried at the same address, because the
 * map knows no other.
 */
export const isPinned = (): boolean =>
  [...document.querySelectorAll('script[type=importmap]')].some(({ textContent }) =>
    /"integrity"\s*:/.test(`${textContent}`),
  );
