import { findFirefox } from '../setup/browsers.ts';
import { startFirefox } from './firefox-browser.ts';
import { describeJourneys } from './journeys.ts';

const path = findFirefox();

describeJourneys('Firefox', path === undefined ? undefined : () => startFirefox(path));
