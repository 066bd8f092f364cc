/** What a checkout needs after its account is shown, or before where one is stored. Loaded then. */
export { createLink, findReturned } from './hosted.ts';
export { storageOf } from './order.ts';
export { progress } from './progress.ts';
export { resumeOrder, watchSession } from './watch-session.ts';
