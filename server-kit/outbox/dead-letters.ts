import type { OutboxEvent } from '../stores/outbox-event.ts';

/** An outcome whose handler has failed too often: a person decides. */
export type DeadLetter = {
  /** The idempotency key that the handler was called with. */
  key: string;
  orderId: string;
  outcome: OutboxEvent['outcome'];
  /** The payment that brought it about. */
  reference: string;
  /** How often the handler was begun. */
  tries: number;
  /** What the last failure said, 2,000 characters at most. */
  failure: string | null;
};

/** Names the part of an effect that a person needs. */
export const toDeadLetter = ({
  key,
  orderId,
  outcome,
  reference,
  token,
  failure,
}: OutboxEvent): DeadLetter => ({
  key,
  orderId,
  outcome,
  reference,
  tries: token,
  failure,
});

/** What retries need of a store, and of a checkout. */
export type DeadLetters = {
  list: () => Promise<OutboxEvent[]>;
  retry: (key: string) => Promise<boolean>;
};

/** Makes one dead letter due again, or all of them where `key` is `null`. Gives how many were: 0 for a key that is none. */
export async function retryDeadLetters({ list, retry }: DeadLetters, key: string | null): Promise<number> {
  const keys = key === null ? (await list()).map((event) => event.key) : [key];
  let retried = 0;
  for (const one of keys) if (await retry(one)) retried++;
  return retried;
}
