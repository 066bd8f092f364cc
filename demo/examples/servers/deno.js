import { checkout, createOrder } from './shop.js';

checkout.start();

const server = Deno.serve({ port: Number(Deno.env.get('PORT')) }, (request) => {
  const { pathname } = new URL(request.url);
  if (pathname.startsWith('/checkout/')) return checkout.handler(request);
  if (pathname !== '/orders' || request.method !== 'POST') return new Response(null, { status: 404 });
  const cookie = `order=${createOrder()}; Path=/; HttpOnly; SameSite=Lax`;
  return new Response(null, { status: 303, headers: { location: '/pay', 'set-cookie': cookie } });
});

Deno.addSignalListener('SIGTERM', async () => {
  // Responds to waiting requests; the next process serves the following ones.
  await checkout.stop();
  await server.shutdown();
  Deno.exit();
});
