import { hedge } from '../../../server-kit/checkout/shell/hedge.ts';
import { abortAfter, raceAbort } from '../../../server-kit/client/async/wait.ts';
import { PaymentsError } from '../../../server-kit/client/errors/payments-error.ts';
import type { Clock } from './clock.ts';
import type { Service } from './service.ts';

type Opening = { clock: Clock; service: Service; deadline: AbortSignal };
export type Strategy = { name: string; open: (opening: Opening) => Promise<void> };

const silenceMs = 1500;

const hedged: Strategy = {
  name: 'beside the first after 1.5 s (ours)',
  open: ({ clock, service, deadline }) =>
    withNewReferences((reference, isPatient) =>
      hedge((signal) => service.create(reference, signal), {
        wait: clock.wait,
        afterMs: silenceMs,
        deadline,
        graceMs: isPatient ? null : silenceMs,
      }),
    ),
};

const insteadAfter = (timeoutMs: number): Strategy => ({
  name: `instead of the first after ${timeoutMs / 1000} s`,
  open: (opening) => withNewReferences((reference) => repeat(opening, reference, timeoutMs)),
});

const once: Strategy = {
  name: 'once',
  open: ({ service, deadline }) => withNewReferences((reference) => service.create(reference, deadline)),
};

/** What is compared. */
export const strategies: readonly Strategy[] = [
  hedged,
  insteadAfter(1500),
  insteadAfter(3000),
  insteadAfter(4500),
  once,
];

async function repeat({ clock, service, deadline }: Opening, reference: string, ms: number): Promise<void> {
  for (;;) {
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
}

/** An account whose response was lost is given up for one with a new reference, up to three times. */
async function withNewReferences(
  create: (reference: string, isPatient: boolean) => Promise<void>,
): Promise<void> {
  for (const reference of ['first', 'second', 'third']) {
    try {
      return await create(reference, reference !== 'first');
    } catch (error) {
      if (!(error instanceof PaymentsError && error.code === 'reference_exists')) throw error;
    }
  }
  throw new Error('Three responses were lost.');
}
