import type { PaymentsClient } from '../../client/client.ts';
import type { CallOptions } from '../../client/options/call-options.ts';
import { checkExpiry, initiatePayment, refuseAnotherPayment } from '../../client/platform/opened-payment.ts';
import type { Opened } from '../order/order.ts';
import type { OrderRequest } from '../order/order-request.ts';

/** What creating a payment at the service needs, whether it is an account or a link. */
export type CreationOptions = {
  payments: PaymentsClient;
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
    reference,
    amount: { value, currency },
    callbackUrl,
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
      kind,
      authorizationUrl,
      callbackUrl,
      openedAt: openedAt(),
      // The link's own id is not that of the payment.
      paymentId: null,
      liveMode: liveMode ?? payments.canBeLive,
      ...(liveMode == null && { isModeAssumed: true as const }),
      expiresAt: expiresAt == null ? endsAt() : checkExpiry(payments, 'checkout.create', expiresAt),
    };
  }
  const {
    reference: _,
    amount: __,
    ...opened
  } = await initiatePayment(payments, { ...body, expiresIn }, call);
  return { kind, callbackUrl, ...opened };
}
