import type { Client } from './client.ts';

/** A queue whose clients take turns. */
export type FairQueue<Item> = {
  get: (name: string) => Item | undefined;
  /** Adds an item at the end of the queue; removes an earlier one of this name. */
  put: (name: string, item: Item) => void;
  /** Removes and returns the next one. */
  next: () => readonly [name: string, item: Item] | undefined;
  remove: (name: string) => void;
  size: () => number;
  /** Returns all of them, the oldest first. */
  list: () => (readonly [name: string, item: Item])[];
};

/**
 * Creates an empty queue. The next item is alternately the oldest of all, and the oldest of the client whose turn it is. So a
 * client that fills the queue hardly delays another; and one address with the phones of a whole carrier waits at most twice
 * as long as in a queue without turns.
 *
 * Each operation touches one item and one client, however many there are.
 */
export function createFairQueue<Item>(clientOf: (item: Item) => Client): FairQueue<Item> {
  const items = new Map<string, { item: Item; client: Client }>();
  /** The names of each client's items, the oldest first; the client whose turn it is comes first. */
  const turns = new Map<Client, Set<string>>();
  let isByAge = false;

  const take = (name: string): Item | undefined => {
    const known = items.get(name);
    if (known === undefined) return undefined;
    items.delete(name);
    const names = turns.get(known.client);
    names?.delete(name);
    if (names?.size === 0) turns.delete(known.client);
    return known.item;
  };
  const endTurn = (client: Client): void => {
    const names = turns.get(client);
    turns.delete(client);
    if (names !== undefined) turns.set(client, names);
  };
  const nextName = (): string | undefined => {
    isByAge = !isByAge;
    const [oldest] = items.keys();
    const [turn] = turns;
    if (isByAge || turn === undefined) return oldest;
    const [client, names] = turn;
    endTurn(client);
    const [first] = names;
    return first;
  };

  return {
    get: (name) => items.get(name)?.item,
    put(name, item) {
      take(name);
      const client = clientOf(item);
      items.set(name, { item, client });
      turns.set(client, (turns.get(client) ?? new Set()).add(name));
    },
    next() {
      const name = nextName();
      const item = name === undefined ? undefined : take(name);
      return name === undefined || item === undefined ? undefined : [name, item];
    },
    remove: take,
    size: () => items.size,
    list: () => [...items].map(([name, { item }]) => [name, item] as const),
  };
}
