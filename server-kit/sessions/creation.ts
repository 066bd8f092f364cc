import type { Wait } from '../async/wait.ts';
import type { PaymentsClient } from '../client/client.ts';
import type { CallOptions } from '../client/request/call-options.ts';
import { PaymentsError } from '../errors/payments-error.ts';
import { isSameAmount } from '../payments/order.ts';
import type { OpenedPayment, PaymentRecord } from '../stores/payment-record.ts';
import { hedge } from './hedge.ts';

/** What creating a payment at the service needs, whether it is an account or a link. */
export type CreationOptions = {
  payments: PaymentsClient;
  wait: Wait;
  /** The local clock, in milliseconds since the epoch. */
  now: () => number;
  /** Aborts when the shopper must get a response. */
  deadline: AbortSignal;
  /** One entry for each payment of this request whose response was lost. */
  lost: readonly unknown[];
  /** Where the service sends callbacks. */
  callbackUrl: string;
  /** Where the service's page sends shoppers back to, unless the order says otherwise. */
  returnUrl: string;
};

/** What the service has created for a payment, before it is recorded. */
export type CreatedPayment = Omit<OpenedPayment, 'openedAt' | 'callbackUrl'>;

/** Short enough that a second request can succeed before the shopper gives up. */
const silenceMs = 1500;

/**
 * Sends a request that its reference makes safe to repeat, and repeats it while the service is silent. If an earlier response
 * was lost, the service may only be slow: then it is waited for until the deadline.
 */
export const sendHedged = <T>(
  { wait, deadline, lost }: CreationOptions,
  send: (options: CallOptions) => Promise<T>,
): Promise<T> =>
  hedge((signal) => send({ signal, shouldRetry: hasNoLongPause }), {
    ...{ wait, deadline, afterMs: silenceMs },
    graceMs: lost.length === 0 ? silenceMs : null,
  });

/** A longer pause is too long for a shopper to wait: the browser retries after it. */
const hasNoLongPause = ({ retryAfterSeconds = 0 }: PaymentsError): boolean => retryAfterSeconds <= 1;

/** The largest difference between the service's clock and ours that is accepted. */
const maxSkewMs = 5 * 60_000;

/**
 * Returns when the account or the link expires, but never a moment before now: the payment would then be polled too seldom.
 *
 * @throws {PaymentsError} `invalid_response` for a moment that is long past on the service's clock and on ours
 */
export function checkExpiry(
  { payments, now }: CreationOptions,
  operation: string,
  expiresAt: string,
): string {
  // One of the clocks may be wrong.
  const nowMs = Math.min(payments.serviceNow(), now());
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
  created: { reference: string; amount?: { value: number; currency: string } | null | undefined },
  record: PaymentRecord,
): void {
  const { reference, amount = record.amount } = created;
  const { value, currency } = amount ?? record.amount;
  if (reference === record.reference && isSameAmount({ value, currency }, record.amount)) return;
  const detail = `The service created a payment of ${currency} ${value} with reference ${reference}, but ${record.amount.currency} ${record.amount.value} with reference ${record.reference} was requested; check dialect.amountUnit.`;
  throw new PaymentsError('invalid_response', detail, { operation, params: ['amount', 'reference'] });
}
