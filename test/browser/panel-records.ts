import { createPaymentsClient, type PaymentsClient } from '../../server-kit/index.ts';

/** The merchant's client of the demo's sandbox. */
export const createClient = (demoUrl: string, apiSecret = 'sk_test_sandbox'): PaymentsClient =>
  createPaymentsClient({
    baseUrl: `${demoUrl}/service`,
    apiSecret,
    maxRetries: 0,
  });

export const initiate = (demoUrl: string, reference: string, callbackUrl?: string) =>
  createClient(demoUrl).payments.initiate({
    reference,
    paymentMethod: 'pay_with_transfer',
    amount: { value: 1_250_000, currency: 'NGN' },
    customer: { email: 'ada@example.com', name: 'Ada Obi' },
    ...(callbackUrl !== undefined && { callbackUrl }),
  });

export const createLink = (demoUrl: string, reference: string) =>
  createClient(demoUrl).checkout.create({
    reference,
    amount: { value: 1_250_000, currency: 'NGN' },
    returnUrl: `${demoUrl}/?returned`,
    callbackUrl: 'http://localhost:9/callbacks',
  });
