const names = [
  'verifications',
  'verificationsFailed',
  'serviceLimited',
  'callbacksMatched',
  'callbacksUnknown',
  'callbacksIgnored',
  'callbacksRefused',
  'handlersSucceeded',
  'handlersFailed',
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
