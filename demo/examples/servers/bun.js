import { checkout, createOrder } from './shop.js';

checkout.start();

const server = Bun.serve({
  port: process.env.PORT,
  // Responses are held for up to 25 seconds; Bun closes idle connections after 10.
  idleTimeout: 60,
  routes: {
    '/checkout/*': checkout.handler,
    '/orders': {
      POST() {
        const cookie = `order=${createOrder()}; Path=/; HttpOnly; SameSite=Lax`;
        return new Response(null, { status: 303, headers: { location: '/pay', 'set-cookie': cookie } });
      },
    },
  },
  fetch: () => new Response(null, { status: 404 }),
});

process.once('SIGTERM', async () => {
  // Responds to waiting requests; the next process serves the following ones.
  await checkout.stop();
  await server.stop();
});
