import { findWebKit } from '../setup/browsers.ts';
import { describeJourneys } from './journeys.ts';
import { startWebKit } from './webkit-browser.ts';

const programs = findWebKit();

// On a busy machine its driver once stopped responding.
describeJourneys('WebKit', programs && (() => startWebKit(programs)), 1);
