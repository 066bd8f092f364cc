import { createPaymentsClient, type PaymentsClient } from 'transfer-checkout/server-kit/core';

const { PAYMENTS_BASE_URL = '', PAYMENTS_API_KEY, PAYMENTS_API_SECRET = '' } = process.env;

/** For the job, the widget's routes and the checkout. The transfer provider has a client of its own, from its options. */
export const paymentsClient: PaymentsClient = createPaymentsClient({
  baseUrl: PAYMENTS_BASE_URL,
  apiKey: PAYMENTS_API_KEY,
  apiSecret: PAYMENTS_API_SECRET,
});
