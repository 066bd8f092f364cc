import express from 'express';
import { toNodeListener } from 'transfer-checkout/server-kit/node';
import { createShopCheckout } from './shop.ts';

const checkout = createShopCheckout();
checkout.start();

const app = express();
// Before any body parser, because the checkout verifies the signature over the body as received.
app.use('/checkout', toNodeListener(checkout));
app.use(express.json());

const server = app.listen(process.env.PORT ?? 3000);

process.once('SIGTERM', async () => {
  // Responds to waiting requests; the next process serves the following ones.
  await checkout.stop();
  server.close();
});
