import { createServer } from 'node:http';
import sirv from 'sirv';
import { toNodeListener } from 'transfer-checkout/server-kit/node';
import { checkout, createOrder } from './shop.js';

checkout.start();
const serveCheckout = toNodeListener(checkout);

const server = createServer((request, response) => {
  if (request.url.startsWith('/checkout/')) return serveCheckout(request, response);
  if (request.url !== '/orders' || request.method !== 'POST') return servePages(request, response);
  const cookie = `order=${createOrder()}; Path=/; HttpOnly; SameSite=Lax`;
  response.writeHead(204, { 'set-cookie': cookie }).end();
});
const isDevelopment = process.argv.includes('--development');
const servePages = isDevelopment ? await createDevServer() : sirv('dist', { single: true });
server.listen(process.env.PORT, () => console.log(`The shop is ready: ${process.env.PUBLIC_URL}`));

/** Vite's own server, at the address of the shop: the checkout refuses pages of any other. */
async function createDevServer() {
  const vite = await import('vite');
  const { middlewares } = await vite.createServer({ server: { middlewareMode: true, hmr: { server } } });
  return middlewares;
}

process.once('SIGTERM', async () => {
  // Responds to waiting requests; the next process serves the following ones.
  await checkout.stop();
  server.close();
});
