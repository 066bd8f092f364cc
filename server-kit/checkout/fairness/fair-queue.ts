/** The key under which a client is limited; kept in memory only. All requests without a key are one client. */
export type Client = string | undefined;

/**
 * Creates an empty queue of items. The next one is alternately the oldest of all, and the oldest of the client whose turn it is.
 * So a client that fills the queue hardly delays another; and one address with the phones of a whole carrier waits at most twice
 * as long as in a queue without turns.
 *
 * Each operation touches one item and one client, however many there are.
 */
export function createFairQueue<Item>() {
  const clients = new Map<Item, Client>();
  /** The items of each client, the oldest first; the client whose turn it is comes first. */
  const turns = new Map<Client, Set<Item>>();
  let isByAge = false;

  const remove = (item: Item): void => {
    const client = clients.get(item);
    const items = turns.get(client);
    clients.delete(item);
    items?.delete(item);
    if (items?.size === 0) turns.delete(client);
  };
  const firstInTurn = (): Item | undefined => {
    const [turn] = turns;
    if (turn === undefined) return undefined;
    const [client, items] = turn;
    turns.delete(client);
    turns.set(client, items);
    return items.values().next().value;
  };

  return {
    /** Adds an item at the end, unless it is in the queue. */
    put(item: Item, client: Client): void {
      if (clients.has(item)) return;
      clients.set(item, client);
      turns.set(client, (turns.get(client) ?? new Set<Item>()).add(item));
    },
    /** Removes and returns the next one. */
    next(): Item | undefined {
      isByAge = !isByAge;
      const item = isByAge ? clients.keys().next().value : firstInTurn();
      if (item !== undefined) remove(item);
      return item;
    },
    remove,
    size: () => clients.size,
  };
}
