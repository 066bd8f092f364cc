import * as v from 'valibot';
import { paymentStatuses } from '../../src/contract/index.ts';
import {
  AccountNumber,
  Amount,
  CallbackUrl,
  currencies,
  Identifier,
  lenient,
  Metadata,
  NonEmptyText,
  openEnum,
  RequestAmount,
  RequestCustomer,
  RequestMetadata,
  ShownText,
  Timestamp,
  WebUrl,
  WireAmount,
  WireCharge,
} from './fields.ts';

/** One endpoint of the service. To add one, write a row, and call it with `client.call`. */
export type Endpoint = {
  /** Its name in errors and logs, such as `payments.verify`. */
  operation: string;
  /** The section of docs/reference/service-interface.md. */
  section: string;
  method: 'GET' | 'POST' | 'PUT';
  /** The path below the base URL; `{name}` is a placeholder for one segment. */
  path: `/v1/${string}`;
  auth: 'signature' | 'bearer';
  request?: v.GenericSchema;
  /** The body has a `reference` by which the service recognises and refuses a repeated request. */
  hasReference?: true;
  response: v.GenericSchema;
  /** The client stops reading a response after this many bytes. */
  maxResponseBytes: number;
  /** The fields with amounts, to be converted to the dialect's unit. `?` marks a fee, which may be unreadable. */
  amounts: { request?: readonly string[]; response: readonly string[] };
};

export type RequestOf<E extends Endpoint> = E extends { request: infer Schema extends v.GenericSchema }
  ? v.InferInput<Schema>
  : undefined;
export type ResponseOf<E extends Endpoint> = v.InferOutput<E['response']>;

/** The policies of `acceptedAmountPolicy` (interface, section 2.5). */
export const acceptedAmountPolicies = [
  'ACCEPTED_AMOUNT_POLICY_FIXED',
  'ACCEPTED_AMOUNT_POLICY_ALLOW_PARTIAL',
  'ACCEPTED_AMOUNT_POLICY_ALLOW_EXCESS',
  'ACCEPTED_AMOUNT_POLICY_ALLOW_ANY',
] as const;

/** How a payment was made (interface, section 2.5). */
export const paymentMethods = [
  'pay_with_transfer',
  'card',
  'dedicated_virtual_account',
  'invoice_payment_account',
  'bank_transfer',
] as const;
export const paymentChannels = ['checkout', 'terminal', 'api', 'bank_account'] as const;

/** The fields that accounts and links are requested with. */
const requested = {
  /** The merchant's own id of the payment; using it again is refused with `reference_exists`. */
  reference: Identifier,
  amount: RequestAmount,
  customer: v.optional(RequestCustomer),
  callbackUrl: v.optional(CallbackUrl),
  metadata: v.optional(RequestMetadata),
};

/** Interface, section 4.4: the body of POST /v1/payments. Amounts are in minor units, `expiresIn` in seconds. */
export const PaymentInitiationRequest = v.strictObject({
  ...requested,
  paymentMethod: v.literal('pay_with_transfer'),
  expiresIn: v.optional(v.pipe(v.number(), v.finite('must be finite'), v.gtValue(0, 'must be above 0'))),
});
export type PaymentInitiationRequest = v.InferInput<typeof PaymentInitiationRequest>;

/** Interface, section 2.3: an initiated payment, with the account to pay into. */
export const PaymentInitiation = v.looseObject({
  id: NonEmptyText,
  reference: NonEmptyText,
  /** Empty if missing: the number and the bank are enough to pay. */
  accountName: v.optional(v.pipe(v.fallback(v.string(), ''), ShownText), ''),
  accountNumber: AccountNumber,
  bankName: ShownText,
  amount: Amount,
  liveMode: v.boolean(),
  expiresAt: Timestamp,
  metadata: lenient(Metadata),
});
export type PaymentInitiation = v.InferOutput<typeof PaymentInitiation>;

/** Interface, section 4.5: the body of POST /v1/payments/checkout. */
export const CheckoutLinkRequest = v.strictObject({
  ...requested,
  /** Where the hosted page sends the shopper after the payment. */
  returnUrl: v.optional(WebUrl),
});
export type CheckoutLinkRequest = v.InferInput<typeof CheckoutLinkRequest>;

/** Interface, section 2.4: a payment page of the service. Only the fields needed to send a shopper there are required. */
export const CheckoutLink = v.looseObject({
  id: NonEmptyText,
  reference: NonEmptyText,
  amount: v.nullish(Amount),
  /** Always http(s), because the shopper's browser is sent there. */
  authorizationUrl: WebUrl,
  /** Unchecked: it may open an app (`myapp://back`). Check it before you send a browser there. */
  returnUrl: lenient(v.string()),
  expiresAt: lenient(Timestamp),
  callbackUrl: lenient(v.string()),
  metadata: lenient(Metadata),
  liveMode: lenient(v.boolean()),
});
export type CheckoutLink = v.InferOutput<typeof CheckoutLink>;

/** Interface, section 2.5: a payment, as retrieve and verify return it. */
export const Payment = v.looseObject({
  id: NonEmptyText,
  reference: NonEmptyText,
  currency: openEnum(currencies),
  status: openEnum(paymentStatuses),
  /** A secret of unstated purpose; it never leaves the server. */
  accessToken: lenient(v.string()),
  acceptedAmountPolicy: lenient(openEnum(acceptedAmountPolicies)),
  /** May be null on retrieve by id. */
  paymentMethod: lenient(openEnum(paymentMethods)),
  paymentChannel: lenient(openEnum(paymentChannels)),
  customerId: lenient(v.string()),
  expectedAmount: WireCharge,
  /** Null if the service names no amount, which is not the same as 0. */
  chargedAmount: v.nullish(WireCharge, null),
  fee: lenient(WireAmount),
  vat: lenient(WireAmount),
  emtl: lenient(WireAmount),
  callbackUrl: lenient(v.string()),
  returnUrl: lenient(v.string()),
  receiptEmail: lenient(v.string()),
  metadata: lenient(Metadata),
  liveMode: v.boolean(),
  createdAt: lenient(Timestamp),
  updatedAt: Timestamp,
});
export type Payment = v.InferOutput<typeof Payment>;

/** The fields of a payment with what the service deducted. */
export const paymentFees = ['fee', 'vat', 'emtl'] as const;

/** Enough for a record with its metadata, and small enough to hold many at once. */
export const recordEndpoint = { auth: 'signature', maxResponseBytes: 65_536 } as const;

const created = { ...recordEndpoint, method: 'POST', hasReference: true } as const;
const amounts = { request: ['amount.value'], response: ['amount.value'] } as const;
const retrieved = {
  ...recordEndpoint,
  method: 'GET',
  response: Payment,
  amounts: { response: ['expectedAmount', 'chargedAmount', 'fee?', 'vat?', 'emtl?'] },
} as const;

/** The endpoints of payments and checkout links. The other ten are in `service/endpoints.ts`. */
export const paymentEndpoints = {
  'payments.initiate': {
    operation: 'payments.initiate',
    section: '4.4',
    path: '/v1/payments',
    request: PaymentInitiationRequest,
    response: PaymentInitiation,
    amounts,
    ...created,
  },
  'checkout.create': {
    operation: 'checkout.create',
    section: '4.5',
    path: '/v1/payments/checkout',
    request: CheckoutLinkRequest,
    response: CheckoutLink,
    amounts,
    ...created,
  },
  'payments.retrieve': {
    operation: 'payments.retrieve',
    section: '4.6',
    path: '/v1/payments/{id}',
    ...retrieved,
  },
  'payments.verify': {
    operation: 'payments.verify',
    section: '4.7',
    path: '/v1/payments/{reference}/verify',
    ...retrieved,
  },
} as const satisfies Record<string, Endpoint>;
