import { startChromium } from '../playwright-browser.ts';
import { hostilities } from './hostilities.ts';
import { describeHostilePages } from './page-cases.ts';

/** A slice of the pages: globals, storage, names of the document and tags. */
describeHostilePages('Chromium', startChromium, {
  pages: hostilities.filter((_, index) => index % 8 === 3),
});
