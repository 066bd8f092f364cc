import { type ReadonlySignal, signal } from '@preact/signals';
import { isValiError } from 'valibot';
import { RefusedError } from '../sandbox-client/control-transport.ts';

/** Something of the sandbox that the panel polls. */
export type Polled<T> = {
  /** `undefined` before the first answer. */
  latest: ReadonlySignal<T | undefined>;
  /** Why the sandbox's last answer could not be used. */
  problem: ReadonlySignal<string | undefined>;
  /** Looks once. Rejects where there is no answer at all. */
  refresh: () => Promise<void>;
};

/** @param actionCount how many actions there were: what was asked for before one is old by the time it is answered */
export function createPolled<T>(read: () => Promise<T>, actionCount: () => number): Polled<T> {
  const latest = signal<T | undefined>(undefined);
  const problem = signal<string | undefined>(undefined);
  return {
    latest,
    problem,
    async refresh() {
      const asked = actionCount();
      try {
        const next = await read();
        if (asked === actionCount()) latest.value = next;
        problem.value = undefined;
      } catch (error) {
        problem.value = explain(error);
      }
    },
  };
}

/** @throws the error itself where it says that nobody has answered */
function explain(error: unknown): string {
  if (error instanceof RefusedError) return error.message;
  if (isValiError(error))
    return 'The sandbox answered with something that this page does not know. Reload it.';
  throw error;
}
