import { PaymentsError } from '../../../server-kit/core/errors.ts';
import { abortAfter, raceAbort } from '../../../server-kit/engine/wait.ts';
import type { Clock } from './clock.ts';
import type { Service } from './service.ts';

type Opening = { clock: Clock; service: Service; deadline: AbortSignal };
export type Strategy = { name: string; open: (opening: Opening) => Promise<void> };

/** Calls with these time limits, in milliseconds; each call for a new reference after the first has the last limit. */
const within = (...limitsMs: readonly [number, ...number[]]): Strategy => ({
  name: limitsMs.map((ms) => `${ms / 1000} s`).join(', then '),
  open: (opening) =>
    withNewReferences((reference) => {
      const limits = reference === references[0] ? limitsMs : limitsMs.slice(-1);
      return call(opening, reference, limits);
    }),
});

/** What is compared; the first is ours. */
export const strategies: readonly Strategy[] = [
  within(5000, 8000),
  within(1500, 8000),
  within(3000, 8000),
  within(1500, 1500, 1500, 1500, 1500, 1500),
  within(14_000),
];

async function call(
  { clock, service, deadline }: Opening,
  reference: string,
  limits: readonly number[],
): Promise<void> {
  for (const ms of limits) {
    deadline.throwIfAborted();
    const timeout = abortAfter(clock.wait, ms);
    try {
      return await raceAbort(service.create(reference, timeout.signal), deadline);
    } catch (error) {
      if (error !== timeout.signal.reason) throw error;
    } finally {
      timeout.end();
    }
  }
  throw new Error('The service does not respond.');
}

const references = ['first', 'second', 'third'] as const;

/** An account whose response was lost is given up for one with a new reference, up to three times. */
async function withNewReferences(create: (reference: string) => Promise<void>): Promise<void> {
  for (const reference of references) {
    try {
      return await create(reference);
    } catch (error) {
      if (!(error instanceof PaymentsError && error.code === 'reference_exists')) throw error;
    }
  }
  throw new Error('Three responses were lost.');
}
