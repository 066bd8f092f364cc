// Runs in a shop that has installed the package: a sandbox, and a checkout on SQLite whose order is paid while the page waits. Then a
// second checkout opens the database. Prints what the handler and the page received.
import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import process from 'node:process';
import { startSandboxServer } from 'transfer-checkout/sandbox/node';
import { createCheckout, createPaymentsClient } from 'transfer-checkout/server-kit';
import { toNodeListener } from 'transfer-checkout/server-kit/node';
import { createSqliteStore } from 'transfer-checkout/server-kit/stores/sqlite';

const { url: baseUrl, sandbox, close } = await startSandboxServer({ port: 0 });
const server = createServer((request, response) => serve(request, response)).listen(0, '127.0.0.1');
await once(server, 'listening');
const shop = `http://127.0.0.1:${server.address().port}`;
const events = new EventEmitter();

const createShop = () =>
  createCheckout({
    client: createPaymentsClient({ baseUrl, apiKey: 'pk_test_sandbox', apiSecret: 'sk_test_sandbox' }),
    store: createSqliteStore({ url: `file:${process.env.DATABASE}` }),
    publicUrl: shop,
    clientSecretKeys: ['what-client-secrets-are-signed-with-here'],
    getOrder: () => ({ orderId: '1001', amount: { value: 1_250_000, currency: 'NGN' } }),
    onPaid: ({ order }) => events.emit('paid', order.orderId),
  });
const checkout = createShop();
const serve = toNodeListener(checkout);

const openSession = async () => {
  const headers = { 'content-type': 'application/json' };
  return (await fetch(`${shop}/checkout/sessions`, { method: 'POST', headers, body: '{}' })).json();
};
const read = ({ reference, clientSecret }, more = {}) =>
  fetch(`${shop}/checkout/sessions/${reference}`, {
    headers: { 'checkout-secret': clientSecret, ...more },
  });

const session = await openSession();
const etag = (await read(session)).headers.get('etag');
const waiting = read(session, { 'if-none-match': etag, prefer: 'wait=25' });
const paid = once(events, 'paid');
sandbox.control.transfer({ accountNumber: session.account.number, amount: session.amount.value });
const page = await (await waiting).json();
const [orderId] = await paid;
await checkout.stop();

const later = await createShop().createSession({
  orderId: '1001',
  amount: { value: 1_250_000, currency: 'NGN' },
});
const { bun, deno, node } = process.versions;
const runtime = (bun && `Bun ${bun}`) || (deno && `Deno ${deno}`) || `Node ${node}`;
console.log(JSON.stringify({ runtime, orderId, page: page.outcome, later: later.outcome }));
server.closeAllConnections();
server.close();
await close();
process.exit(0);
