import { createServer } from 'node:http';
import { Hono } from 'hono';
import { fetchToNodeListener } from 'transfer-checkout/server-kit/node';
import { createShopCheckout } from './shop.ts';

const checkout = createShopCheckout();
checkout.start();

const app = new Hono();
app.all('/checkout/*', ({ req }) => checkout.handler(req.raw));

// Hono runs where there is fetch; this is Node. On Bun and Deno, serve app.fetch as the files beside this one do.
const server = createServer(fetchToNodeListener(async (request) => app.fetch(request)));
server.listen(process.env.PORT ?? 3000);

process.once('SIGTERM', async () => {
  // Answers those who wait; whoever asks again is served by the next process.
  await checkout.stop();
  server.close();
});
