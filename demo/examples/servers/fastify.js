import fastify from 'fastify';
import { toNodeListener } from 'transfer-checkout/server-kit/node';
import { checkout, createOrder } from './shop.js';

checkout.start();
const serveCheckout = toNodeListener(checkout);

// Idle connections would delay the shutdown by 72 seconds.
const app = fastify({ keepAliveTimeout: 2000 });
app.register(async (scope) => {
  // The checkout verifies the signature over the body as received, so nothing else may parse bodies in this scope.
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
  scope.all('/checkout/*', (request, reply) => {
    reply.hijack();
    serveCheckout(request.raw, reply.raw);
  });
});
app.post('/orders', (_request, reply) => {
  reply.header('set-cookie', `order=${createOrder()}; Path=/; HttpOnly; SameSite=Lax`).redirect('/pay', 303);
});
// Responds to waiting requests, so that the server can close.
app.addHook('preClose', () => checkout.stop());
await app.listen({ port: Number(process.env.PORT) });

process.once('SIGTERM', () => app.close());
