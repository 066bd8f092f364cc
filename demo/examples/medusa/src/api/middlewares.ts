import { defineMiddlewares } from '@medusajs/framework/http';
import { parseCorsOrigins } from '@medusajs/framework/utils';
import cors from 'cors';
import { toNodeListener } from 'transfer-checkout/server-kit/node';
import { checkout } from '../lib/checkout';
import { paymentRoutes } from '../lib/payment-routes';
import { storeOrigins } from '../lib/store-origins';

checkout.start();
process.once('SIGTERM', () => checkout.stop());

/**
 * Mounts the routes of both ways. Not below `/store`, because the widget sends no publishable key; so the first way needs CORS of its own.
 * Medusa must not parse the bodies.
 */
export default defineMiddlewares([
  { matcher: '/transfer/*', bodyParser: false },
  {
    matcher: '/transfer',
    middlewares: [
      cors({ origin: parseCorsOrigins(storeOrigins().join(',')) }),
      toNodeListener(paymentRoutes),
    ],
  },
  { matcher: '/checkout/*', bodyParser: false },
  { matcher: '/checkout', middlewares: [toNodeListener(checkout)] },
]);
