import type { Session } from '../../src/contract/index.ts';
import { abortAfter, raceAbort } from '../async/wait.ts';
import type { Order } from '../payments/order.ts';
import type { ClientSecrets } from './client-secret.ts';
import { type GetOrCreateOptions, getOrCreatePayment, takesTooLong } from './get-or-create.ts';
import { createOncePerOrder } from './once-per-order.ts';
import type { PaymentKind } from './open-payment.ts';
import { type OrderPayment, type PaymentLink, toSession } from './session.ts';

/** An order's payment, and what its caller gets. */
export type OpenedSession<View extends Session> = OrderPayment & { session: View };

/** Opens the session of an order. Repeated and concurrent calls get the same payment. */
export type Sessions = {
  /** @throws {CheckoutError} as `getOrCreatePayment`; `service_unavailable` after 14 seconds */
  open: (order: Order) => Promise<OpenedSession<Session>>;
  /**
   * Opens a session whose new payment is made on a page of the service.
   *
   * @throws {CheckoutError} as `open`
   */
  openLink: (order: Order) => Promise<OpenedSession<PaymentLink>>;
};

export type SessionsOptions = GetOrCreateOptions & { secrets: ClientSecrets };

/** Longer than `getOrCreatePayment` takes, unless the store or the service hangs. */
const deadlineMs = 14_000;

export function createSessions(options: SessionsOptions): Sessions {
  const { wait, secrets, returnUrl } = options;
  const payOnce = createOncePerOrder((order, kind: PaymentKind) => getOrCreatePayment(options, order, kind));
  const getPayment = async (order: Order, kind: PaymentKind): Promise<OrderPayment> => {
    const limit = abortAfter(wait, deadlineMs);
    try {
      // The work goes on after the deadline, for the next request.
      return await raceAbort(payOnce(order, kind), limit.signal);
    } catch (error) {
      throw error === limit.signal.reason ? takesTooLong() : error;
    } finally {
      limit.cancel();
    }
  };
  return {
    async open(order) {
      const payment = await getPayment(order, 'account');
      return { ...payment, session: await toSession(secrets, payment) };
    },
    async openLink(order) {
      const payment = await getPayment(order, 'link');
      const session = await toSession(secrets, payment);
      const authorizationUrl = session.authorizationUrl ?? order.returnUrl ?? returnUrl;
      return { ...payment, session: { ...session, authorizationUrl } };
    },
  };
}
