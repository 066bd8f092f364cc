import { type Wait, whenAborted } from '../wait.ts';
import type { Budget } from './budget.ts';
import { createLines, type Priority } from './lines.ts';

/** A verification that was asked for. None of its promises has to be listened to. */
export type Verification<T> = {
  /** `started` or, as soon as it is known that the budget has no permit for it now, `deferred`: it starts later. */
  drawn: Promise<'started' | 'deferred'>;
  /** Resolves when it starts. Rejects when it never will. */
  started: Promise<void>;
  ended: Promise<T>;
};

/** The verifications of this instance that wait for a permit of the shared budget: one a reference. */
export type VerificationQueue<T> = {
  /** Asks for a verification that starts from now on. One that waits already is joined, at the higher of both priorities. */
  add: (reference: string, priority: Priority) => Verification<T>;
  isQueued: (reference: string) => boolean;
  /** How many wait. */
  size: () => number;
  /** Counts one that starts now, without a permit. */
  startAtOnce: () => void;
};

export type VerificationQueueOptions<T> = {
  budget: Budget;
  verify: (reference: string, priority: Priority) => Promise<T>;
  /** Whether one that waits is still wanted, asked when its turn comes. */
  isWanted: (reference: string, priority: Priority, askedAtMs: number) => boolean;
  now: () => number;
  wait: Wait;
  /** From 0 up to, not including, 1: keeps instances apart that wait for the same budget. */
  random: () => number;
  /** Ends the waiting: what nobody waits for in person is rejected. */
  stopping: AbortSignal;
};

/** How many run at once on this instance. What decides on an account is not held up by it. */
export const maxInFlight = 64;

/** Of the time until the next permit. */
const jitterShare = 0.1;
const maxJitterMs = 20;

type Entry<T> = {
  verification: Verification<T>;
  priority: Priority;
  askedAtMs: number;
  draw: (result: 'started' | 'deferred') => void;
  start: (work: Promise<T>) => void;
  /** Ends it unmade. Whoever heard `started` hears the reason. */
  drop: (reason: unknown, drawn?: 'started' | 'deferred') => void;
};

export function createVerificationQueue<T>(options: VerificationQueueOptions<T>): VerificationQueue<T> {
  const { budget, verify, isWanted, now, wait, random, stopping } = options;
  const lines = createLines<Entry<T>>();
  /** Those of which nobody knows yet whether they start at once. */
  const undrawn: Entry<T>[] = [];
  let inFlight = 0;
  let isPumping = false;
  let isPausing = false;

  const run = async (reference: string, priority: Priority): Promise<T> => {
    inFlight++;
    try {
      return await verify(reference, priority);
    } finally {
      inFlight--;
      pump();
    }
  };
  /** Returns how many of the permits nothing is left for. */
  const startNext = (permits: number): number => {
    for (let left = permits; ; ) {
      if (left === 0) return 0;
      const next = lines.next();
      if (next === undefined) return left;
      const [reference, priority, entry] = next;
      if (isWanted(reference, priority, entry.askedAtMs)) {
        entry.start(run(reference, priority));
        left--;
      } else entry.drop(new Error(`Nobody waits for ${reference} any more.`), 'deferred');
    }
  };
  const deferAll = (): void => {
    for (const entry of undrawn.splice(0)) entry.draw('deferred');
  };
  const dropAll = (reason: unknown, isDropped: (priority: Priority) => boolean): void => {
    for (const [reference, priority, entry] of lines.list()) {
      if (!isDropped(priority)) continue;
      lines.remove(reference);
      entry.drop(reason);
    }
  };

  /** Draws permits for as long as anything waits that may start. */
  const drawAll = async (): Promise<void> => {
    for (;;) {
      const wanted = Math.max(0, Math.min(lines.size(), maxInFlight - inFlight));
      if (wanted === 0 && !budget.hasSpent()) return;
      const { granted, retryAfterMs } = await budget.take(wanted);
      budget.spend(-startNext(granted));
      if (granted === wanted) continue;
      deferAll();
      if (stopping.aborted) return;
      isPausing = true;
      await wait(
        retryAfterMs + Math.min(retryAfterMs * jitterShare, maxJitterMs) * random(),
        stopping,
        true,
      ).catch(() => {});
      isPausing = false;
    }
  };
  const pump = (): void => {
    if (isPumping) return;
    isPumping = true;
    drawAll()
      // The store has failed: whoever waits may ask again.
      .catch((error: unknown) => dropAll(error, () => true))
      .finally(() => {
        isPumping = false;
        const isMissed = budget.hasSpent() || (lines.size() > 0 && inFlight < maxInFlight);
        if (isMissed && !stopping.aborted) pump();
        else deferAll();
      });
  };
  whenAborted(stopping, () => dropAll(stopping.reason, (priority) => priority !== 'waiting'));

  const join = (known: Entry<T>, reference: string, priority: Priority): void => {
    known.askedAtMs = now();
    if (rank[priority] >= rank[known.priority]) return;
    known.priority = priority;
    lines.put(reference, priority, known);
  };

  return {
    add(reference, priority) {
      const known = lines.get(reference);
      const entry = known ?? createEntry<T>(priority, now());
      if (known !== undefined) join(known, reference, priority);
      else if (stopping.aborted && priority !== 'waiting') entry.drop(stopping.reason);
      else lines.put(reference, priority, entry);
      if (known === undefined) undrawn.push(entry);
      if (isPausing) deferAll();
      pump();
      return entry.verification;
    },
    isQueued: (reference) => lines.get(reference) !== undefined,
    size: lines.size,
    startAtOnce() {
      budget.spend(1);
      pump();
    },
  };
}

/** The lower goes first. */
const rank: Record<Priority, number> = { callback: 0, waiting: 1, due: 2 };

function createEntry<T>(priority: Priority, askedAtMs: number): Entry<T> {
  let draw: Entry<T>['draw'] = () => {};
  let begin: (value: undefined | Promise<never>) => void = () => {};
  let end: (work: Promise<T>) => void = () => {};
  const verification: Verification<T> = {
    drawn: new Promise((resolve) => (draw = resolve)),
    started: new Promise<void>((resolve) => (begin = resolve)),
    ended: new Promise((resolve) => (end = resolve)),
  };
  for (const promise of [verification.started, verification.ended]) promise.catch(() => {});
  return {
    ...{ verification, priority, askedAtMs, draw },
    start(work) {
      draw('started');
      begin(undefined);
      end(work);
    },
    drop(reason, drawn = 'started') {
      const dropped = Promise.reject(reason);
      draw(drawn);
      begin(dropped);
      end(dropped);
    },
  };
}
