import * as v from 'valibot';

/**
 * What the panel takes from the sandbox's control calls, with the fields that it shows. All else of a record is kept
 * for its raw JSON, and unknown words pass: a tab may be older, or newer, than the sandbox it talks to.
 */

const Text = v.nullish(v.string());
const Amount = v.nullish(v.number());
const Currency = v.fallback(v.picklist(['NGN', 'USD']), 'NGN');
const Words = v.array(v.string());

export const Clock = v.looseObject({ now: v.string(), offsetSeconds: v.number(), frozen: v.boolean() });
export type Clock = v.InferOutput<typeof Clock>;

export const Transfer = v.looseObject({
  id: v.string(),
  amount: v.number(),
  currency: Currency,
  status: v.string(),
  /** Why the bank returned it. */
  reason: Text,
  accountNumber: v.string(),
  createdAt: v.string(),
});
export type Transfer = v.InferOutput<typeof Transfer>;

export const Payment = v.looseObject({
  id: v.string(),
  reference: v.string(),
  status: v.string(),
  nextStatuses: Words,
  acceptedAmountPolicy: v.string(),
  amount: v.object({ value: v.number(), currency: Currency }),
  chargedAmount: v.number(),
  accountNumber: v.string(),
  accountName: v.string(),
  bankName: v.string(),
  customer: v.nullish(v.looseObject({ name: Text, email: Text })),
  callbackUrl: Text,
  expiresAt: Text,
  createdAt: v.string(),
  transfers: v.array(Transfer),
});
export type Payment = v.InferOutput<typeof Payment>;

export const CheckoutLink = v.looseObject({
  id: v.string(),
  reference: v.string(),
  amount: v.nullish(v.object({ value: v.number(), currency: Currency })),
  authorizationUrl: v.string(),
  returnUrl: Text,
  callbackUrl: Text,
  expiresAt: Text,
  isOpened: v.boolean(),
});
export type CheckoutLink = v.InferOutput<typeof CheckoutLink>;

/** The payment is missing where a dedicated account has returned the money: none has come of it. */
export const Transferred = v.looseObject({ transfer: Transfer, payment: v.nullish(Payment) });

export const DedicatedAccount = v.looseObject({
  accountRequestCode: v.string(),
  status: v.string(),
  accountType: v.string(),
  accountName: v.string(),
  email: Text,
  callbackUrl: Text,
  createdAt: v.string(),
  nextStatuses: Words,
  account: v.nullish(
    v.looseObject({
      id: v.string(),
      accountNumber: v.string(),
      accountName: v.string(),
      bankName: Text,
      currency: Currency,
      acceptedAmountPolicy: v.string(),
    }),
  ),
  transfers: v.array(Transfer),
});
export type DedicatedAccount = v.InferOutput<typeof DedicatedAccount>;

export const Payout = v.looseObject({
  id: v.string(),
  reference: Text,
  amount: v.number(),
  currency: Currency,
  status: v.string(),
  destinationAccountNumber: Text,
  destinationBankId: Text,
  requiresConfirmation: v.nullish(v.boolean()),
  confirmationState: Text,
  narration: Text,
  callbackUrl: Text,
  failureCode: Text,
  failureMessage: Text,
  approval: v.nullish(v.looseObject({ approvedBy: Text, approvedAt: Text })),
  createdAt: Text,
});
export type Payout = v.InferOutput<typeof Payout>;

export const Invoice = v.looseObject({
  id: v.string(),
  reference: Text,
  number: Text,
  status: v.string(),
  description: Text,
  currency: Currency,
  amountDue: v.number(),
  amountPaid: Amount,
  amountOverpaid: Amount,
  amountRemaining: Amount,
  acceptPartialPayments: v.nullish(v.boolean()),
  cancellationReason: Text,
  callbackUrl: Text,
  dueDate: Text,
  paidAt: Text,
  cancelledAt: Text,
});
export type Invoice = v.InferOutput<typeof Invoice>;

export const TaxRate = v.looseObject({
  id: v.string(),
  name: v.string(),
  active: v.nullish(v.boolean()),
  inclusive: v.nullish(v.boolean()),
  description: Text,
  percentage: v.nullish(v.number()),
  fixedAmount: Amount,
  taxType: Text,
  rateType: Text,
  createdAt: Text,
});
export type TaxRate = v.InferOutput<typeof TaxRate>;

export const App = v.looseObject({
  id: v.string(),
  name: v.string(),
  scheme: Text,
  bankingType: Text,
  publicKey: Text,
  createdAt: Text,
});
export type App = v.InferOutput<typeof App>;

/** One request to a merchant's callback address. */
const Attempt = v.looseObject({
  at: v.string(),
  status: v.nullish(v.number()),
  error: Text,
  durationMs: v.nullish(v.number()),
  signature: Text,
  timestamp: Text,
  reason: Text,
});
export type Attempt = v.InferOutput<typeof Attempt>;

export const Callback = v.looseObject({
  id: v.string(),
  event: v.string(),
  record: v.string(),
  recordId: Text,
  reference: Text,
  url: v.string(),
  /** The text that is sent, byte for byte. */
  body: v.string(),
  createdAt: v.string(),
  state: v.string(),
  nextAttemptAt: Text,
  attempts: v.array(Attempt),
});
export type Callback = v.InferOutput<typeof Callback>;

/** What happens to callbacks on their way, for as long as it is switched on. */
export const CallbackDelivery = v.looseObject({
  drop: v.number(),
  double: v.number(),
  delaySeconds: v.number(),
  reorder: v.boolean(),
});
export type CallbackDelivery = v.InferOutput<typeof CallbackDelivery>;

export const Fault = v.looseObject({
  id: v.string(),
  operation: v.string(),
  status: v.union([v.number(), v.string()]),
  phase: Text,
  times: v.nullish(v.number()),
  probability: v.nullish(v.number()),
  latencyMs: v.nullish(v.number()),
});
export type Fault = v.InferOutput<typeof Fault>;

/** Why a signature was refused: what came, what should have come, and which mistake makes the one of the other. */
const Diagnosis = v.looseObject({
  received: v.looseObject({ signature: Text, timestamp: Text }),
  expected: v.nullish(
    v.looseObject({ canonicalBody: Text, bodyHash: Text, signedText: Text, signature: Text }),
  ),
  hints: Words,
});
export type Diagnosis = v.InferOutput<typeof Diagnosis>;

export const LoggedRequest = v.looseObject({
  id: v.string(),
  at: v.string(),
  method: v.string(),
  path: v.string(),
  query: Text,
  operation: Text,
  /** Missing while the request is being answered. */
  status: v.nullish(v.number()),
  durationMs: v.nullish(v.number()),
  requestHeaders: v.nullish(v.record(v.string(), v.string())),
  requestBody: Text,
  responseBody: Text,
  error: v.nullish(v.looseObject({ code: v.string(), message: v.string(), params: v.nullish(Words) })),
  fault: Text,
  signature: v.nullish(Diagnosis),
});
export type LoggedRequest = v.InferOutput<typeof LoggedRequest>;
