import { createServer } from 'node:http';
import { Hono } from 'hono';
import { fetchToNodeListener } from 'transfer-checkout/server-kit/node';
import { checkout, createOrder } from './shop.js';

checkout.start();

const app = new Hono();
app.all('/checkout/*', ({ req }) => checkout.handler(req.raw));
app.post('/orders', (context) => {
  context.header('set-cookie', `order=${createOrder()}; Path=/; HttpOnly; SameSite=Lax`);
  return context.redirect('/pay', 303);
});

// On Bun and Deno, serve app.fetch as their examples do; this one is for Node.
const server = createServer(fetchToNodeListener(async (request) => app.fetch(request)));
server.listen(process.env.PORT);

process.once('SIGTERM', async () => {
  // Responds to waiting requests; the next process serves the following ones.
  await checkout.stop();
  server.close();
});
