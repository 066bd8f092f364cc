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
  'waitersCutShort',
  'waitersTurnedAway',
] as const;

/** How often each event has happened on this instance since `createCheckout`. */
export type Counters = Record<(typeof names)[number], number>;

export const createCounters = (): Counters => Object.fromEntries(names.map((name) => [name, 0])) as Counters;
