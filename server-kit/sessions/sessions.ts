import { CheckoutError, type Session } from '../../src/contract/index.ts';
import { abortAfter, raceAbort } from '../async/wait.ts';
import type { Order } from '../payments/order.ts';
import type { Log } from '../telemetry/log.ts';
import type { ClientSecrets } from './client-secret.ts';
import { type GetOrCreateOptions, getOrCreatePayment, takesTooLong } from './get-or-create.ts';
import { findNamedPayment, type PaymentChoice } from './named-payment.ts';
import { createOncePerOrder } from './once-per-order.ts';
import type { PaymentKind } from './open-payment.ts';
import { type OrderPayment, type PaymentLink, toSession } from './session.ts';

/** An order's payment, and what its caller gets. */
export type OpenedSession<View extends Session> = OrderPayment & { session: View };

/**
 * Opens the session of an order. Repeated and concurrent calls get the same payment, except for a page that names another one of
 * the order.
 */
export type Sessions = {
  /**
   * @throws {CheckoutError} as `getOrCreatePayment`; `service_unavailable` after 14 seconds; `session_unknown` if the page prefers
   *   an existing payment and names none of the order
   */
  open: (order: Order, choice?: PaymentChoice) => Promise<OpenedSession<Session>>;
  /**
   * Opens a session whose new payment is made on a page of the service.
   *
   * @throws {CheckoutError} as `open`
   */
  openLink: (order: Order, choice?: PaymentChoice) => Promise<OpenedSession<PaymentLink>>;
};

export type SessionsOptions = GetOrCreateOptions & { secrets: ClientSecrets };

/** Longer than `getOrCreatePayment` takes, unless the store or the service hangs. */
const deadlineMs = 14_000;

const noChoice: PaymentChoice = { named: new Set(), preference: undefined };

export function createSessions(options: SessionsOptions): Sessions {
  const { wait, secrets, returnUrl, log } = options;
  const choosePayment = createChoosePayment(options);
  const openSession = async (
    order: Order,
    kind: PaymentKind,
    choice = noChoice,
  ): Promise<OpenedSession<Session>> => {
    const limit = abortAfter(wait, deadlineMs);
    try {
      // The work goes on after the deadline, for the next request.
      const payment = await raceAbort(choosePayment(order, kind, choice), limit.signal);
      const session = await toSession(secrets, order, payment);
      logChangedAmount(log, order, session);
      return { ...payment, session };
    } catch (error) {
      throw error === limit.signal.reason ? takesTooLong() : error;
    } finally {
      limit.cancel();
    }
  };
  return {
    open: (order, choice) => openSession(order, 'account', choice),
    async openLink(order, choice) {
      const { session, ...payment } = await openSession(order, 'link', choice);
      const authorizationUrl = session.authorizationUrl ?? order.returnUrl ?? returnUrl;
      return { ...payment, session: { ...session, authorizationUrl } };
    },
  };
}

function createChoosePayment(
  options: GetOrCreateOptions,
): (order: Order, kind: PaymentKind, choice: PaymentChoice) => Promise<OrderPayment> {
  const payOnce = createOncePerOrder((order, kind: PaymentKind) => getOrCreatePayment(options, order, kind));
  return async (order, kind, { named, preference }) => {
    // Outside the shared run, because each page names its own payments.
    const found = preference === 'new' ? undefined : await findNamedPayment(options, order, named);
    if (found === undefined && preference === 'existing') throw unknownSession();
    return found ?? payOnce(order, kind);
  };
}

const unknownSession = (): CheckoutError =>
  new CheckoutError(
    'session_unknown',
    'This browser knows no payment of the order; request the session without payment=existing.',
  );

function logChangedAmount(log: Log, { orderId }: Order, session: Session): void {
  const { reference, paymentReference = reference, amount, orderAmount } = session;
  if (orderAmount === undefined) return;
  log({ type: 'orderAmountChanged', reference: paymentReference, orderId, amount, orderAmount });
}
