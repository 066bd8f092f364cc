import type { PaymentInitiationRequest } from '../api/payment.ts';
import type { Wait } from '../async/wait.ts';
import type { PaymentsClient } from '../client/client.ts';
import type { CallOptions } from '../client/request/call-options.ts';
import { PaymentsError } from '../errors/payments-error.ts';
import { isSameAmount, type Order } from '../payments/order.ts';
import type { OpenedPayment, PaymentRecord } from '../stores/store.ts';
import { hedge } from './hedge.ts';

export type CreatePaymentOptions = {
  payments: PaymentsClient;
  wait: Wait;
  /** The local clock, in milliseconds since the epoch. */
  now: () => number;
  /** Aborts when the shopper has to be told something. */
  deadline: AbortSignal;
  /** One for each payment of this request whose response was lost. */
  lost: readonly unknown[];
  /** Where the service sends callbacks. */
  callbackUrl: string;
  /** Where the service's own page sends shoppers back to, where the order does not say. */
  returnUrl: string;
};

/** What the service has made for an attempt, before it is recorded. */
export type CreatedPayment = Omit<OpenedPayment, 'openedAt' | 'callbackUrl'>;

/**
 * Has the service make a payment with an account of its own (interface, section 4.4).
 *
 * @throws {PaymentsError}
 */
export async function createAccount(
  options: CreatePaymentOptions,
  order: Order,
  record: PaymentRecord,
): Promise<CreatedPayment> {
  const { payments, callbackUrl } = options;
  const request: PaymentInitiationRequest = {
    reference: record.reference,
    paymentMethod: 'pay_with_transfer',
    amount: { value: record.amount.value, currency: order.amount.currency },
    expiresIn: order.expiresInSeconds,
    callbackUrl,
    ...(order.customer && { customer: order.customer }),
    ...(order.metadata && { metadata: order.metadata }),
  };
  const initiation = await sendHedged(options, (call) => payments.payments.initiate(request, call));
  refuseAnotherPayment('payments.initiate', initiation, record);
  const { id, accountNumber, accountName, bankName, expiresAt, liveMode } = initiation;
  const account = { number: accountNumber, name: accountName, bankName };
  return {
    paymentId: id,
    account,
    expiresAt: checkExpiry(options, 'payments.initiate', expiresAt),
    liveMode,
  };
}

/** A service that is silent is asked again beside the first request, before a shopper gives up. */
const silenceMs = 1500;

/**
 * Sends a request that its reference makes safe to repeat. Where a response was lost before, the service may only be slow: then
 * it is waited for up to the deadline.
 */
export const sendHedged = <T>(
  { wait, deadline, lost }: CreatePaymentOptions,
  send: (options: CallOptions) => Promise<T>,
): Promise<T> =>
  hedge((signal) => send({ signal, mayRetry: asksForNoPause }), {
    ...{ wait, deadline, afterMs: silenceMs },
    graceMs: lost.length === 0 ? silenceMs : null,
  });

/** A pause that the service asks for is no silence, and too long for a shopper to wait: the browser comes again after it. */
const asksForNoPause = ({ retryAfterSeconds = 0 }: PaymentsError): boolean => retryAfterSeconds <= 1;

/** How far the service's clock and ours may be apart. */
const maxSkewMs = 5 * 60_000;

/**
 * When the account or the link expires, which is not before it was made: it would be watched from then on, or never.
 *
 * @throws {PaymentsError} `invalid_response` for a moment that is long past, by the service's clock and by ours
 */
export function checkExpiry(
  { payments, now }: CreatePaymentOptions,
  operation: string,
  expiresAt: string,
): string {
  // One of the clocks may be wrong.
  const nowMs = Math.min(payments.serviceNow(), now());
  const expiresAtMs = Date.parse(expiresAt);
  if (expiresAtMs + maxSkewMs >= nowMs) return new Date(Math.max(expiresAtMs, nowMs)).toISOString();
  const message = `${operation} was answered with expiresAt ${expiresAt}, which is in the past; nobody could pay until then. Ask the service.`;
  throw new PaymentsError('invalid_response', message, { operation, params: ['expiresAt'] });
}

/** An account, or a page, that waits for another amount than the shop will name must not be shown to anybody. */
export function refuseAnotherPayment(
  operation: string,
  made: { reference: string; amount?: { value: number; currency: string } | null | undefined },
  record: PaymentRecord,
): void {
  const { reference, amount = record.amount } = made;
  const { value, currency } = amount ?? record.amount;
  if (reference === record.reference && isSameAmount({ value, currency }, record.amount)) return;
  const detail = `The service made a payment of ${currency} ${value} with reference ${reference}, where ${record.amount.currency} ${record.amount.value} with ${record.reference} was asked for; check dialect.amountUnit.`;
  throw new PaymentsError('invalid_response', detail, { operation, params: ['amount', 'reference'] });
}
