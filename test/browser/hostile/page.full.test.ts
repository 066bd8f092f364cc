import { findFirefox, findWebKit } from '../../setup/browsers.ts';
import { startFirefox } from '../firefox-browser.ts';
import { startChromium } from '../playwright-browser.ts';
import { startWebKit } from '../webkit-browser.ts';
import { engineHostilities } from './hostilities.ts';
import { describeHostilePages } from './page-cases.ts';

describeHostilePages('Chromium', startChromium);

const pages = engineHostilities;
const firefox = findFirefox();
describeHostilePages('Firefox', firefox === undefined ? undefined : () => startFirefox(firefox), { pages });

const webKit = findWebKit();
describeHostilePages('WebKit', webKit && (() => startWebKit(webKit)), { retry: 1, pages });
