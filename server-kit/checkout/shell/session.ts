import type { Session } from '../../../src/contract/index.ts';
import { isSameAmount } from '../order/order.ts';
import type { OrderRequest } from '../order/order-request.ts';
import { view } from '../order/view.ts';
import type { Log } from '../telemetry/log.ts';
import type { ClientSecrets } from './client-secret.ts';
import type { OrderPayment } from './open-session.ts';

/** A session with the page that the shopper must be sent to. */
export type PaymentLink = Session & {
  /**
   * The service's page on which the order is paid. Where the order already has an account, or is paid, it is the order's
   * `returnUrl` instead; that page shows the payment's status (`resume`).
   */
  authorizationUrl: string;
};

/** Returns what the shopper's browser gets: the view of the payment, and the secret to poll it with. */
export async function toSession(
  secrets: ClientSecrets,
  { amount: { value, currency } }: OrderRequest,
  { order, payment }: OrderPayment,
): Promise<Session> {
  const shown = view(order, payment);
  const { reference, liveMode } = shown;
  const expiresAtSeconds = Math.floor(Date.parse(shown.expiresAt) / 1000) + secrets.lifetimeSeconds;
  const orderAmount = { value, currency };
  return {
    ...shown,
    clientSecret: await secrets.issue({ reference, liveMode, expiresAtSeconds }),
    ...(!isSameAmount(shown.amount, orderAmount) && { orderAmount }),
  };
}

/** Returns the session with the page that the shopper must be sent to. */
export const toLink = (session: Session, returnUrl: string): PaymentLink => ({
  ...session,
  authorizationUrl: session.authorizationUrl ?? returnUrl,
});

/** Logs that the order costs another amount than that of the payment that has paid it, or may hold its money. */
export function logChangedAmount(log: Log, { orderId }: OrderRequest, session: Session): void {
  const { reference, paymentReference = reference, amount, orderAmount } = session;
  if (orderAmount === undefined) return;
  log({ type: 'orderAmountChanged', reference: paymentReference, orderId, amount, orderAmount });
}
