import express from 'express';
import { toNodeListener } from 'transfer-checkout/server-kit/node';
import { createShopCheckout } from './shop.ts';

const checkout = createShopCheckout();
checkout.start();

const app = express();
// Before any body parser: the checkout reads bodies itself, as the bytes that were signed.
app.use('/checkout', toNodeListener(checkout));
app.use(express.json());

const server = app.listen(process.env.PORT ?? 3000);

process.once('SIGTERM', async () => {
  // Answers those who wait; whoever asks again is served by the next process.
  await checkout.stop();
  server.close();
});
