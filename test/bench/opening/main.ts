import { abortAfter, raceAbort } from '../../../server-kit/engine/wait.ts';
import { type Clock, createClock } from './clock.ts';
import { createService, type Service, services } from './service.ts';
import { strategies } from './strategies.ts';

const help = `npm run bench -- opening [trials]

Compares ways to ask a service for an account whose responses are slow or get lost, on a simulated clock. Prints, for each service and
way: how many requests for a session end after 14 seconds without an account, when the others have it, and how many requests and
accounts it takes the service.`;

/** A request for a session ends then. */
const deadlineMs = 14_000;

type Result = { endedMs: number; hasAccount: boolean; requests: number; accounts: number };

async function open(clock: Clock, service: Service, way: (typeof strategies)[number]): Promise<Result> {
  const deadline = abortAfter(clock.wait, deadlineMs);
  const opening = raceAbort(way.open({ clock, service, deadline: deadline.signal }), deadline.signal);
  const result = opening.then(
    () => ({ endedMs: clock.now(), hasAccount: true }),
    () => ({ endedMs: clock.now(), hasAccount: false }),
  );
  return { ...(await clock.runUntil(result)), ...service.counts() };
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

function summarise(results: readonly Result[]): string {
  const times = results.filter(({ hasAccount }) => hasAccount).map(({ endedMs }) => endedMs);
  const sorted = times.sort((left, right) => left - right);
  const at = (share: number): string => {
    const ms = sorted[Math.floor(sorted.length * share)];
    return (ms === undefined ? '-' : (ms / 1000).toFixed(1)).padStart(5);
  };
  const none = 100 * (1 - sorted.length / results.length);
  const requests = mean(results.map((result) => result.requests)).toFixed(2);
  const accounts = mean(results.map((result) => result.accounts)).toFixed(2);
  return `${none.toFixed(2).padStart(7)} ${at(0.5)} ${at(0.95)} ${at(0.99)} ${requests.padStart(9)} ${accounts.padStart(9)}`;
}

const [argument = '10000'] = process.argv.slice(2);
if (argument === '--help') {
  console.log(help);
} else {
  for (const conditions of services) {
    console.log(`\n${conditions.name.padEnd(40)} none,%  50%   95%   99%  requests  accounts`);
    for (const way of strategies) {
      const results: Result[] = [];
      // Each way meets the same sequence of random numbers.
      const random = createRandom();
      for (let trial = 0; trial < Number(argument); trial++) {
        const clock = createClock();
        results.push(await open(clock, createService(conditions, clock, random), way));
      }
      console.log(`  ${way.name.padEnd(38)}${summarise(results)}`);
    }
  }
}

/** A linear congruential generator, so that every run prints the same figures. */
function createRandom(): () => number {
  let state = 7;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
