import { paymentEndpoints, type RequestOf, type ResponseOf } from '../core/endpoints.ts';
import { appEndpoints } from './app.ts';
import { dedicatedAccountEndpoints } from './dedicated-account.ts';
import { invoiceEndpoints } from './invoice.ts';
import { payoutEndpoints } from './payout.ts';
import { taxRateEndpoints } from './tax-rate.ts';

/** Every endpoint of the service (interface, section 4), in the order of its sections. The sandbox is built from these rows, too. */
export const endpoints = {
  ...dedicatedAccountEndpoints,
  'payments.initiate': {
    ...paymentEndpoints['payments.initiate'],
    section: '4.4',
    summary: 'Initiates a payment by bank transfer',
  },
  'checkout.create': {
    ...paymentEndpoints['checkout.create'],
    section: '4.5',
    summary: 'Creates a link to a hosted checkout page',
  },
  'payments.retrieve': {
    ...paymentEndpoints['payments.retrieve'],
    section: '4.6',
    summary: 'Retrieves a payment by its id',
  },
  'payments.verify': {
    ...paymentEndpoints['payments.verify'],
    section: '4.7',
    summary: "Retrieves a payment by the merchant's reference",
  },
  ...invoiceEndpoints,
  ...payoutEndpoints,
  ...taxRateEndpoints,
  ...appEndpoints,
};

export type Operation = keyof typeof endpoints;
export type RequestOfOperation<Op extends Operation> = RequestOf<(typeof endpoints)[Op]>;
/** Interface, section 2.11: a list has a page of its records. */
export type ResponseOfOperation<Op extends Operation> = (typeof endpoints)[Op] extends { query: unknown }
  ? { hasMore: boolean; cursor: string; data: ResponseOf<(typeof endpoints)[Op]>[] }
  : ResponseOf<(typeof endpoints)[Op]>;
