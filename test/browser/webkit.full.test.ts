import { findWebKit } from '../setup/other-browsers.ts';
import { describeJourneys } from './journeys.ts';
import { startWebKit } from './webkit-browser.ts';

const programs = findWebKit();

// Its driver has been seen to answer nothing any more, once, on a busy machine.
describeJourneys('WebKit', programs && (() => startWebKit(programs)), 1);
