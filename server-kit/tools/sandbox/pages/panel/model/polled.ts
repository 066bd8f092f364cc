import { type ReadonlySignal, signal } from '@preact/signals';
import { isValiError } from 'valibot';
import { RefusedError } from '../../client/sandbox-calls.ts';

/** Data of the sandbox that the panel polls. */
export type Polled<T> = {
  /** `undefined` before the first response. */
  latest: ReadonlySignal<T | undefined>;
  /** Why the last response could not be used. */
  problem: ReadonlySignal<string | undefined>;
  /** Refreshes once. Rejects if there is no response at all. */
  refresh: () => Promise<void>;
};

/** @param actionCount returns how many actions there were; a response requested before the latest one is outdated */
export function createPolled<T>(read: () => Promise<T>, actionCount: () => number): Polled<T> {
  const latest = signal<T | undefined>(undefined);
  const problem = signal<string | undefined>(undefined);
  return {
    latest,
    problem,
    async refresh() {
      const actionsBefore = actionCount();
      try {
        const next = await read();
        if (actionsBefore === actionCount()) latest.value = next;
        problem.value = undefined;
      } catch (error) {
        problem.value = explain(error);
      }
    },
  };
}

/** @throws the error itself if there was no response */
function explain(error: unknown): string {
  if (error instanceof RefusedError) return error.message;
  if (isValiError(error))
    return 'The sandbox sent a response that this page does not understand. Reload the page.';
  throw error;
}
