import { remainingMs } from '../../client/async/wait.ts';
import type { Client } from './client.ts';

/** The places that clients hold. */
export type HeldPlaces<Holder> = {
  add: (holder: Holder, client: Client, nowMs: number) => void;
  remove: (holder: Holder) => void;
  /**
   * Returns the holder that should make way for one of this client, so that all have the same number and take turns at what cannot
   * be divided: the oldest of the client that has the most, or of this client if nobody has more. None before its turn is over,
   * unless its client still has as many as this one afterwards.
   */
  toMakeWay: (client: Client, nowMs: number) => Holder | undefined;
};

type Place = { client: Client; sinceMs: number };

/**
 * Creates an empty index of places. Each operation touches one place and one client, however many there are.
 *
 * @param turnMs how long a place is kept before it goes to another client that has about as many
 */
export function createHeldPlaces<Holder>(turnMs: number): HeldPlaces<Holder> {
  const places = new Map<Holder, Place>();
  /** Each client's holders, the oldest first. */
  const holders = new Map<Client, Set<Holder>>();
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
    add(holder, client, nowMs) {
      const count = countOf(client);
      places.set(holder, { client, sinceMs: nowMs });
      holders.set(client, (holders.get(client) ?? new Set()).add(holder));
      move(client, count, count + 1);
    },
    remove(holder) {
      const place = places.get(holder);
      if (place === undefined) return;
      const { client } = place;
      const count = countOf(client);
      places.delete(holder);
      holders.get(client)?.delete(holder);
      if (count === 1) holders.delete(client);
      move(client, count, count - 1);
    },
    toMakeWay(client, nowMs) {
      const lead = most - countOf(client);
      const [first] = byCount.get(most) ?? [];
      const [oldest] = holders.get(lead > 0 ? first : client) ?? [];
      if (oldest === undefined || lead >= 2) return oldest;
      const isTurnOver = remainingMs(places.get(oldest)?.sinceMs ?? nowMs, turnMs, nowMs) === 0;
      return isTurnOver ? oldest : undefined;
    },
  };
}
