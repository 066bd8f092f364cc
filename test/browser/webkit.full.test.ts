import { describeJourneys } from './journeys.ts';
import { startWebKit } from './webkit-browser.ts';

// On a busy machine its driver once stopped responding.
describeJourneys('WebKit', startWebKit, 1);
