import { type ReadonlySignal, signal } from '@preact/signals';
import { isValiError } from 'valibot';
import { RefusedError } from './control-transport.ts';

/** Something of the sandbox that the panel looks at again and again. */
export type Watched<T> = {
  /** `undefined` before the first answer. */
  latest: ReadonlySignal<T | undefined>;
  /** Why the sandbox's last answer could not be used. */
  problem: ReadonlySignal<string | undefined>;
  /** Looks once. Rejects where there is no answer at all. */
  look: () => Promise<void>;
};

/** @param actionCount how many actions there were: what was asked for before one is old by the time it is answered */
export function createWatched<T>(read: () => Promise<T>, actionCount: () => number): Watched<T> {
  const latest = signal<T | undefined>(undefined);
  const problem = signal<string | undefined>(undefined);
  return {
    latest,
    problem,
    async look() {
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
