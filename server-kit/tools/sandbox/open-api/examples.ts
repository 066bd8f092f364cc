import { convertAmounts, toWireAmount } from '../../../client/api/amount-unit.ts';
import type { Dialect } from '../../../client/api/dialect.ts';
import { type Endpoint, endpoints, type Operation } from '../../../client/api/endpoints.ts';

const payer = { email: 'ada@example.com', name: 'Ada Obi' };

/** A valid request to each endpoint with a body. Amounts are in minor units. */
const requests: { readonly [Op in Operation]?: unknown } = {
  'payments.initiate': {
    reference: 'ord_1001',
    paymentMethod: 'pay_with_transfer',
    amount: { value: 1_250_000, currency: 'NGN' },
    customer: payer,
    expiresIn: 900,
    callbackUrl: 'https://shop.example/callbacks',
    metadata: { orderId: '1001' },
  },
  'checkout.create': {
    reference: 'ord_1002',
    amount: { value: 1_250_000, currency: 'NGN' },
    customer: payer,
    returnUrl: 'https://shop.example/thanks',
    callbackUrl: 'https://shop.example/callbacks',
    metadata: { orderId: '1002' },
  },
  'dedicatedAccounts.create': {
    callbackUrl: 'https://shop.example/callbacks',
    currency: 'NGN',
    accountType: 'individual',
    accountName: 'Ada Obi',
    email: 'ada@example.com',
    kycProfile: {
      firstName: 'Ada',
      lastName: 'Obi',
      countryOfOrigin: 'NG',
      phoneNumber: '+234 801 234 5678',
      dateOfBirth: '1990-02-28',
      identities: [{ type: 'bvn', number: '22222222222' }],
    },
  },
  'invoices.cancel': { cancellationReason: 'Ordered twice' },
  'apps.register': {
    name: 'Shop',
    icon: 'https://shop.example/icon.png',
    base64Icon: 'iVBORw0KGgo=',
    scheme: 'shop',
    bankingType: 'business',
  },
  'apps.update': { name: 'Bookshop' },
};

/** Returns an example request in the dialect's unit; `undefined` for an endpoint without a body. */
export function exampleRequest(operation: Operation, unit: Dialect['amountUnit']): unknown {
  const { amounts }: Endpoint = endpoints[operation];
  return convertAmounts(requests[operation], amounts.request, (amount) => toWireAmount(amount, unit));
}
