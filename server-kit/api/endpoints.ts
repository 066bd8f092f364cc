import type * as v from 'valibot';
import { CheckoutLink, CheckoutLinkRequest } from './checkout-link.ts';
import { Payment, PaymentInitiation, PaymentInitiationRequest, paymentAmounts } from './payment.ts';

/** One endpoint of the service. The client calls it, the sandbox answers it, and both are made from this row. */
export type Endpoint = {
  /** The section of the interface that describes it. */
  section: string;
  method: 'GET' | 'POST' | 'PUT';
  /** The path below the base address; `{name}` stands for one segment. */
  path: `/v1/${string}`;
  auth: 'signature' | 'bearer';
  /** The status of success. The client takes any 2xx. */
  successStatus: 200 | 201;
  request?: v.GenericSchema;
  response: v.GenericSchema;
  /** The fields that hold amounts, for the dialect's unit. */
  amounts: { request: readonly string[]; response: readonly string[] };
};

const paymentResponse = { response: Payment, amounts: { request: [], response: paymentAmounts } } as const;

/** Every endpoint of the service (interface, section 4). Adding one is adding a row. */
export const endpoints = {
  'payments.initiate': {
    section: '4.4',
    method: 'POST',
    path: '/v1/payments',
    auth: 'signature',
    successStatus: 200,
    request: PaymentInitiationRequest,
    response: PaymentInitiation,
    amounts: { request: ['amount.value'], response: ['amount.value'] },
  },
  'checkout.create': {
    section: '4.5',
    method: 'POST',
    path: '/v1/payments/checkout',
    auth: 'signature',
    successStatus: 200,
    request: CheckoutLinkRequest,
    response: CheckoutLink,
    amounts: { request: ['amount.value'], response: ['amount.value'] },
  },
  'payments.retrieve': {
    section: '4.6',
    method: 'GET',
    path: '/v1/payments/{id}',
    auth: 'signature',
    successStatus: 200,
    ...paymentResponse,
  },
  'payments.verify': {
    section: '4.7',
    method: 'GET',
    path: '/v1/payments/{reference}/verify',
    auth: 'signature',
    successStatus: 200,
    ...paymentResponse,
  },
} as const satisfies Record<string, Endpoint>;

export type Operation = keyof typeof endpoints;
export type RequestOf<Op extends Operation> = (typeof endpoints)[Op] extends {
  request: infer Schema extends v.GenericSchema;
}
  ? v.InferInput<Schema>
  : undefined;
export type ResponseOf<Op extends Operation> = v.InferOutput<(typeof endpoints)[Op]['response']>;
