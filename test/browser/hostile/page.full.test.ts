import { findFirefox, findWebKit } from '../../setup/browsers.ts';
import { startFirefox } from '../firefox-browser.ts';
import { startChromium } from '../playwright-browser.ts';
import { startWebKit } from '../webkit-browser.ts';
import { describeHostilePages, hostilities } from './page-cases.ts';

describeHostilePages('Chromium', startChromium);

const firefox = findFirefox();
describeHostilePages('Firefox', firefox === undefined ? undefined : () => startFirefox(firefox));

const webKit = findWebKit();
// Its driver runs in the page, and calls `finally`: it cannot open such a page without a checkout either.
const pages = hostilities.filter(({ name }) => name !== 'Promise is a polyfill without finally');
describeHostilePages('WebKit', webKit && (() => startWebKit(webKit)), { retry: 1, pages });
