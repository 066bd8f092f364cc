import { findFirefox, findWebKit } from '../../setup/other-browsers.ts';
import { startFirefox } from '../firefox-browser.ts';
import { journeysOf, launchChromium } from '../playwright-browser.ts';
import { startWebKit } from '../webkit-browser.ts';
import { describeHostilePages, hostilities } from './page-cases.ts';

describeHostilePages('Chromium', async () => journeysOf(await launchChromium()));

const firefox = findFirefox();
describeHostilePages('Firefox', firefox === undefined ? undefined : () => startFirefox(firefox));

const webKit = findWebKit();
// Its driver runs in the page, and calls `finally`: it cannot open such a page without a checkout either.
const pages = hostilities.filter(({ name }) => name !== 'Promise is a polyfill without finally');
describeHostilePages('WebKit', webKit && (() => startWebKit(webKit)), { retry: 1, pages });
