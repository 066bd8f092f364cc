import { isCheckoutError } from '../../../src/contract/index.ts';
import type { CallOptions } from '../../core/call.ts';
import type { PaymentsClient } from '../../core/client.ts';
import { PaymentsError } from '../../core/errors.ts';
import { createLink, initiatePayment } from '../../core/payment.ts';
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
  const {
    reference: _,
    amount: __,
    ...opened
  } = kind === 'link'
    ? await createLink(payments, { ...body, returnUrl, expiresIn }, call)
    : await initiatePayment(payments, { ...body, expiresIn }, call);
  return { kind, callbackUrl, ...opened } as Opened;
}

/** Whether the service has refused this payment. Rejected credentials and unreadable responses are temporary. */
export function isAboutPayment(error: unknown): boolean {
  if (!isCheckoutError(error) || error.code !== 'service_rejected') return false;
  const { cause } = error;
  if (!(cause instanceof PaymentsError)) return true;
  return cause.code !== 'authentication_failed' && cause.code !== 'invalid_response';
}
