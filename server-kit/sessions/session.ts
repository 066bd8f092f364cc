import type { Session } from '../../src/contract/index.ts';
import { isSameAmount, type Order } from '../payments/order.ts';
import { toOrderView } from '../payments/order-view.ts';
import type { OpenedRecord } from '../payments/payment-view.ts';
import type { PaymentRecord } from '../stores/payment-record.ts';
import type { ClientSecrets } from './client-secret.ts';

/** A session with the page that the shopper must be sent to. */
export type PaymentLink = Session & {
  /**
   * The service's page on which the order is paid. Where the order already has an account, or is paid, it is the order's
   * `returnUrl` instead; that page shows the payment's status (`resume`).
   */
  authorizationUrl: string;
};

/** An order's payment. */
export type OrderPayment = {
  record: OpenedRecord;
  /** All payments of the order. */
  records: readonly PaymentRecord[];
  /** False where the order had this payment already. */
  created: boolean;
};

/** Returns what the shopper's browser gets: the view of the payment, and the secret to poll it with. */
export async function toSession(
  secrets: ClientSecrets,
  { amount: { value, currency } }: Order,
  { record, records }: OrderPayment,
): Promise<Session> {
  const view = toOrderView(records, record);
  const { reference, liveMode } = view;
  const expiresAtSeconds = Math.floor(Date.parse(view.expiresAt) / 1000) + secrets.lifetimeSeconds;
  const orderAmount = { value, currency };
  return {
    ...view,
    clientSecret: await secrets.issue({ reference, liveMode, expiresAtSeconds }),
    ...(!isSameAmount(view.amount, orderAmount) && { orderAmount }),
  };
}
