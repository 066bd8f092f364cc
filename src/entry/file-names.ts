import { version } from '../../package.json';
import { pageDocument } from '../widget/dom/page.ts';

/**
 * Returns the name of the widget's file or of a lazy part. It contains the version, so that a file never changes under its name.
 * Browsers remember a failed import by its URL, so each retry (`attempt` from 1) has another.
 */
export const fileNameOf = (part: string, attempt = 0): string =>
  `checkout-${part}-${version}.js${attempt === 0 || isPinned() ? '' : `?attempt=${attempt}`}`;

/** A page that pins files by integrity in an import map knows no other URL of a failed file. */
const isPinned = (): boolean =>
  [...pageDocument.querySelectorAll('script[type=importmap]')].some(({ textContent }) =>
    /"integrity"\s*:/.test(`${textContent}`),
  );
