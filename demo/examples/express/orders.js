import { createClient } from '@libsql/client';

const database = createClient({ url: process.env.SHOP_DATABASE_URL });
await database.execute(
  'CREATE TABLE IF NOT EXISTS orders (id TEXT PRIMARY KEY, price INTEGER, paid_at TEXT)',
);

/** Freezes an order before it is paid. Its id is in a cookie of the shopper, and nobody else can guess it. */
export async function createOrder() {
  const orderId = crypto.randomUUID();
  await database.execute('INSERT INTO orders (id, price) VALUES (?, ?)', [orderId, 650_000]);
  return orderId;
}

/** The order as `getOrder` returns it, or undefined. */
export async function findOrder(cookies) {
  const [, orderId = ''] = /(?:^|; )order=([\w-]+)/.exec(cookies) ?? [];
  const { rows } = await database.execute('SELECT price FROM orders WHERE id = ?', [orderId]);
  return rows[0] && { orderId, amount: { value: rows[0].price, currency: 'NGN' } };
}

/** May run twice for one order, after a crash: the second run changes nothing. Returns whether the price is right. */
export async function markPaid(orderId, price) {
  const sql = 'UPDATE orders SET paid_at = coalesce(paid_at, CURRENT_TIMESTAMP) WHERE id = ? AND price = ?';
  const { rowsAffected } = await database.execute(sql, [orderId, price]);
  return rowsAffected === 1;
}
