import type { VirtualClock } from '../world/clock.ts';

/**
 * What can happen at a step instead of the usual:
 * - `kill`: the process dies
 * - `swap`: the next waiting step goes first; `last`: all waiting steps go first
 * - `hold`: the step is delayed by 3 seconds
 * - `fail`: the call fails and has no effect; `lose`: the call takes effect, but its response is lost
 * - `refuse`: the service responds 429; `cut`: the body of its response is truncated
 */
export type Action = 'kill' | 'swap' | 'last' | 'hold' | 'fail' | 'lose' | 'refuse' | 'cut';

/** A departure from the plain run: an action at one step, counted from 0. */
export type Deviation = { step: number; action: Action };

/** A step of a run, and the actions that were possible at it. */
export type TakenStep = { label: string; actions: readonly Action[] };

/** Orders concurrent steps. Steps take no time: the clock advances only when none is waiting. */
export type Scheduler = {
  /** Waits for its turn, then resolves with the planned action, if any, that the caller must carry out. */
  step: (label: string, actions: readonly Action[]) => Promise<Action | undefined>;
  /** Turns the counting of steps on or off. Uncounted steps go on at once, without an action. */
  setCounting: (isCounting: boolean) => void;
  taken: readonly TakenStep[];
  /** When the last deviation ended, in milliseconds since the epoch; 0 for never. */
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
    // A delayed step comes here twice; it is recorded the first time.
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
