import { findFirefox, findWebKit } from '../../setup/other-browsers.ts';
import { startFirefox } from '../firefox-browser.ts';
import { journeysOf, launchChromium } from '../playwright-browser.ts';
import { startWebKit } from '../webkit-browser.ts';
import { describeHostilePages, hostilities } from './page-cases.ts';

describeHostilePages('Chromium', async () => journeysOf(await launchChromium()));

const firefox = findFirefox();
describeHostilePages('Firefox', firefox === undefined ? undefined : () => startFirefox(firefox));

const webKit = findWebKit();
// A slice, because its driver is slow; on a busy machine it once stopped responding.
const slice = hostilities.filter((_, index) => index % 4 === 0);
describeHostilePages('WebKit', webKit && (() => startWebKit(webKit)), { retry: 1, pages: slice });
