import type { Pool } from 'pg';
import type { PaymentView } from '../../../server-kit/index.ts';
import { until } from './kill.ts';
import type { MedusaShop } from './medusa-shop.ts';

type Collection = { payment_collection: { id: string; payment_sessions?: { id: string }[] } };

/** One of the example's two payment providers, and where the widget asks for its payments. */
export type Way = { provider: string; route: string };

/** A shopper's cart, up to its payment collection. */
export async function fillCart({ api, seeded }: Pick<MedusaShop, 'api' | 'seeded'>) {
  const items = [{ variant_id: seeded.variant, quantity: 1 }];
  const { cart } = await api<{ cart: { id: string } }>('/store/carts', {
    region_id: seeded.region,
    email: 'ada@example.com',
    items,
  });
  const { payment_collection } = await api<Collection>('/store/payment-collections', { cart_id: cart.id });
  return { cartId: cart.id, collectionId: payment_collection.id };
}

/** Chooses the transfer, and returns the id of the payment session. */
export async function chooseTransfer(
  { api }: Pick<MedusaShop, 'api'>,
  collectionId: string,
  { provider }: Way,
): Promise<string> {
  const path = `/store/payment-collections/${collectionId}/payment-sessions`;
  const { payment_collection } = await api<Collection>(path, { provider_id: provider });
  const [session] = payment_collection.payment_sessions ?? [];
  if (session === undefined) throw new Error('Medusa has created no session.');
  return session.id;
}

/** Asks for the payment as the widget does. */
export const requestPayment = (
  { api }: Pick<MedusaShop, 'api'>,
  paymentCollectionId: string,
  { route }: Way,
): Promise<PaymentView> => api(`${route}/sessions`, { paymentCollectionId });

/** A cart for which the transfer is chosen, and its account. */
export async function openAccount(shop: Pick<MedusaShop, 'api' | 'seeded'>, way: Way) {
  const { cartId, collectionId } = await fillCart(shop);
  const sessionId = await chooseTransfer(shop, collectionId, way);
  return { cartId, collectionId, sessionId, payment: await requestPayment(shop, collectionId, way) };
}

export const pay = ({ sandbox }: MedusaShop, { account, amount }: PaymentView, value = amount.value) =>
  sandbox.control.transfer({ accountNumber: account.number, amount: value });

/** Pays a part, and resolves when the shop knows of it. */
export async function payPart(shop: MedusaShop, collectionId: string, way: Way): Promise<void> {
  const payment = await requestPayment(shop, collectionId, way);
  const acceptedAmountPolicy = 'ACCEPTED_AMOUNT_POLICY_ALLOW_PARTIAL';
  shop.sandbox.control.updatePayment(payment.reference, { acceptedAmountPolicy });
  pay(shop, payment, 100);
  await until(async () => (await requestPayment(shop, collectionId, way)).chargedAmount === 100);
}

/** What Medusa has recorded of a cart. */
export async function readRecords(pool: Pool, cartId: string) {
  const { rows } = await pool.query(
    `SELECT
       (SELECT count(*)::int FROM order_cart WHERE cart_id = $1 AND deleted_at IS NULL) AS orders,
       (SELECT json_agg(json_build_object('id', p.id, 'captured', p.captured_at IS NOT NULL, 'canceled', p.canceled_at IS NOT NULL,
          'captures', (SELECT json_agg(c.amount) FROM capture c WHERE c.payment_id = p.id AND c.deleted_at IS NULL),
          'refunds', (SELECT json_agg(r.amount) FROM refund r WHERE r.payment_id = p.id AND r.deleted_at IS NULL)))
        FROM payment p JOIN cart_payment_collection l USING (payment_collection_id) WHERE l.cart_id = $1) AS payments,
       (SELECT json_agg(t.amount) FROM order_transaction t JOIN order_cart o USING (order_id)
        WHERE o.cart_id = $1 AND t.deleted_at IS NULL) AS transactions`,
    [cartId],
  );
  return rows[0] as { orders: number; payments: { id: string }[] | null; transactions: number[] | null };
}

/** Whether the cart is linked to an order, and whether its payment is. Medusa writes both links at the same time. */
export async function readLinks(pool: Pool, cartId: string) {
  const { rows } = await pool.query(
    `SELECT EXISTS (SELECT FROM order_cart WHERE cart_id = $1) AS "toCart", EXISTS (
       SELECT FROM order_payment_collection JOIN cart_payment_collection USING (payment_collection_id) WHERE cart_id = $1
     ) AS "toPayment"`,
    [cartId],
  );
  return rows[0] as { toCart: boolean; toPayment: boolean };
}

/** One order, whose one payment is captured, and which counts its money once. */
export const paidRecords = {
  orders: 1,
  payments: [{ captured: true, canceled: false, captures: [12500], refunds: null }],
  transactions: [12500],
};
