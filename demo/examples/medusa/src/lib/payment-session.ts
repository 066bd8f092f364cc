import type { MedusaContainer, RemoteQueryFunction } from '@medusajs/framework/types';
import { ContainerRegistrationKeys, Modules } from '@medusajs/framework/utils';
import { processPaymentWorkflow } from '@medusajs/medusa/core-flows';
import { CheckoutError, type Money } from 'transfer-checkout/server-kit/core';
import { toMajorUnits } from 'transfer-checkout/server-kit/service';

/** A payment session with what Medusa has made of it. */
export type PaymentSession<Data> = {
  id: string;
  data: Partial<Data>;
  created_at: Date | string;
  payment?: { captures: { id: string }[] };
  payment_collection: {
    id: string;
    order?: { id: string; transactions: { reference_id: string }[] };
    cart?: { id: string; order?: { id: string } };
  };
};

const collectionFields = ['id', 'order.id', 'order.transactions.reference_id', 'cart.id', 'cart.order.id'];
const fields = [
  ...['id', 'data', 'created_at', 'payment.captures.id'],
  ...collectionFields.map((field) => `payment_collection.${field}`),
];

export async function listSessions<Data>(
  container: MedusaContainer,
  filters: object,
): Promise<PaymentSession<Data>[]> {
  const query = container.resolve<RemoteQueryFunction>(ContainerRegistrationKeys.QUERY);
  const { data } = await query.graph({ entity: 'payment_session', fields, filters });
  return data as unknown as PaymentSession<Data>[];
}

/**
 * Returns the session of the payment collection that a page names. Who knows a collection's id may pay it, as in Medusa's own routes.
 *
 * @throws {CheckoutError} `forbidden`
 */
export async function findSession<Data>(
  container: MedusaContainer,
  providerId: string,
  body: unknown,
): Promise<PaymentSession<Data>> {
  const { paymentCollectionId: id } = Object(body) as { paymentCollectionId?: unknown };
  // An undefined filter would find all sessions.
  if (typeof id === 'string') {
    const filters = { payment_collection_id: id, provider_id: providerId };
    const [session] = await listSessions<Data>(container, filters);
    if (session) return session;
  }
  throw new CheckoutError('forbidden', 'There is nothing to pay by transfer; go back to the cart.');
}

/** Whether the session is paid, its order counts the money, and its cart has the order. */
export function isRecorded({
  payment,
  payment_collection: { order, cart },
}: PaymentSession<unknown>): boolean {
  const captures = payment?.captures ?? [];
  const counted = order?.transactions.map(({ reference_id }) => reference_id) ?? [];
  const isPlaced = cart === undefined || cart.order !== undefined;
  return isPlaced && captures.length > 0 && captures.every(({ id }) => counted.includes(id));
}

/**
 * Has Medusa capture a session whose money is confirmed, place its order, and count the money. May run at any time, and any number of
 * times: it goes on where a process has ended.
 *
 * @throws {Error} if the order does not count the money afterwards: call it again later
 */
export async function recordPaid(container: MedusaContainer, id: string, amount: Money): Promise<void> {
  const read = async () => (await listSessions(container, { id }))[0];
  const before = await read();
  if (before && isRecorded(before)) return;
  if (before) await completeLinks(container, before);
  await processPaymentWorkflow(container).run({
    input: { action: 'captured', data: { session_id: id, amount: Number(toMajorUnits(amount)) } },
  });
  const after = await read();
  if (!after || !isRecorded(after))
    throw new Error(`Medusa has not recorded that the session ${id} is paid.`);
}

/**
 * Medusa links an order to its cart and to its payment at the same time. With only one of the links, its workflow would place a second
 * order, and fail.
 */
async function completeLinks(
  container: MedusaContainer,
  { payment_collection: { id, order, cart } }: PaymentSession<unknown>,
): Promise<void> {
  const orderId = order?.id ?? cart?.order?.id;
  if (orderId === undefined || cart === undefined) return;
  const linked = { [Modules.ORDER]: { order_id: orderId } };
  const missing = [
    ...(cart.order ? [] : [{ ...linked, [Modules.CART]: { cart_id: cart.id } }]),
    ...(order ? [] : [{ ...linked, [Modules.PAYMENT]: { payment_collection_id: id } }]),
  ];
  if (missing.length > 0) await container.resolve(ContainerRegistrationKeys.LINK).create(missing);
}
