import type { LogEvent } from './log-event.ts';

const names = [
  'verifications',
  'verificationsFailed',
  'serviceLimited',
  'callbacksMatched',
  'callbacksUnmatched',
  'callbacksPurged',
  'callbacksIgnored',
  'callbacksRefused',
  'handlersSucceeded',
  'handlersFailed',
  'deadLettered',
  'leasesLost',
  'requestsRefused',
  'requestsLimited',
  'requestsFailed',
  'limiterFailures',
  'waitersCutShort',
  'waitersTurnedAway',
] as const;

/** How often each event has happened on this instance since `createCheckout`. */
export type Counters = Record<(typeof names)[number], number>;

export const createCounters = (): Counters => Object.fromEntries(names.map((name) => [name, 0])) as Counters;

const counterOfType: { readonly [Type in LogEvent['type']]?: keyof Counters } = {
  requestRefused: 'requestsRefused',
  requestFailed: 'requestsFailed',
  callbackRefused: 'callbacksRefused',
  serviceLimited: 'serviceLimited',
  handlerSucceeded: 'handlersSucceeded',
  handlerFailed: 'handlersFailed',
  deadLettered: 'deadLettered',
  leaseLost: 'leasesLost',
  limiterFailed: 'limiterFailures',
};

const counterOfCallback = {
  verify: 'callbacksMatched',
  unmatched: 'callbacksUnmatched',
  purged: 'callbacksPurged',
  ignored: 'callbacksIgnored',
} as const;

/** Counts a logged event. Verifications and waiters are too many for a log, and are counted where they happen. */
export function countEvent(counters: Counters, event: LogEvent): void {
  const name = event.type === 'callback' ? counterOfCallback[event.action] : counterOfType[event.type];
  if (name !== undefined) counters[name]++;
  if (event.type === 'requestRefused' && event.code === 'rate_limited') counters.requestsLimited++;
}
