import type { VirtualClock } from '../world/clock.ts';

/**
 * What can happen at a step, other than that it goes on:
 * - `kill`: the process that takes it dies
 * - `swap`: the next step that waits goes first; `last`: all that wait go first
 * - `hold`: it goes on 3 seconds later
 * - `fail`: the call fails before its work is done; `lose`: its response is lost after it
 * - `refuse`: the service responds 429; `cut`: the text of its response is cut off
 */
export type Action = 'kill' | 'swap' | 'last' | 'hold' | 'fail' | 'lose' | 'refuse' | 'cut';

/** One departure from the plain run: what happens at which step. */
export type Deviation = { step: number; action: Action };

/** A step that was taken, and what could have happened at it. */
export type TakenStep = { label: string; actions: readonly Action[] };

/** Decides which of several calls goes on first. Nothing takes time: the clock moves when no step waits. */
export type Scheduler = {
  /** Waits for its turn; gives what happens at it, where that is not `undefined`. */
  step: (label: string, actions: readonly Action[]) => Promise<Action | undefined>;
  /** Steps are counted from now on, or no more. Those that are not counted are taken at once. */
  setCounting: (isCounting: boolean) => void;
  taken: readonly TakenStep[];
  /** When something last went wrong, in milliseconds since the epoch; 0 for never. */
  deviatedAtMs: () => number;
};

type Waiting = { index: number; label: string; actions: readonly Action[]; go: (action?: Action) => void };

const holdMs = 3000;

export function createScheduler(clock: VirtualClock, deviations: readonly Deviation[]): Scheduler {
  const taken: TakenStep[] = [];
  const waiting: Waiting[] = [];
  const planned = new Map(deviations.map(({ step, action }) => [step, action]));
  let isCounting = false;
  let isDraining = false;
  let deviatedAtMs = 0;

  const drain = (): void => {
    const next = waiting.shift();
    if (next !== undefined) take(next);
    isDraining = waiting.length > 0;
    if (isDraining) clock.after(0, drain);
  };

  const enqueue = (step: Waiting): void => {
    waiting.push(step);
    if (!isDraining) clock.after(0, drain);
    isDraining = true;
  };

  function take(step: Waiting): void {
    const { index, label, actions } = step;
    // A step that was put off has been counted.
    if (taken[index] === undefined) {
      const orders: Action[] = waiting.length === 0 ? [] : waiting.length === 1 ? ['swap'] : ['swap', 'last'];
      taken[index] = { label, actions: [...orders, ...actions] };
    }
    const action = planned.get(index);
    planned.delete(index);
    if (action === undefined) return step.go();
    deviatedAtMs = clock.now();
    switch (action) {
      case 'swap':
        waiting.splice(1, 0, step);
        return;
      case 'last':
        waiting.push(step);
        return;
      case 'hold':
        deviatedAtMs += holdMs;
        clock.after(holdMs, () => enqueue(step));
        return;
      default:
        return step.go(action);
    }
  }

  let count = 0;
  return {
    taken,
    deviatedAtMs: () => deviatedAtMs,
    setCounting(next) {
      isCounting = next;
    },
    step: async (label, actions) => {
      if (!isCounting) return undefined;
      const index = count++;
      return new Promise((go) => enqueue({ index, label, actions, go }));
    },
  };
}
