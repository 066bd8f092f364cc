import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { basename } from 'node:path';
import { createClient } from '@libsql/client';
import * as payments from 'transfer-checkout/server-kit/core';
import { toNodeListener } from 'transfer-checkout/server-kit/node';

const { PORT, PUBLIC_URL, CLIENT_SECRET_KEY } = process.env;
const callbackUrl = `${PUBLIC_URL}/checkout/callbacks`;

const database = createClient({ url: process.env.DATABASE_URL });
await database.executeMultiple(`
  CREATE TABLE IF NOT EXISTS orders (id TEXT PRIMARY KEY, kobo INTEGER NOT NULL, paid_at TEXT);
  CREATE TABLE IF NOT EXISTS payments (number INTEGER PRIMARY KEY, reference TEXT UNIQUE, order_id TEXT, opened TEXT);
`);
const query = async (sql, ...args) => (await database.execute({ sql, args })).rows;

const client = payments.createPaymentsClient({
  baseUrl: process.env.PAYMENTS_BASE_URL,
  apiKey: process.env.PAYMENTS_API_KEY,
  apiSecret: process.env.PAYMENTS_API_SECRET,
});

/** The shopper's order is in a cookie that nobody else can guess. Its price is our own. */
async function findOrder(headers) {
  const [, id = ''] = /(?:^|; )order=([\w-]+)/.exec(headers.get('cookie')) ?? [];
  const [order] = await query('SELECT * FROM orders WHERE id = ?', id);
  if (!order) throw new payments.CheckoutError('forbidden', 'There is nothing to pay; go back to the shop.');
  return order;
}

/** Returns the order's last payment, or opens one: the first, or another after one that has ended without money. */
async function getOrOpen({ id: orderId, kobo: value }, preference) {
  const [last] = await query('SELECT * FROM payments WHERE order_id = ? ORDER BY number DESC', orderId);
  const opened = last && JSON.parse(last.opened);
  if (opened && !(preference === 'new' && (await hasEnded(opened)))) return opened;
  const request = { reference: crypto.randomUUID(), amount: { value, currency: 'NGN' }, callbackUrl };
  const payment = { ...(await payments.openPayment(client, request)), orderId };
  // Stored before the shopper sees it: the service never repeats the account.
  const stored = [payment.reference, orderId, JSON.stringify(payment)];
  await query('INSERT INTO payments (reference, order_id, opened) VALUES (?, ?, ?)', ...stored);
  return payment;
}

async function hasEnded({ reference }) {
  const payment = await client.payments.verify(reference);
  return ['expired', 'failed'].includes(payment.status) && !payments.holdsMoney(payment);
}

/** One request after the other, so that two tabs of an order get one account. A shop with many of both locks the order's row. */
let before = Promise.resolve();
async function findPayment({ headers, preference }) {
  const order = await findOrder(headers);
  const payment = before.then(() => getOrOpen(order, preference));
  before = payment.catch(() => {});
  return payment;
}

async function retrievePayment(reference) {
  const [row] = await query('SELECT opened FROM payments WHERE reference = ?', reference);
  return row && JSON.parse(row.opened);
}

/** Ships once, however often and by whom the payment is verified. */
async function onVerified(opened, payment) {
  if (!payments.isPaid(opened, payment)) return;
  const once = 'UPDATE orders SET paid_at = ? WHERE id = ? AND paid_at IS NULL RETURNING id';
  const [order] = await query(once, payment.updatedAt, opened.orderId);
  if (order) console.log(`Order ${order.id} is paid: ship it.`);
}

async function verify(reference) {
  const opened = await retrievePayment(reference);
  if (opened) await onVerified(opened, await client.payments.verify(reference));
}

const serveCheckout = toNodeListener(
  payments.createPaymentRoutes({
    client,
    clientSecretKeys: [CLIENT_SECRET_KEY],
    findPayment,
    retrievePayment,
    onVerified,
    callbackUrl,
    onCallback: ({ data }) => verify(String(data.reference)),
    onError: (error) => console.error(error),
  }),
);

/** Money may come while no page is open, and for a week after the account has expired. */
setInterval(async () => {
  const unpaid = await query(`SELECT reference FROM payments JOIN orders ON id = order_id
    WHERE paid_at IS NULL AND opened ->> 'openedAt' > datetime('now', '-8 days')`);
  for (const { reference } of unpaid) await verify(reference).catch((error) => console.error(error));
}, 60_000);

const head = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
  <title>Kola's Bookshop</title><link rel="icon" href="data:,">`;
const pages = {
  '/': `${head}<form action="/orders" method="post">Things Fall Apart, ₦6,500.00 <button>Buy</button></form>
    <a href="/pay">Your order</a>`,
  '/pay': `${head}<script src="/assets/checkout.js" async></script>
    <transfer-checkout base-url="/checkout" merchant-name="Kola's Bookshop"></transfer-checkout>
    <a href="/">Back to the shop</a>`,
};

createServer(async (request, response) => {
  const { pathname } = new URL(request.url, PUBLIC_URL);
  if (pathname.startsWith('/checkout/')) return serveCheckout(request, response);
  if (pages[pathname]) return response.writeHead(200, { 'content-type': 'text/html' }).end(pages[pathname]);
  if (pathname === '/orders' && request.method === 'POST') {
    const id = crypto.randomUUID();
    await query('INSERT INTO orders (id, kobo) VALUES (?, 650000)', id);
    const cookie = `order=${id}; Path=/; HttpOnly; SameSite=Lax`;
    return response.writeHead(303, { location: '/pay', 'set-cookie': cookie }).end();
  }
  const file = `node_modules/transfer-checkout/dist/browser/${basename(pathname)}`;
  const body = await readFile(file).catch(() => undefined);
  response.writeHead(body ? 200 : 404, { 'content-type': 'text/javascript' }).end(body);
}).listen(PORT, () => console.log(`The shop is ready: ${PUBLIC_URL}`));
