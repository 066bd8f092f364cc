import type { Client } from '../../fairness/client.ts';
import type { Priority } from './priority-queues.ts';

/** A requested verification. Its promises may be left unhandled. */
export type Verification<T> = {
  /** `started`, or `deferred` as soon as it is known that the budget has no permit now: it then starts later. */
  decided: Promise<'started' | 'deferred'>;
  /** Resolves when it starts. Rejects when it never will. */
  started: Promise<void>;
  ended: Promise<T>;
};

/** Who has requested a verification. */
export type Requested = {
  priority: Priority;
  /** The client whose shopper waits, if one does and it is known. */
  client: Client;
};

/** A verification in the queue. */
export type Entry<T> = Requested & {
  verification: Verification<T>;
  /** Whether it is needed even if no shopper waits any more. */
  isRequired: boolean;
  requestedAtMs: number;
  decide: (result: 'started' | 'deferred') => void;
  start: (work: Promise<T>) => void;
  /** Ends it without a verification: `started` and `ended` reject with the reason. */
  drop: (reason: unknown, decision?: 'started' | 'deferred') => void;
};

export function createEntry<T>({ priority, client }: Requested, requestedAtMs: number): Entry<T> {
  let decide: Entry<T>['decide'] = () => {};
  let begin: (value: undefined | Promise<never>) => void = () => {};
  let end: (work: Promise<T>) => void = () => {};
  const verification: Verification<T> = {
    decided: new Promise((resolve) => (decide = resolve)),
    started: new Promise<void>((resolve) => (begin = resolve)),
    ended: new Promise((resolve) => (end = resolve)),
  };
  for (const promise of [verification.started, verification.ended]) promise.catch(() => {});
  return {
    ...{ verification, priority, client, isRequired: priority !== 'waiting', requestedAtMs, decide },
    start(work) {
      decide('started');
      begin(undefined);
      end(work);
    },
    drop(reason, decision = 'started') {
      const dropped = Promise.reject(reason);
      decide(decision);
      begin(dropped);
      end(dropped);
    },
  };
}
