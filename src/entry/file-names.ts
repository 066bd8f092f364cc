import { version } from '../../package.json';
import { pageDocument } from '../widget/dom/page.ts';

/**
 * Returns the name of one of the script tag's files beside `checkout.js`: the widget or a lazy part. It contains the version, so that
 * a file never changes under its name, and a page can preload the widget. Browsers remember a failed import by its URL, so each retry
 * (`attempt` from 1) has another.
 */
export const fileNameOf = (part: string, attempt = 0): string =>
  `checkout-${part}-${version}.js${attempt === 0 || isPinned() ? '' : `?attempt=${attempt}`}`;

/**
 * Returns whether the page pins files by integrity in an import map. A failed file is then retried at the same address, because the
 * map knows no other.
 */
const isPinned = (): boolean =>
  [...pageDocument.querySelectorAll('script[type=importmap]')].some(({ textContent }) =>
    /"integrity"\s*:/.test(`${textContent}`),
  );
