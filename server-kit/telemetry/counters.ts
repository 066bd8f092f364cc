import type { LogEvent } from './log-event.ts';

const names = [
  'verifications',
  'verificationsFailed',
  'serviceLimited',
  'callbacksMatched',
  'callbacksUnmatched',
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

const counterOfCallback = {
  verify: 'callbacksMatched',
  unmatched: 'callbacksUnmatched',
  ignored: 'callbacksIgnored',
} as const;

/** Counts a logged event. Verifications and waiters are too many for a log, and are counted where they happen. */
export function countEvent(counters: Counters, event: LogEvent): void {
  const name = counterOf(event);
  if (name !== undefined) counters[name]++;
  if (event.type === 'requestRefused' && event.code === 'rate_limited') counters.requestsLimited++;
}

function counterOf(event: LogEvent): keyof Counters | undefined {
  switch (event.type) {
    case 'requestRefused':
      return 'requestsRefused';
    case 'requestFailed':
      return 'requestsFailed';
    case 'callback':
      return counterOfCallback[event.action];
    case 'callbackRefused':
      return 'callbacksRefused';
    case 'serviceLimited':
      return 'serviceLimited';
    case 'handlerSucceeded':
      return 'handlersSucceeded';
    case 'handlerFailed':
      return 'handlersFailed';
    case 'deadLettered':
      return 'deadLettered';
    case 'leaseLost':
      return 'leasesLost';
    case 'limiterFailed':
      return 'limiterFailures';
    default:
      return undefined;
  }
}
