import type { Money } from '../../../src/contract/index.ts';
import type { PaymentsClient } from '../../client/client.ts';
import { PaymentsError } from '../../client/errors/payments-error.ts';
import type { CallOptions } from '../../client/request/call-options.ts';
import { isSameAmount, type Opened } from '../order/order.ts';
import type { OrderRequest } from '../order/order-request.ts';

/** What creating a payment at the service needs, whether it is an account or a link. */
export type CreationOptions = {
  payments: PaymentsClient;
  /** The local clock, in milliseconds since the epoch. */
  now: () => number;
  /** Where the service sends callbacks. */
  callbackUrl: string;
  /** Where the service's page sends shoppers back to, unless the order says otherwise. */
  returnUrl: string;
};

/** How a payment is paid: into an account that the widget shows, or on a page of the service. */
export type PaymentKind = 'account' | 'link';

/**
 * Creates a payment at the service: with an account of its own (interface, section 4.4), or a page to pay on (section 4.5).
 *
 * @throws {PaymentsError}
 */
export async function createServicePayment(
  options: CreationOptions,
  kind: PaymentKind,
  order: OrderRequest,
  reference: string,
  call: CallOptions,
): Promise<Opened> {
  const { payments, callbackUrl } = options;
  const { amount, customer, metadata, expiresInSeconds: expiresIn, returnUrl = options.returnUrl } = order;
  const { value, currency } = amount;
  const body = {
    ...{ reference, amount: { value, currency }, callbackUrl },
    ...(customer && { customer }),
    ...(metadata && { metadata }),
  };
  const openedAt = (): string => new Date(payments.serviceNow()).toISOString();
  if (kind === 'link') {
    const created = await payments.checkout.create({ ...body, returnUrl }, call);
    refuseAnotherPayment('checkout.create', created, body);
    const { authorizationUrl, expiresAt, liveMode } = created;
    const endsAt = (): string => new Date(payments.serviceNow() + expiresIn * 1000).toISOString();
    return {
      ...{ kind, authorizationUrl, callbackUrl, openedAt: openedAt() },
      // The link's own id is not that of the payment.
      paymentId: null,
      liveMode: liveMode ?? payments.canBeLive,
      ...(liveMode == null && { isModeAssumed: true as const }),
      expiresAt: expiresAt == null ? endsAt() : checkExpiry(options, 'checkout.create', expiresAt),
    };
  }
  const request = { ...body, paymentMethod: 'pay_with_transfer', expiresIn } as const;
  const created = await payments.payments.initiate(request, call);
  refuseAnotherPayment('payments.initiate', created, body);
  const { id: paymentId, accountNumber: number, accountName: name, bankName, expiresAt, liveMode } = created;
  return {
    ...{ kind, paymentId, account: { number, name, bankName }, liveMode, callbackUrl, openedAt: openedAt() },
    expiresAt: checkExpiry(options, 'payments.initiate', expiresAt),
  };
}

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
