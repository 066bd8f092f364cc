import { createServer } from 'node:http';
import { toNodeListener } from 'transfer-checkout/server-kit/node';
import { createShopCheckout } from './shop.ts';

const checkout = createShopCheckout();
checkout.start();

const serveCheckout = toNodeListener(checkout);
const server = createServer((request, response) => {
  if (request.url?.startsWith('/checkout/')) return serveCheckout(request, response);
  response.writeHead(404).end();
});
server.listen(process.env.PORT ?? 3000);

process.once('SIGTERM', async () => {
  // Responds to waiting requests; the next process serves the following ones.
  await checkout.stop();
  server.close();
});
