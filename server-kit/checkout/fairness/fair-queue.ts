/** The key under which a client is limited; kept in memory only. All requests without a key are one client. */
export type Client = string | undefined;

/** Turns are recent for as many others. Many more than the addresses of a flood, and little memory. */
const recentTurns = 10_000;

/**
 * Creates an empty queue of items. The next one is alternately the oldest of all, and the oldest of the client whose turn it is: first
 * that of clients without a recent turn, then of the others in rotation. So those who keep coming back, however many they are, hardly
 * delay a client that comes once; and one address with the phones of a whole carrier waits at most twice as long as in a queue
 * without turns.
 *
 * Each operation touches one item and one client, however many there are.
 */
export function createFairQueue<Item>() {
  const clients = new Map<Item, Client>();
  /** The items of each client, the oldest first. */
  const waiting = new Map<Client, Set<Item>>();
  /** The clients that wait, in the order of their turns. */
  const [newcomers, others] = [new Set<Client>(), new Set<Client>()];
  /** The number of each client's last turn, the oldest first. */
  const recent = new Map<Client, number>();
  let turns = 0;

  const remove = (item: Item): void => {
    const client = clients.get(item);
    const items = waiting.get(client);
    clients.delete(item);
    items?.delete(item);
    if (items?.size !== 0) return;
    waiting.delete(client);
    newcomers.delete(client);
    others.delete(client);
  };
  const firstInTurn = (): Item | undefined => {
    const [client] = newcomers.size > 0 ? newcomers : others;
    return waiting.get(client)?.values().next().value;
  };
  const noteTurn = (client: Client): void => {
    recent.delete(client);
    recent.set(client, ++turns);
    for (const [oldest, turn] of recent) {
      if (turn > turns - recentTurns) break;
      recent.delete(oldest);
    }
    newcomers.delete(client);
    others.delete(client);
    if (waiting.has(client)) others.add(client);
  };

  return {
    /** Adds an item at the end, unless it is in the queue. */
    put(item: Item, client: Client): void {
      if (clients.has(item)) return;
      clients.set(item, client);
      if (!waiting.has(client)) (recent.has(client) ? others : newcomers).add(client);
      waiting.set(client, (waiting.get(client) ?? new Set<Item>()).add(item));
    },
    /** Removes and returns the next one. */
    next(): Item | undefined {
      const item = turns % 2 === 0 ? clients.keys().next().value : firstInTurn();
      if (item === undefined) return undefined;
      const client = clients.get(item);
      remove(item);
      noteTurn(client);
      return item;
    },
    remove,
    size: () => clients.size,
  };
}
