import { randomBytes } from 'node:crypto';

/** Runs one statement, in which `$1` stands for the first of `values`, and gives its rows. */
export type Query = (sql: string, values?: readonly string[]) => Promise<readonly Record<string, unknown>[]>;

/** What the shop itself has to remember: its own tables, beside those of the checkout. */
export type ShopRecords = {
  /** A secret of that name: made once, and the same after a restart. */
  secret: (name: string) => Promise<string>;
  /**
   * Notes that an order is paid; once more changes nothing.
   *
   * @param query of the transaction in which the checkout marks the outcome as told, where there is one
   */
  notePaid: (orderId: string, query?: Query) => Promise<void>;
  isPaid: (orderId: string) => Promise<boolean>;
};

const tables = [
  'CREATE TABLE IF NOT EXISTS demo_secrets (name text PRIMARY KEY, secret text NOT NULL)',
  'CREATE TABLE IF NOT EXISTS demo_paid_orders (order_id text PRIMARY KEY)',
];

/** The records in the shop's database. */
export async function openShopRecords(query: Query): Promise<ShopRecords> {
  for (const table of tables) await query(table);
  return {
    async secret(name) {
      const made = randomBytes(32).toString('hex');
      // Of several instances that start together, one's is kept.
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

/** The records of a shop without a database: gone with the process. */
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
