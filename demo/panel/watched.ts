import { type ReadonlySignal, signal } from '@preact/signals';
import { isValiError } from 'valibot';
import { RefusedError } from './sandbox-calls.ts';

/** Something of the sandbox that the panel looks at again and again. */
export type Watched<T> = {
  /** `undefined` before the first answer. */
  value: ReadonlySignal<T | undefined>;
  /** Why the sandbox's last answer could not be used. */
  problem: ReadonlySignal<string | undefined>;
  /** Looks once. Rejects where there is no answer at all. */
  look: () => Promise<void>;
};

/** @param moment changes with each action: what was asked for before it is old by the time it is answered */
export function createWatched<T>(read: () => Promise<T>, moment: () => number): Watched<T> {
  const value = signal<T | undefined>(undefined);
  const problem = signal<string | undefined>(undefined);
  return {
    value,
    problem,
    async look() {
      const asked = moment();
      try {
        const next = await read();
        if (asked === moment()) value.value = next;
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
