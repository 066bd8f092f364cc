import { chromium } from 'playwright-core';
import { inject } from 'vitest';
import type { JourneyBrowser } from '../journey-page.ts';
import { journeysOf } from '../playwright-browser.ts';

/** Starts Chromium for a file of tests. */
export const startChromium = async (): Promise<JourneyBrowser> =>
  journeysOf(
    await chromium.launch({
      executablePath: inject('chromiumPath'),
      args: ['--no-sandbox', '--disable-gpu'],
    }),
  );
