export { enMore } from '../locales/en-more.ts';
export { accountAsText } from './account-text.ts';
export { createLater, type Later } from './later.ts';
export { leadsOf } from './leads.ts';
export { formatDuration, formatMoment, spokenStep } from './moments.ts';
