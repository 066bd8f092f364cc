import { startFirefox } from './firefox-browser.ts';
import { describeJourneys } from './journeys.ts';

describeJourneys('Firefox', startFirefox);
