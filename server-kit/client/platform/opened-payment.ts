import type { Account, Money } from '../../../src/contract/index.ts';
import type { Dialect } from '../api/dialect.ts';
import type { PaymentInitiationRequest } from '../api/payment.ts';
import { PaymentsError } from '../errors/payments-error.ts';
import type { CallOptions } from '../options/call-options.ts';
import type { PaymentsResource } from '../resources/payments.ts';

/**
 * A payment as the service has created it. Store it, as JSON, with your order before a shopper sees the account: no later response of
 * the service repeats the account.
 */
export type OpenedPayment = {
  /** Your id of the payment at the service. */
  reference: string;
  /** The service's id of the payment. */
  paymentId: string;
  /** In minor units. */
  amount: Money;
  account: Account;
  /** ISO 8601 in UTC, on the service's clock. */
  openedAt: string;
  expiresAt: string;
  /** False in test mode. */
  liveMode: boolean;
};

/** The part of the client that payments of a platform need. */
export type PaymentService = {
  payments: PaymentsResource;
  serviceNow: () => number;
  clockOffsetMs: () => number | undefined;
  dialect: Readonly<Dialect>;
};

/** What `openPayment` takes: a payment to initiate. `expiresIn` in seconds. */
export type OpenPaymentRequest = Omit<PaymentInitiationRequest, 'paymentMethod' | 'amount'> & {
  /** In minor units; NGN or USD. */
  amount: Money;
};

/**
 * Initiates a payment, once, and checks that its account can be shown.
 *
 * @throws {PaymentsError} as `payments.initiate`; `invalid_response` for an account of another reference or amount, or one that has expired
 */
export async function initiatePayment(
  service: PaymentService,
  request: OpenPaymentRequest,
  call?: CallOptions,
): Promise<OpenedPayment> {
  const { reference } = request;
  // The client refuses other currencies than the service's.
  const amount = request.amount as PaymentInitiationRequest['amount'];
  const body = { ...request, amount, paymentMethod: 'pay_with_transfer' } as const;
  const created = await service.payments.initiate(body, call);
  refuseAnotherPayment('payments.initiate', created, request);
  const { id: paymentId, accountNumber: number, accountName: name, bankName, expiresAt, liveMode } = created;
  return {
    reference,
    paymentId,
    amount: { value: amount.value, currency: amount.currency },
    account: { number, name, bankName },
    openedAt: new Date(service.serviceNow()).toISOString(),
    expiresAt: checkExpiry(service, 'payments.initiate', expiresAt),
    liveMode,
  };
}

/** Nodes of the service may differ by seconds. */
const knownWithinMs = 10_000;

/** Whether the payment is so new that a node of the service may not know it yet. */
export const mayBeUnknownYet = ({ openedAt }: Pick<OpenedPayment, 'openedAt'>, serviceNow: number): boolean =>
  serviceNow - Date.parse(openedAt) < knownWithinMs;

/** The largest difference between the service's clock and ours that is accepted. */
const maxSkewMs = 5 * 60_000;

/**
 * Returns when the account or the link expires, but never a moment before now: the payment would then be polled too seldom.
 *
 * @throws {PaymentsError} `invalid_response` for a moment that is long past on the service's clock and on ours
 */
export function checkExpiry(
  { serviceNow, clockOffsetMs }: Pick<PaymentService, 'serviceNow' | 'clockOffsetMs'>,
  operation: string,
  expiresAt: string,
): string {
  const atServiceMs = serviceNow();
  // One of the clocks may be wrong.
  const nowMs = Math.min(atServiceMs, atServiceMs - (clockOffsetMs() ?? 0));
  const expiresAtMs = Date.parse(expiresAt);
  if (expiresAtMs + maxSkewMs >= nowMs) return new Date(Math.max(expiresAtMs, nowMs)).toISOString();
  const message = `${operation} returned expiresAt ${expiresAt}, which is in the past, so nobody could pay into it. Ask the service.`;
  throw new PaymentsError('invalid_response', message, { operation, params: ['expiresAt'] });
}

/**
 * Refuses an account or a page for another reference or amount: it must not be shown to anybody.
 *
 * @throws {PaymentsError} `invalid_response`
 */
export function refuseAnotherPayment(
  operation: string,
  created: { reference: string; amount?: Money | null | undefined },
  requested: { reference: string; amount: Money },
): void {
  const { value, currency } = created.amount ?? requested.amount;
  const { amount } = requested;
  const isSame =
    created.reference === requested.reference && value === amount.value && currency === amount.currency;
  if (isSame) return;
  const detail = `The service created a payment of ${currency} ${value} with reference ${created.reference}, but ${amount.currency} ${amount.value} with reference ${requested.reference} was requested; check dialect.amountUnit.`;
  throw new PaymentsError('invalid_response', detail, { operation, params: ['amount', 'reference'] });
}
