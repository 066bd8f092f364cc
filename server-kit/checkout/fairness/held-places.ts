import { remainingMs } from '../../client/async/wait.ts';
import type { Client } from './fair-queue.ts';

/**
 * Creates an empty index of the places that clients hold. Each operation touches one place and one client, however many there are.
 *
 * @param turnMs how long a place is kept before it goes to another client that has about as many
 */
export function createHeldPlaces<Holder>(turnMs: number) {
  const clients = new Map<Holder, Client>();
  /** Each client's holders, the oldest first, and since when. */
  const holders = new Map<Client, Map<Holder, number>>();
  /** The clients by their number of places; those that reached it first come first. */
  const byCount = new Map<number, Set<Client>>();
  let most = 0;

  const countOf = (client: Client): number => holders.get(client)?.size ?? 0;
  const move = (client: Client, from: number, to: number): void => {
    const left = byCount.get(from);
    left?.delete(client);
    if (left?.size === 0) byCount.delete(from);
    if (to > 0) byCount.set(to, (byCount.get(to) ?? new Set()).add(client));
    if (to > most || !byCount.has(most)) most = to;
  };

  return {
    add(holder: Holder, client: Client, nowMs: number): void {
      const count = countOf(client);
      clients.set(holder, client);
      holders.set(client, (holders.get(client) ?? new Map<Holder, number>()).set(holder, nowMs));
      move(client, count, count + 1);
    },
    remove(holder: Holder): void {
      if (!clients.has(holder)) return;
      const client = clients.get(holder);
      const count = countOf(client);
      clients.delete(holder);
      holders.get(client)?.delete(holder);
      if (count === 1) holders.delete(client);
      move(client, count, count - 1);
    },
    /**
     * Returns the holder that one of this client should replace, so that all have the same number and take turns at what cannot
     * be divided: the oldest of the client that has the most, or of this client if nobody has more. None before its turn is over,
     * unless its client still has as many as this one afterwards.
     */
    toReplace(client: Client, nowMs: number): Holder | undefined {
      const lead = most - countOf(client);
      const [first] = byCount.get(most) ?? [];
      const [oldest] = holders.get(lead > 0 ? first : client) ?? [];
      if (oldest === undefined) return undefined;
      const [holder, sinceMs] = oldest;
      return lead >= 2 || remainingMs(sinceMs, turnMs, nowMs) === 0 ? holder : undefined;
    },
  };
}
