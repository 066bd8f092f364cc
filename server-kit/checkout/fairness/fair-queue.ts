import type { Client } from './client.ts';

/**
 * Creates an empty queue of names. The next name is alternately the oldest of all, and the oldest of the client whose turn it is.
 * So a client that fills the queue hardly delays another; and one address with the phones of a whole carrier waits at most twice
 * as long as in a queue without turns.
 *
 * Each operation touches one name and one client, however many there are.
 */
export function createFairQueue() {
  const clients = new Map<string, Client>();
  /** The names of each client, the oldest first; the client whose turn it is comes first. */
  const turns = new Map<Client, Set<string>>();
  let isByAge = false;

  const remove = (name: string): void => {
    const client = clients.get(name);
    const names = turns.get(client);
    clients.delete(name);
    names?.delete(name);
    if (names?.size === 0) turns.delete(client);
  };
  const firstInTurn = (): string | undefined => {
    const [turn] = turns;
    if (turn === undefined) return undefined;
    const [client, names] = turn;
    turns.delete(client);
    turns.set(client, names);
    return names.values().next().value;
  };

  return {
    /** Adds a name at the end, unless it is in the queue. */
    put(name: string, client: Client): void {
      if (clients.has(name)) return;
      clients.set(name, client);
      turns.set(client, (turns.get(client) ?? new Set()).add(name));
    },
    /** Removes and returns the next one. */
    next(): string | undefined {
      isByAge = !isByAge;
      const name = isByAge ? clients.keys().next().value : firstInTurn();
      if (name !== undefined) remove(name);
      return name;
    },
    remove,
    size: () => clients.size,
  };
}
