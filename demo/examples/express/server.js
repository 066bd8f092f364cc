import express from 'express';
import { toNodeListener } from 'transfer-checkout/server-kit/node';
import { checkout } from './checkout.js';
import { createOrder } from './orders.js';

checkout.start();

const app = express();
// Before any body parser, because the checkout verifies the signature over the body as received.
app.use('/checkout', toNodeListener(checkout));
app.use('/assets', express.static('node_modules/transfer-checkout/dist/browser'));
app.use(express.static('public', { extensions: ['html'] }));
app.post('/orders', async (_request, response) => {
  response.cookie('order', await createOrder(), { httpOnly: true, sameSite: 'lax' }).redirect(303, '/pay');
});

const server = app.listen(process.env.PORT, (error) => {
  if (error) throw error;
  console.log(`The shop is ready: ${process.env.PUBLIC_URL}`);
});

process.once('SIGTERM', async () => {
  // Responds to waiting requests; the next process serves the following ones.
  await checkout.stop();
  server.close();
});
