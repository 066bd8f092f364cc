import { randomBytes } from 'node:crypto';

/** Runs one statement and returns its rows; `$1` is the first of `values`. */
export type Query = (sql: string, values?: readonly string[]) => Promise<readonly Record<string, unknown>[]>;

/** The shop's own tables, besides those of the checkout. */
export type ShopRecords = {
  /** Returns the secret of that name, created once and kept across restarts. */
  secret: (name: string) => Promise<string>;
  /**
   * Marks an order as paid; doing it again changes nothing.
   *
   * @param query runs in the checkout's transaction, if there is one
   */
  notePaid: (orderId: string, query?: Query) => Promise<void>;
  isPaid: (orderId: string) => Promise<boolean>;
};

const tables = [
  'CREATE TABLE IF NOT EXISTS demo_secrets (name text PRIMARY KEY, secret text NOT NULL)',
  'CREATE TABLE IF NOT EXISTS demo_paid_orders (order_id text PRIMARY KEY)',
];

/** Creates the tables in the shop's database, if they are missing. */
export async function openShopRecords(query: Query): Promise<ShopRecords> {
  for (const table of tables) await query(table);
  return {
    async secret(name) {
      const made = randomBytes(32).toString('hex');
      // If several instances start together, one secret wins.
      await query('INSERT INTO demo_secrets (name, secret) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
        name,
        made,
      ]);
      const [row] = await query('SELECT secret FROM demo_secrets WHERE name = $1', [name]);
      return String(row?.secret);
    },
    async notePaid(orderId, inTransaction = query) {
      await inTransaction('INSERT INTO demo_paid_orders (order_id) VALUES ($1) ON CONFLICT DO NOTHING', [
        orderId,
      ]);
    },
    isPaid: async (orderId) =>
      (await query('SELECT 1 FROM demo_paid_orders WHERE order_id = $1', [orderId])).length > 0,
  };
}

/** Creates records in memory, for a shop without a database. */
export function createMemoryRecords(): ShopRecords {
  const secrets = new Map<string, string>();
  const paidOrders = new Set<string>();
  return {
    async secret(name) {
      const secret = secrets.get(name) ?? randomBytes(32).toString('hex');
      secrets.set(name, secret);
      return secret;
    },
    notePaid: async (orderId) => void paidOrders.add(orderId),
    isPaid: async (orderId) => paidOrders.has(orderId),
  };
}
