/** What a checkout needs after its account is shown, or before where one is stored. Loaded then. */
export { resumeOrder, watchSession } from './watch-session.ts';
