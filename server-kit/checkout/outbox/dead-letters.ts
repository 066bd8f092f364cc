import type { EventNames } from '../order/event.ts';
import type { OutboxEvent } from '../ports/store.ts';

/** What a person needs to know of an outbox event whose handler has failed too often. */
export type DeadLetter = EventNames &
  Pick<OutboxEvent, 'amount' | 'failure'> & {
    /** How often the event was claimed for its handler. */
    tries: number;
  };

export function toDeadLetter(event: OutboxEvent): DeadLetter {
  const { key, orderId, outcome, reference, amount, token: tries, failure } = event;
  return { key, orderId, outcome, reference, amount, tries, failure };
}

/** The outbox events whose handlers have failed too often. A dead `paid` holds up the later events of its order. */
export type DeadLetters = {
  /** Lists the dead letters, oldest first. `failure` says why each failed. */
  list: () => Promise<OutboxEvent[]>;
  /** Makes an event due again, which calls its handler once more. Returns false for a key that is not a dead letter. */
  retry: (key: string) => Promise<boolean>;
};

/** Retries one dead letter, or all of them if `key` is `null`. Returns how many were retried. */
export async function retryDeadLetters({ list, retry }: DeadLetters, key: string | null): Promise<number> {
  const keys = key === null ? (await list()).map((event) => event.key) : [key];
  let retried = 0;
  for (const one of keys) if (await retry(one)) retried++;
  return retried;
}
