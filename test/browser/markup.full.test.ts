import { firefox } from 'playwright-core';
import { findFirefox } from '../setup/browsers.ts';
import { describeMarkup } from './markup-cases.ts';
import { launchChromium } from './playwright-browser.ts';

describeMarkup('Chromium', launchChromium);

const executablePath = findFirefox();

describeMarkup(
  'Firefox',
  executablePath === undefined ? undefined : () => firefox.launch({ channel: 'moz-firefox', executablePath }),
);
