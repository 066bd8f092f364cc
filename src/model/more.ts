export { enMore } from '../locales/en-more.ts';
export { accountAsText } from './account-text.ts';
export { type Beside, createLater, type Later, type LaterActions, readLater } from './later.ts';
export {
  fullTitleOf,
  isElsewhere,
  isExpiredPart,
  isLookedFor,
  isToPay,
  laterLeadsOf,
  leadsOf,
  ownPolicies,
  type ToPay,
} from './leads.ts';
export { mayLeave } from './leaving.ts';
export { formatCountdown, formatDuration, formatMoment, spokenStep } from './moments.ts';
export { receiptLines } from './receipt-lines.ts';
