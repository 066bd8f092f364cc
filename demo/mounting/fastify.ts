import fastify from 'fastify';
import { toNodeListener } from 'transfer-checkout/server-kit/node';
import { createShopCheckout } from './shop.ts';

const checkout = createShopCheckout();
checkout.start();
const serveCheckout = toNodeListener(checkout);

// Connections that nobody uses would hold up the end for 72 seconds.
const app = fastify({ keepAliveTimeout: 2000 });
app.register(async (scope) => {
  // The checkout reads bodies itself, as the bytes that were signed. In this scope nothing else does.
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
  scope.all('/checkout/*', (request, reply) => {
    reply.hijack();
    serveCheckout(request.raw, reply.raw);
  });
});
// Answers those who wait, so that the server can close.
app.addHook('preClose', () => checkout.stop());
await app.listen({ port: Number(process.env.PORT ?? 3000) });

process.once('SIGTERM', () => app.close());
