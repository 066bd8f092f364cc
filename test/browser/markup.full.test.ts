import { chromium, firefox } from 'playwright-core';
import { inject } from 'vitest';
import { findFirefox } from '../setup/other-browsers.ts';
import { describeMarkup } from './markup-cases.ts';

describeMarkup('Chromium', () =>
  chromium.launch({ executablePath: inject('chromiumPath'), args: ['--no-sandbox', '--disable-gpu'] }),
);

const executablePath = findFirefox();

describeMarkup(
  'Firefox',
  executablePath === undefined ? undefined : () => firefox.launch({ channel: 'moz-firefox', executablePath }),
);
