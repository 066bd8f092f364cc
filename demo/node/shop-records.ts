import { createSecret, type Query, type ShopEvent, type ShopRecords } from '../merchant/shop-records.ts';

const tables = [
  'CREATE TABLE IF NOT EXISTS demo_secrets (name text PRIMARY KEY, secret text NOT NULL)',
  'CREATE TABLE IF NOT EXISTS demo_events (key text PRIMARY KEY, order_id text NOT NULL, at text NOT NULL, event text NOT NULL)',
];

/** Creates the tables in the shop's database, if they are missing. */
export async function openShopRecords(query: Query): Promise<ShopRecords> {
  for (const table of tables) await query(table);
  return {
    async secret(name) {
      // If several instances start together, one secret wins.
      await query('INSERT INTO demo_secrets (name, secret) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
        name,
        createSecret(),
      ]);
      const [row] = await query('SELECT secret FROM demo_secrets WHERE name = $1', [name]);
      return String(row?.secret);
    },
    async addEvent(event, inTransaction = query) {
      const { key, orderId, at } = event;
      await inTransaction(
        'INSERT INTO demo_events (key, order_id, at, event) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING',
        [key, orderId, at, JSON.stringify(event)],
      );
    },
    async eventsOf(orderId) {
      const rows = await query('SELECT event FROM demo_events WHERE order_id = $1 ORDER BY at', [orderId]);
      return rows.map(({ event }) => JSON.parse(String(event)) as ShopEvent);
    },
  };
}

/** Creates records in memory, for a shop without a database. */
export function createMemoryRecords(): ShopRecords {
  const secrets = new Map<string, string>();
  const events = new Map<string, ShopEvent>();
  return {
    async secret(name) {
      const secret = secrets.get(name) ?? createSecret();
      secrets.set(name, secret);
      return secret;
    },
    async addEvent(event) {
      if (!events.has(event.key)) events.set(event.key, event);
    },
    eventsOf: async (orderId) => [...events.values()].filter((event) => event.orderId === orderId),
  };
}
