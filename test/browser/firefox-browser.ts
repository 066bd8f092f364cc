import { fileURLToPath } from 'node:url';
import { firefox } from 'playwright-core';
import { findFirefox } from '../setup/browsers.ts';
import { journeysOf } from './playwright-browser.ts';

/** Firefox's sandbox reads the fonts of `test/setup/fonts.conf` only with leave. */
const firefoxUserPrefs = {
  'security.sandbox.content.read_path_whitelist': fileURLToPath(
    new URL('../../node_modules/dejavu-fonts-ttf/', import.meta.url),
  ),
};

const executablePath = findFirefox();

/** Starts the Firefox of Mozilla or Debian. Undefined if neither is installed. */
export const startFirefox =
  executablePath === undefined
    ? undefined
    : async () =>
        journeysOf(await firefox.launch({ channel: 'moz-firefox', executablePath, firefoxUserPrefs }));
