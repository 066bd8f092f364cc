import { createPaymentsClient, type PaymentsClient } from '../../server-kit/index.ts';

/** What a merchant's server asks of the demo's sandbox. */
export const createClient = (demoUrl: string, apiSecret = 'sk_test_sandbox'): PaymentsClient =>
  createPaymentsClient({
    baseUrl: `${demoUrl}/service`,
    apiSecret,
    authToken: 'auth_test_sandbox',
    retry: { maxRetries: 0 },
  });

export const initiate = (demoUrl: string, reference: string, callbackUrl?: string) =>
  createClient(demoUrl).payments.initiate({
    reference,
    paymentMethod: 'pay_with_transfer',
    amount: { value: 1_250_000, currency: 'NGN' },
    customer: { email: 'ada@example.com', name: 'Ada Obi' },
    ...(callbackUrl !== undefined && { callbackUrl }),
  });

export const requestAccount = (
  demoUrl: string,
  accountName: string,
  callbackUrl = 'http://localhost:9/callbacks',
) =>
  createClient(demoUrl).dedicatedAccounts.create({
    callbackUrl,
    currency: 'NGN',
    accountType: 'individual',
    accountName,
    email: 'ada@example.com',
    kycProfile: {
      firstName: 'Ada',
      lastName: 'Obi',
      countryOfOrigin: 'NG',
      phoneNumber: '+234 800 000 0000',
      dateOfBirth: '1990-01-31',
      identities: [{ type: 'bvn', number: '12345678901' }],
    },
  });

export const registerApp = (demoUrl: string) =>
  createClient(demoUrl).apps.register({
    name: 'Bookshop',
    icon: 'https://shop.example/icon.png',
    base64Icon: 'aWNvbg==',
    scheme: 'bookshop',
  });
