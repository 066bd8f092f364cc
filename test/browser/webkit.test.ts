import { findWebKit } from '../setup/other-browsers.ts';
import { describeJourneys } from './journeys.ts';
import { startWebKit } from './webkit-browser.ts';

const programs = findWebKit();

describeJourneys('WebKit', programs && (() => startWebKit(programs)));
