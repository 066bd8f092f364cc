import { startFirefox } from '../firefox-browser.ts';
import { startChromium } from '../playwright-browser.ts';
import { startWebKit } from '../webkit-browser.ts';
import { engineHostilities as pages } from './hostilities.ts';
import { describeHostilePages } from './page-cases.ts';

describeHostilePages('Chromium', startChromium);
describeHostilePages('Firefox', startFirefox, { pages });
describeHostilePages('WebKit', startWebKit, { retry: 1, pages });
