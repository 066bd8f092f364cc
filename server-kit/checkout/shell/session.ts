import { CheckoutError, type PaymentView, type Session } from '../../../src/contract/index.ts';
import { isSameAmount } from '../order/order.ts';
import type { OrderRequest } from '../order/order-request.ts';
import { view } from '../order/view.ts';
import { abortAfter, raceAbort } from '../ports/wait.ts';
import {
  type OpenSessionOptions,
  type OrderPayment,
  openSession,
  type PaymentChoice,
} from './open-session.ts';

/** A session with the page that the shopper must be sent to. */
export type PaymentLink = Session & {
  /**
   * The service's page on which the order is paid. Where the order already has an account, or is paid, it is the order's
   * `returnUrl` instead; that page shows the payment's status (`resume`).
   */
  authorizationUrl: string;
};

/** A request ends after this time, with everything that it has begun: before its lease, so that nothing alive is taken over. */
const deadlineMs = 14_000;

/** The longest that a shopper whose account is known waits for verifications. */
const patienceMs = 4000;

/**
 * Returns the order's payment that a page gets, its view, and what the order costs if that differs. Logs that the order costs another amount than that of the payment that has paid it, or may hold its money.
 *
 * @throws {CheckoutError} as `openSession`; `service_unavailable` within 15 seconds
 */
export async function getOrCreateSession(
  options: OpenSessionOptions,
  request: OrderRequest,
  choice: PaymentChoice,
): Promise<OrderPayment & { view: PaymentView; orderAmount?: Session['orderAmount'] }> {
  const { wait, log } = options;
  const deadline = abortAfter(wait, deadlineMs);
  const patience = abortAfter(wait, patienceMs, deadline.signal);
  const limits = { deadline: deadline.signal, patience: patience.signal };
  const opened = await raceAbort(openSession(options, request, choice, limits), limits.deadline)
    .catch((error: unknown) => {
      throw error === limits.deadline.reason ? takesLong() : error;
    })
    .finally(deadline.end);
  const shown = view(opened.order, opened.payment);
  const { reference, paymentReference = reference, amount } = shown;
  if (isSameAmount(amount, request.amount)) return { ...opened, view: shown };
  const {
    orderId,
    amount: { value, currency },
  } = request;
  const orderAmount = { value, currency };
  log({ type: 'orderAmountChanged', reference: paymentReference, orderId, amount, orderAmount });
  return { ...opened, view: shown, orderAmount };
}

const takesLong = (): CheckoutError =>
  new CheckoutError('service_unavailable', 'The payment takes longer than usual; try again.', {
    retryAfterSeconds: 3,
  });

/** Returns the session with the page that the shopper must be sent to. */
export const toLink = (session: Session, returnUrl: string): PaymentLink => ({
  ...session,
  authorizationUrl: session.authorizationUrl ?? returnUrl,
});
