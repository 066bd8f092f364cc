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
  // With `true` held answers are cut. They are asked for again, of whoever serves then.
  await server.stop(true);
  await checkout.stop();
});
