import { createServer } from 'node:http';
import { toNodeListener } from 'transfer-checkout/server-kit/node';
import { checkout, createOrder } from './shop.js';

const { PORT, PAGE_URL } = process.env;

checkout.start();
const serveCheckout = toNodeListener(checkout);

const server = createServer((request, response) => {
  if (request.url.startsWith('/checkout/')) return serveCheckout(request, response);
  if (request.url !== '/orders' || request.method !== 'POST') return response.writeHead(404).end();
  const cookie = `order=${createOrder()}; Path=/; HttpOnly; SameSite=Lax`;
  response.writeHead(303, { location: `${PAGE_URL}/pay`, 'set-cookie': cookie }).end();
});
server.listen(PORT);

process.once('SIGTERM', async () => {
  // Responds to waiting requests; the next process serves the following ones.
  await checkout.stop();
  server.close();
});
