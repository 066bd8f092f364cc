import type { LogEvent } from './log-event.ts';

const names = [
  'looks',
  'looksFailed',
  'serviceLimited',
  'callbacksLookedUp',
  'callbacksStray',
  'callbacksIgnored',
  'callbacksRefused',
  'handlersEnded',
  'handlersFailed',
  'effectsSetAside',
  'leasesLost',
  'requestsRefused',
  'requestsLimited',
  'requestsFailed',
  'limiterFailures',
  'waitersCutShort',
  'waitersTurnedAway',
] as const;

/** How often each has happened on this instance since `createCheckout`. */
export type Counters = Record<(typeof names)[number], number>;

export const createCounters = (): Counters => Object.fromEntries(names.map((name) => [name, 0])) as Counters;

const counterOfCallback = {
  look: 'callbacksLookedUp',
  stray: 'callbacksStray',
  ignored: 'callbacksIgnored',
} as const;

/** Counts what is in the log. Looks and waiters are too many for a log, and are counted where they are. */
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
    case 'effectTold':
      return 'handlersEnded';
    case 'handlerFailed':
      return 'handlersFailed';
    case 'effectSetAside':
      return 'effectsSetAside';
    case 'leaseLost':
      return 'leasesLost';
    case 'limiterFailed':
      return 'limiterFailures';
    default:
      return undefined;
  }
}
