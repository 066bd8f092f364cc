import type { Pool } from 'pg';
import type { OpenedPayment } from '../../../server-kit/client/index.ts';
import type { MedusaShop } from './medusa-shop.ts';

type PaymentSession = { id: string; status: string; data: { opened?: OpenedPayment } };
type Collection = { payment_collection: { id: string; payment_sessions?: PaymentSession[] } };

/** A shopper's cart, up to its payment collection. */
export async function fillCart({ api, seeded }: MedusaShop) {
  const items = [{ variant_id: seeded.variant, quantity: 1 }];
  const { cart } = await api<{ cart: { id: string } }>('/store/carts', {
    ...{ region_id: seeded.region, email: 'ada@example.com', items },
  });
  const { payment_collection } = await api<Collection>('/store/payment-collections', { cart_id: cart.id });
  return { cartId: cart.id, collectionId: payment_collection.id };
}

/** Chooses the transfer, and returns the account that the storefront shows. */
export async function openAccount({ api }: MedusaShop, collectionId: string): Promise<OpenedPayment> {
  const path = `/store/payment-collections/${collectionId}/payment-sessions`;
  const { payment_collection } = await api<Collection>(path, { provider_id: 'pp_transfer_bank' });
  const opened = payment_collection.payment_sessions?.[0]?.data.opened;
  if (opened === undefined) throw new Error('The session has no account.');
  return opened;
}

export const pay = ({ sandbox }: MedusaShop, { account, amount }: OpenedPayment, value = amount.value) =>
  sandbox.control.transfer({ accountNumber: account.number, amount: value });

/** What Medusa has recorded of a cart. */
export async function readRecords(pool: Pool, cartId: string) {
  const { rows } = await pool.query(
    `SELECT
       (SELECT count(*)::int FROM order_cart WHERE cart_id = $1 AND deleted_at IS NULL) AS orders,
       (SELECT json_agg(json_build_object('captured', p.captured_at IS NOT NULL, 'canceled', p.canceled_at IS NOT NULL,
          'captures', (SELECT json_agg(c.amount) FROM capture c WHERE c.payment_id = p.id AND c.deleted_at IS NULL)))
        FROM payment p JOIN cart_payment_collection l USING (payment_collection_id) WHERE l.cart_id = $1) AS payments,
       (SELECT json_agg(t.amount) FROM order_transaction t JOIN order_cart o USING (order_id)
        WHERE o.cart_id = $1 AND t.deleted_at IS NULL) AS transactions`,
    [cartId],
  );
  return rows[0] as { orders: number; payments: object[] | null; transactions: number[] | null };
}

/** One order, whose one payment is captured, and which counts its money once. */
export const paidRecords = {
  orders: 1,
  payments: [{ captured: true, canceled: false, captures: [12500] }],
  transactions: [12500],
};
