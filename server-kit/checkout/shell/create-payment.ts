import type { Money } from '../../../src/contract/index.ts';
import type { Wait } from '../../client/async/wait.ts';
import type { PaymentsClient } from '../../client/client.ts';
import { PaymentsError } from '../../client/errors/payments-error.ts';
import type { CallOptions } from '../../client/request/call-options.ts';
import { isSameAmount, type Opened } from '../order/order.ts';
import type { OrderRequest } from '../order/order-request.ts';
import { hedge } from './hedge.ts';

/** What creating a payment at the service needs, whether it is an account or a link. */
export type CreationOptions = {
  payments: PaymentsClient;
  wait: Wait;
  /** The local clock, in milliseconds since the epoch. */
  now: () => number;
  /** Where the service sends callbacks. */
  callbackUrl: string;
  /** Where the service's page sends shoppers back to, unless the order says otherwise. */
  returnUrl: string;
};

/** How a payment is paid: into an account that the widget shows, or on a page of the service. */
export type PaymentKind = 'account' | 'link';

export type CreationRequest = {
  kind: PaymentKind;
  reference: string;
  /** Aborts when the shopper must get a response. */
  deadline: AbortSignal;
  /** Whether an earlier response of this request was lost: the service may only be slow, and is waited for until the deadline. */
  isPatient: boolean;
};

/** Short enough that a second request can succeed before the shopper gives up. */
const silenceMs = 1500;

/**
 * Creates a payment at the service: with an account of its own (interface, section 4.4), or a page to pay on (section 4.5). The request
 * is repeated while the service is silent, which its reference makes safe.
 *
 * @throws {PaymentsError}; the signal's reason
 */
export function createPayment(
  options: CreationOptions,
  order: OrderRequest,
  { kind, reference, deadline, isPatient }: CreationRequest,
): Promise<Opened> {
  const { wait } = options;
  const { amount, customer, metadata } = order;
  const body = {
    reference,
    amount: { value: amount.value, currency: amount.currency },
    callbackUrl: options.callbackUrl,
    ...(customer && { customer }),
    ...(metadata && { metadata }),
  };
  const create = kind === 'link' ? createLink : createAccount;
  return hedge((signal) => create(options, order, body, { signal, shouldRetry: hasNoLongPause }), {
    ...{ wait, deadline, afterMs: silenceMs },
    graceMs: isPatient ? null : silenceMs,
  });
}

/** A longer pause is too long for a shopper to wait: the browser retries after it. */
const hasNoLongPause = ({ retryAfterSeconds = 0 }: PaymentsError): boolean => retryAfterSeconds <= 1;

type Body = { reference: string; amount: OrderRequest['amount']; callbackUrl: string };

async function createAccount(
  options: CreationOptions,
  { expiresInSeconds: expiresIn }: OrderRequest,
  body: Body,
  call: CallOptions,
): Promise<Opened> {
  const operation = 'payments.initiate';
  const request = { ...body, paymentMethod: 'pay_with_transfer', expiresIn } as const;
  const initiation = await options.payments.payments.initiate(request, call);
  refuseAnotherPayment(operation, initiation, body);
  const { id, accountNumber: number, accountName: name, bankName, expiresAt, liveMode } = initiation;
  return {
    kind: 'account',
    paymentId: id,
    account: { number, name, bankName },
    liveMode,
    expiresAt: checkExpiry(options, operation, expiresAt),
    ...openedNow(options),
  };
}

async function createLink(
  options: CreationOptions,
  { returnUrl = options.returnUrl, expiresInSeconds }: OrderRequest,
  body: Body,
  call: CallOptions,
): Promise<Opened> {
  const operation = 'checkout.create';
  const { payments } = options;
  const created = await payments.checkout.create({ ...body, returnUrl }, call);
  refuseAnotherPayment(operation, created, body);
  const { authorizationUrl, expiresAt, liveMode } = created;
  const endsAt = (): string => new Date(payments.serviceNow() + expiresInSeconds * 1000).toISOString();
  return {
    kind: 'link',
    authorizationUrl,
    // The link's own id is not that of the payment.
    paymentId: null,
    liveMode: liveMode ?? payments.canBeLive,
    ...(liveMode == null && { isModeAssumed: true as const }),
    expiresAt: expiresAt == null ? endsAt() : checkExpiry(options, operation, expiresAt),
    ...openedNow(options),
  };
}

const openedNow = ({ payments, callbackUrl }: CreationOptions): Pick<Opened, 'openedAt' | 'callbackUrl'> => ({
  openedAt: new Date(payments.serviceNow()).toISOString(),
  callbackUrl,
});

/** The largest difference between the service's clock and ours that is accepted. */
const maxSkewMs = 5 * 60_000;

/**
 * Returns when the account or the link expires, but never a moment before now: the payment would then be polled too seldom.
 *
 * @throws {PaymentsError} `invalid_response` for a moment that is long past on the service's clock and on ours
 */
function checkExpiry({ payments, now }: CreationOptions, operation: string, expiresAt: string): string {
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
function refuseAnotherPayment(
  operation: string,
  created: { reference: string; amount?: Money | null | undefined },
  requested: { reference: string; amount: Money },
): void {
  const { value, currency } = created.amount ?? requested.amount;
  const isSame =
    created.reference === requested.reference && isSameAmount({ value, currency }, requested.amount);
  if (isSame) return;
  const detail = `The service created a payment of ${currency} ${value} with reference ${created.reference}, but ${requested.amount.currency} ${requested.amount.value} with reference ${requested.reference} was requested; check dialect.amountUnit.`;
  throw new PaymentsError('invalid_response', detail, { operation, params: ['amount', 'reference'] });
}
