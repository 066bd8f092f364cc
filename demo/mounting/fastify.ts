import fastify from 'fastify';
import { toNodeListener } from 'transfer-checkout/server-kit/node';
import { createShopCheckout } from './shop.ts';

const checkout = createShopCheckout();
checkout.start();
const serveCheckout = toNodeListener(checkout);

// An answer may be held for 25 seconds. One that is cut on close is asked for again, of whoever serves then.
const app = fastify({ forceCloseConnections: true });
app.register(async (scope) => {
  // The checkout reads bodies itself, as the bytes that were signed. In this scope nothing else does.
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
  scope.all('/checkout/*', (request, reply) => {
    reply.hijack();
    serveCheckout(request.raw, reply.raw);
  });
});
app.addHook('onClose', () => checkout.stop());
await app.listen({ port: Number(process.env.PORT ?? 3000) });

process.once('SIGTERM', () => app.close());
