import type { Priority } from './lines.ts';

/** A requested verification. Its promises may be left unhandled. */
export type Verification<T> = {
  /** `started`, or `deferred` as soon as it is known that the budget has no permit now: it then starts later. */
  drawn: Promise<'started' | 'deferred'>;
  /** Resolves when it starts. Rejects when it never will. */
  started: Promise<void>;
  ended: Promise<T>;
};

/** A verification in the queue. */
export type Entry<T> = {
  verification: Verification<T>;
  priority: Priority;
  /** Whether it is needed even if no shopper waits any more. */
  isRequired: boolean;
  requestedAtMs: number;
  draw: (result: 'started' | 'deferred') => void;
  start: (work: Promise<T>) => void;
  /** Ends it without a verification: `started` and `ended` reject with the reason. */
  drop: (reason: unknown, drawn?: 'started' | 'deferred') => void;
};

export function createEntry<T>(priority: Priority, requestedAtMs: number): Entry<T> {
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
    ...{ verification, priority, isRequired: priority !== 'waiting', requestedAtMs, draw },
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
