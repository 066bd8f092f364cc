import { chromium } from 'playwright-core';
import { inject } from 'vitest';
import { journeysOf } from '../playwright-browser.ts';
import { describeHostilePages } from './page-cases.ts';

describeHostilePages('Chromium', async () =>
  journeysOf(
    await chromium.launch({
      executablePath: inject('chromiumPath'),
      args: ['--no-sandbox', '--disable-gpu'],
    }),
  ),
);
