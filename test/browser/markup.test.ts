import { chromium } from 'playwright-core';
import { inject } from 'vitest';
import { describeMarkup } from './markup-cases.ts';

describeMarkup('Chromium', () =>
  chromium.launch({ executablePath: inject('chromiumPath'), args: ['--no-sandbox', '--disable-gpu'] }),
);
