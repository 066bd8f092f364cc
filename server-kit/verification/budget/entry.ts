import type { Priority } from './lines.ts';

/** A verification that was asked for. None of its promises has to be listened to. */
export type Verification<T> = {
  /** `started` or, as soon as it is known that the budget has no permit for it now, `deferred`: it starts later. */
  drawn: Promise<'started' | 'deferred'>;
  /** Resolves when it starts. Rejects when it never will. */
  started: Promise<void>;
  ended: Promise<T>;
};

/** A verification in the queue. */
export type Entry<T> = {
  verification: Verification<T>;
  priority: Priority;
  /** Whether it was asked for by anybody but shoppers, who may have gone. */
  isRequired: boolean;
  askedAtMs: number;
  draw: (result: 'started' | 'deferred') => void;
  start: (work: Promise<T>) => void;
  /** Ends it unmade. Whoever heard `started` hears the reason. */
  drop: (reason: unknown, drawn?: 'started' | 'deferred') => void;
};

export function createEntry<T>(priority: Priority, askedAtMs: number): Entry<T> {
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
    ...{ verification, priority, isRequired: priority !== 'waiting', askedAtMs, draw },
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
