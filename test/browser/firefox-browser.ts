import { fileURLToPath } from 'node:url';
import { firefox } from 'playwright-core';
import type { JourneyBrowser } from './journey-page.ts';
import { journeysOf } from './playwright-browser.ts';

/** Firefox's sandbox reads the fonts of `test/setup/fonts.conf` only with leave. */
const firefoxUserPrefs = {
  'security.sandbox.content.read_path_whitelist': fileURLToPath(
    new URL('../../node_modules/dejavu-fonts-ttf/', import.meta.url),
  ),
};

/** Starts a Firefox built by Mozilla or Debian. */
export const startFirefox = async (executablePath: string): Promise<JourneyBrowser> =>
  journeysOf(await firefox.launch({ channel: 'moz-firefox', executablePath, firefoxUserPrefs }));
