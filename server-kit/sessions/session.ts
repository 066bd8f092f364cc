import type { Session } from '../../src/contract/index.ts';
import { toOrderView } from '../payments/order-view.ts';
import type { OpenedRecord } from '../payments/payment-view.ts';
import type { PaymentRecord } from '../stores/store.ts';
import { type ClientSecrets, secretLifetimeSeconds } from './client-secret.ts';

/** A session, and where the shopper is to be sent. */
export type PaymentLink = Session & {
  /**
   * The service's page on which the order is paid. Where the order has an account already, or is paid, there is nothing to
   * do there: then it is the order's `returnUrl`, whose page shows how the payment stands (`resume`).
   */
  authorizationUrl: string;
};

/** A payment, and all payments of its order. */
export type OrderPayment = { record: OpenedRecord; records: readonly PaymentRecord[] };

/** What a shopper's browser gets of a payment of its own. */
export async function toSession(secrets: ClientSecrets, { record, records }: OrderPayment): Promise<Session> {
  const view = toOrderView(records, record);
  const { reference, liveMode } = view;
  const expiresAtSeconds = Math.floor(Date.parse(view.expiresAt) / 1000) + secretLifetimeSeconds;
  return { ...view, clientSecret: await secrets.issue({ reference, liveMode, expiresAtSeconds }) };
}

/** @param returnUrl where shoppers come back to */
export async function toLink(
  secrets: ClientSecrets,
  payment: OrderPayment,
  returnUrl: string,
): Promise<PaymentLink> {
  const session = await toSession(secrets, payment);
  return { ...session, authorizationUrl: session.authorizationUrl ?? returnUrl };
}
