import { createShopCheckout } from './shop.ts';

const checkout = createShopCheckout();
checkout.start();

const server = Deno.serve({ port: Number(Deno.env.get('PORT') ?? 3000) }, (request) =>
  new URL(request.url).pathname.startsWith('/checkout/')
    ? checkout.handler(request)
    : new Response(null, { status: 404 }),
);

Deno.addSignalListener('SIGTERM', async () => {
  // Responds to waiting requests; the next process serves the following ones.
  await checkout.stop();
  await server.shutdown();
  Deno.exit();
});
