import * as v from 'valibot';
import { paymentStatuses } from '../../../src/contract/index.ts';
import { withFees } from './fees.ts';
import {
  AccountNumber,
  Amount,
  amountsIn,
  CallbackUrl,
  currencies,
  exactObject,
  Identifier,
  lenient,
  lenientObject,
  Metadata,
  NonEmptyText,
  openEnum,
  RequestAmount,
  RequestCustomer,
  RequestMetadata,
  ShownText,
  ShownTextOrEmpty,
  Timestamp,
  WireCharge,
  WireFee,
} from './fields.ts';

/** The policies of `acceptedAmountPolicy` (interface, section 2.5). */
export const acceptedAmountPolicies = [
  'ACCEPTED_AMOUNT_POLICY_FIXED',
  'ACCEPTED_AMOUNT_POLICY_ALLOW_PARTIAL',
  'ACCEPTED_AMOUNT_POLICY_ALLOW_EXCESS',
  'ACCEPTED_AMOUNT_POLICY_ALLOW_ANY',
] as const;
export type AcceptedAmountPolicy = (typeof acceptedAmountPolicies)[number];

/** How a payment was made (interface, section 2.5). */
export const paymentMethods = [
  'pay_with_transfer',
  'card',
  'dedicated_virtual_account',
  'invoice_payment_account',
  'bank_transfer',
] as const;
export type PaymentMethod = (typeof paymentMethods)[number];
export const paymentChannels = ['checkout', 'terminal', 'api', 'bank_account'] as const;
export type PaymentChannel = (typeof paymentChannels)[number];

/** Interface, section 4.4: the body of POST /v1/payments. Amounts are in minor units, `expiresIn` in seconds. */
export const PaymentInitiationRequest = exactObject({
  /** The merchant's own id of the payment; using it again is refused with `reference_exists`. */
  reference: Identifier,
  paymentMethod: v.literal('pay_with_transfer'),
  amount: RequestAmount,
  customer: v.optional(RequestCustomer),
  expiresIn: v.optional(v.pipe(v.number(), v.finite('must be finite'), v.gtValue(0, 'must be above 0'))),
  callbackUrl: v.optional(CallbackUrl),
  metadata: v.optional(RequestMetadata),
});
export type PaymentInitiationRequest = v.InferInput<typeof PaymentInitiationRequest>;

/** Interface, section 2.2: the customer of a payment. */
const Customer = lenientObject({
  id: v.string(),
  name: v.string(),
  email: v.string(),
  phoneNumber: v.string(),
  address: v.string(),
  reference: v.string(),
  isBlacklisted: v.boolean(),
  liveMode: v.boolean(),
});

/** Interface, section 2.3: an initiated payment, with the account to pay into. */
export const PaymentInitiation = v.looseObject({
  id: NonEmptyText,
  reference: NonEmptyText,
  /** Empty if missing: the number and the bank are enough to pay. */
  accountName: ShownTextOrEmpty,
  accountNumber: v.pipe(AccountNumber, v.minLength(1, 'must not be empty')),
  bankName: ShownText,
  amount: Amount,
  customer: lenient(Customer),
  liveMode: v.boolean(),
  expiresAt: Timestamp,
  metadata: lenient(Metadata),
});
export type PaymentInitiation = v.InferOutput<typeof PaymentInitiation>;

/** The fields of a payment with what the service deducted. */
export const paymentFees = ['fee', 'vat', 'emtl'] as const;

/** Interface, section 2.5: a payment, as retrieve and verify return it. */
export const Payment = withFees(
  v.looseObject({
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
    fee: lenient(WireFee),
    vat: lenient(WireFee),
    emtl: lenient(WireFee),
    callbackUrl: lenient(v.string()),
    returnUrl: lenient(v.string()),
    receiptEmail: lenient(v.string()),
    metadata: lenient(Metadata),
    liveMode: v.boolean(),
    createdAt: lenient(Timestamp),
    updatedAt: Timestamp,
  }),
  paymentFees,
);
export type Payment = v.InferOutput<typeof Payment>;

/** The fields of a payment with amounts; `?` marks fees. */
export const paymentAmounts = amountsIn(Payment.entries);
