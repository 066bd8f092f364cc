import { findFirefox, findWebKit } from '../../setup/other-browsers.ts';
import { startFirefox } from '../firefox-browser.ts';
import { startWebKit } from '../webkit-browser.ts';
import { describeHostilePages } from './page-cases.ts';
import { startChromium } from './start-chromium.ts';

describeHostilePages('Chromium', startChromium);

const firefox = findFirefox();
describeHostilePages('Firefox', firefox === undefined ? undefined : () => startFirefox(firefox));

const webKit = findWebKit();
// On a busy machine its driver once stopped responding.
describeHostilePages('WebKit', webKit && (() => startWebKit(webKit)), { retry: 1 });
