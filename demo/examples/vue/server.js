import { createServer } from 'node:http';
import sirv from 'sirv';
import { toNodeListener } from 'transfer-checkout/server-kit/node';
import { checkout, createOrder } from './shop.js';

checkout.start();
const serveCheckout = toNodeListener(checkout);
const servePages = sirv('dist', { single: true });

const server = createServer((request, response) => {
  if (request.url.startsWith('/checkout/')) return serveCheckout(request, response);
  if (request.url !== '/orders' || request.method !== 'POST') return servePages(request, response);
  const cookie = `order=${createOrder()}; Path=/; HttpOnly; SameSite=Lax`;
  response.writeHead(204, { 'set-cookie': cookie }).end();
});
server.listen(process.env.PORT);

process.once('SIGTERM', async () => {
  // Responds to waiting requests; the next process serves the following ones.
  await checkout.stop();
  server.close();
});
