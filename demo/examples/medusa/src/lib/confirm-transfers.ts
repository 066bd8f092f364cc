import type { MedusaContainer, RemoteQueryFunction } from '@medusajs/framework/types';
import { ContainerRegistrationKeys, Modules } from '@medusajs/framework/utils';
import { processPaymentWorkflow } from '@medusajs/medusa/core-flows';
import { isPaid, type OpenedPayment, toMajorUnits } from 'transfer-checkout/server-kit/client';
import { paymentsClient } from './payments-client';

/** Money can be confirmed days after the account has expired. */
const watchMs = 8 * 24 * 3600_000;

/** A payment session with what Medusa has made of it. */
type Session = {
  id: string;
  data: { opened?: OpenedPayment };
  created_at: Date | string;
  payment?: { captures: { id: string }[] };
  payment_collection: {
    id: string;
    order?: { transactions: { reference_id: string }[] };
    cart?: { order?: { id: string } };
  };
};

const fields = [
  ...['id', 'data', 'created_at', 'payment.captures.id', 'payment_collection.id'],
  ...['payment_collection.order.transactions.reference_id', 'payment_collection.cart.order.id'],
];

/**
 * Confirms each session whose money the service has confirmed, until it has an order that counts its money. Medusa acknowledges
 * callbacks before it reads them, and its workflows are no transactions: what a process has left undone when it ended is done here.
 */
export async function confirmTransfers(container: MedusaContainer): Promise<void> {
  const logger = container.resolve(ContainerRegistrationKeys.LOGGER);
  const query = container.resolve<RemoteQueryFunction>(ContainerRegistrationKeys.QUERY);
  const filters = {
    provider_id: 'pp_transfer_bank',
    created_at: { $gt: new Date(Date.now() - watchMs) },
  };
  const { data } = await query.graph({ entity: 'payment_session', fields, filters });
  for (const session of (data as unknown as Session[]).filter((each) => !isDone(each) && isDue(each))) {
    await confirm(container, session).catch((error: Error) =>
      logger.error(`The transfer of ${session.id} cannot be confirmed: ${error.message}`),
    );
  }
}

/** Whether the session is paid, and its order counts the money. */
function isDone({ payment, payment_collection: { order } }: Session): boolean {
  const captures = payment?.captures ?? [];
  const counted = order?.transactions.map(({ reference_id }) => reference_id) ?? [];
  return captures.length > 0 && captures.every(({ id }) => counted.includes(id));
}

/** A session is asked about in each round of its first hour, and then once an hour, because the service limits its callers. */
function isDue({ created_at }: Session): boolean {
  const ageMs = Date.now() - new Date(created_at).getTime();
  return ageMs < 3600_000 || new Date().getMinutes() === 0;
}

/** May run at any time, and any number of times: it ends where the workflow has been before. */
async function confirm(container: MedusaContainer, { id, data, payment_collection }: Session): Promise<void> {
  const { opened } = data;
  if (opened === undefined) return;
  const payment = await paymentsClient.payments.verify(opened.reference);
  if (!isPaid(opened, payment, paymentsClient.dialect)) return;
  const { cart, order } = payment_collection;
  if (cart?.order && !order) await linkOrder(container, cart.order.id, payment_collection.id);
  const amount = Number(toMajorUnits(opened.amount));
  await processPaymentWorkflow(container).run({
    input: { action: 'captured', data: { session_id: id, amount } },
  });
}

/** Medusa links an order to its cart and to its payment one after the other. */
async function linkOrder(container: MedusaContainer, orderId: string, collectionId: string): Promise<void> {
  const link = container.resolve(ContainerRegistrationKeys.LINK);
  await link.create({
    [Modules.ORDER]: { order_id: orderId },
    [Modules.PAYMENT]: { payment_collection_id: collectionId },
  });
}
