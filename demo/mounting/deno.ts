import { createShopCheckout } from './shop.ts';

const checkout = createShopCheckout();
checkout.start();

// Aborted, it cuts held answers as well. They are asked for again, of whoever serves then.
const stopping = new AbortController();
const server = Deno.serve(
  { port: Number(Deno.env.get('PORT') ?? 3000), signal: stopping.signal },
  (request) =>
    new URL(request.url).pathname.startsWith('/checkout/')
      ? checkout.handler(request)
      : new Response(null, { status: 404 }),
);

Deno.addSignalListener('SIGTERM', async () => {
  stopping.abort();
  await server.finished;
  await checkout.stop();
  Deno.exit();
});
