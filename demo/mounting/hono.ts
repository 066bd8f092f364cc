import { createServer } from 'node:http';
import { Hono } from 'hono';
import { fetchToNodeListener } from 'transfer-checkout/server-kit/node';
import { createShopCheckout } from './shop.ts';

const checkout = createShopCheckout();
checkout.start();

const app = new Hono();
app.all('/checkout/*', ({ req }) => checkout.handler(req.raw));

// On Bun and Deno, serve app.fetch as their examples do; this one is for Node.
const server = createServer(fetchToNodeListener(async (request) => app.fetch(request)));
server.listen(process.env.PORT ?? 3000);

process.once('SIGTERM', async () => {
  // Responds to waiting requests; the next process serves the following ones.
  await checkout.stop();
  server.close();
});
