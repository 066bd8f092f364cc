import { createShopCheckout } from './shop.ts';

const checkout = createShopCheckout();
checkout.start();

const server = Bun.serve({
  port: Number(process.env.PORT ?? 3000),
  // Responses are held for up to 25 seconds; Bun closes idle connections after 10.
  idleTimeout: 60,
  routes: { '/checkout/*': checkout.handler },
  fetch: () => new Response(null, { status: 404 }),
});

process.once('SIGTERM', async () => {
  // Responds to waiting requests; the next process serves the following ones.
  await checkout.stop();
  await server.stop();
});
