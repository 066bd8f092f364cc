import { createShopCheckout } from './shop.ts';

const checkout = createShopCheckout();
checkout.start();

const server = Bun.serve({
  port: Number(process.env.PORT ?? 3000),
  // Answers are held for up to 25 seconds; Bun cuts what is silent for 10.
  idleTimeout: 60,
  routes: { '/checkout/*': checkout.handler },
  fetch: () => new Response(null, { status: 404 }),
});

process.once('SIGTERM', async () => {
  // Answers those who wait; whoever asks again is served by the next process.
  await checkout.stop();
  await server.stop();
});
