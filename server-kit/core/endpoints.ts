import * as v from 'valibot';
import { paymentStatuses } from '../../src/contract/index.ts';
import { PaymentsError } from './errors.ts';
import * as fields from './fields.ts';
import { type Dialect, parseOrThrow } from './options.ts';

/** One endpoint of the service. To add one, write a row, and pass it to `client.call`. */
export type Endpoint = {
  /** Its name in errors and logs, such as `payments.verify`. */
  operation: string;
  method: 'GET' | 'POST' | 'PUT';
  /** The path below the base URL; `{name}` is a placeholder for one segment. */
  path: `/v1/${string}`;
  /** How the request shows who sends it: with a signature, or with the client's `authToken`. */
  auth: 'signature' | 'bearer';
  request?: v.GenericSchema;
  /** The body has a `reference` by which the service recognises and refuses a repeated request. */
  hasReference?: true;
  response: v.GenericSchema;
  /** The client stops reading a response after this many bytes. Default: 65,536, a record with its metadata. */
  maxResponseBytes?: number;
  /** The fields with amounts, which the dialect converts. */
  amounts?: { request?: readonly string[]; response?: readonly string[] };
};

export type RequestOf<E extends Endpoint> = E extends { request: infer Schema extends v.GenericSchema }
  ? v.InferInput<Schema>
  : undefined;
export type ResponseOf<E extends Endpoint> = v.InferOutput<E['response']>;

const requested = {
  /** The merchant's own id of the payment; using it again is refused with `reference_exists`. */
  reference: fields.Identifier,
  amount: fields.RequestAmount,
  customer: v.optional(
    v.strictObject({ email: v.optional(fields.Email), name: v.optional(fields.NonEmptyText) }),
  ),
  callbackUrl: v.optional(fields.CallbackUrl),
  metadata: v.optional(fields.RequestMetadata),
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
  id: fields.NonEmptyText,
  reference: fields.NonEmptyText,
  /** Empty if missing: the number and the bank are enough to pay. */
  accountName: v.optional(v.pipe(v.fallback(v.string(), ''), fields.ShownText), ''),
  accountNumber: fields.AccountNumber,
  bankName: fields.ShownText,
  amount: fields.Amount,
  liveMode: v.boolean(),
  expiresAt: fields.Timestamp,
  metadata: fields.lenient(fields.Metadata),
});
export type PaymentInitiation = v.InferOutput<typeof PaymentInitiation>;

/** Interface, section 4.5: the body of POST /v1/payments/checkout. */
export const CheckoutLinkRequest = v.strictObject({
  ...requested,
  /** Where the hosted page sends the shopper after the payment. */
  returnUrl: v.optional(fields.WebUrl),
});
export type CheckoutLinkRequest = v.InferInput<typeof CheckoutLinkRequest>;

/** Interface, section 2.4: a payment page of the service. */
export const CheckoutLink = v.looseObject({
  id: fields.NonEmptyText,
  reference: fields.NonEmptyText,
  amount: v.nullish(fields.Amount),
  /** Always http(s), because the shopper's browser is sent there. */
  authorizationUrl: fields.WebUrl,
  /** Unchecked: it may open an app (`myapp://back`). Check it before you send a browser there. */
  returnUrl: fields.lenient(v.string()),
  expiresAt: fields.lenient(fields.Timestamp),
  callbackUrl: fields.lenient(v.string()),
  metadata: fields.lenient(fields.Metadata),
  liveMode: fields.lenient(v.boolean()),
});
export type CheckoutLink = v.InferOutput<typeof CheckoutLink>;

/** Interface, section 2.5: a payment, as retrieve and verify return it. */
export const Payment = v.looseObject({
  id: fields.NonEmptyText,
  reference: fields.NonEmptyText,
  currency: fields.openEnum(fields.currencies),
  status: fields.openEnum(paymentStatuses),
  /** A secret of unstated purpose; it never leaves the server. */
  accessToken: fields.lenient(v.string()),
  acceptedAmountPolicy: fields.lenient(v.string()),
  /** May be null on retrieve by id. */
  paymentMethod: fields.lenient(v.string()),
  paymentChannel: fields.lenient(v.string()),
  customerId: fields.lenient(v.string()),
  expectedAmount: fields.WireCharge,
  /** What the shopper sent. Null if the service names no amount, which is not the same as 0. */
  chargedAmount: v.nullish(fields.WireCharge, null),
  fee: fields.lenient(fields.WireAmount),
  vat: fields.lenient(fields.WireAmount),
  emtl: fields.lenient(fields.WireAmount),
  callbackUrl: fields.lenient(v.string()),
  returnUrl: fields.lenient(v.string()),
  receiptEmail: fields.lenient(v.string()),
  metadata: fields.lenient(fields.Metadata),
  liveMode: v.boolean(),
  createdAt: fields.lenient(fields.Timestamp),
  updatedAt: fields.Timestamp,
});
export type Payment = v.InferOutput<typeof Payment>;

const created = {
  method: 'POST',
  auth: 'signature',
  hasReference: true,
  amounts: { request: ['amount.value'], response: ['amount.value'] },
} as const;
const retrieved = {
  method: 'GET',
  auth: 'signature',
  response: Payment,
  amounts: { response: ['expectedAmount', 'chargedAmount', 'fee', 'vat', 'emtl'] },
} as const;

/** The endpoints of payments and checkout links. The other ten are in `service/endpoints.ts`. */
export const paymentEndpoints = {
  'payments.initiate': {
    operation: 'payments.initiate',
    path: '/v1/payments',
    request: PaymentInitiationRequest,
    response: PaymentInitiation,
    ...created,
  },
  'checkout.create': {
    operation: 'checkout.create',
    path: '/v1/payments/checkout',
    request: CheckoutLinkRequest,
    response: CheckoutLink,
    ...created,
  },
  'payments.retrieve': { operation: 'payments.retrieve', path: '/v1/payments/{id}', ...retrieved },
  'payments.verify': { operation: 'payments.verify', path: '/v1/payments/{reference}/verify', ...retrieved },
} as const satisfies Record<string, Endpoint>;

/** Reads a record, with amounts in minor units, unknown fields and enum values. Throws `invalid_response`, or `invalid_options` for another mode. */
export function readRecord<E extends Endpoint>(
  { dialect, liveMode }: { dialect: Dialect; liveMode: boolean | undefined },
  { operation, response, amounts }: E,
  body: unknown,
): ResponseOf<E> {
  const converted = dialect.fromWire(body, amounts?.response ?? []);
  const record = parseOrThrow(response, converted, 'body', (text, params) => {
    const message = `The response to ${operation} does not match the interface: ${text}.`;
    return new PaymentsError('invalid_response', message, { operation, status: 200, params });
  });
  // Test money must not pay a live order, nor live money a test order.
  if (liveMode !== undefined && (record as { liveMode?: boolean }).liveMode === !liveMode) {
    const message = `${operation} returned a record in ${liveMode ? 'test' : 'live'} mode, but createPaymentsClient has liveMode: ${liveMode}; check that apiKey and apiSecret are for that mode; live mode needs an https baseUrl.`;
    throw new PaymentsError('invalid_options', message, { operation, params: ['liveMode'] });
  }
  return record;
}
