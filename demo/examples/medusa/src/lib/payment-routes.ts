import { container } from '@medusajs/framework';
import { createPaymentSessionsWorkflow } from '@medusajs/medusa/core-flows';
import { createPaymentRoutes, isPaid, type StoredPayment } from 'transfer-checkout/server-kit/core';
import { sessionOf, type TransferData } from '../modules/transfer/transfer-provider';
import { findSession, listSessions, type PaymentSession, recordPaid } from './payment-session';
import { paymentsClient } from './payments-client';

const providerId = 'pp_transfer_bank';
const ended = ['expired', 'failed', 'reversed'];

/** The routes with which the widget shows the payments of the transfer provider. Its `body` is `{ paymentCollectionId }`. */
export const paymentRoutes = createPaymentRoutes({
  client: paymentsClient,
  clientSecretKeys: [process.env.CLIENT_SECRET_KEY ?? ''],
  async findPayment({ body, preference }) {
    const session = await findSession<TransferData>(container, providerId, body);
    if (preference !== 'new' || !(await isEnded(session))) return paymentOf(session);
    // Medusa replaces the session. It refuses if money has come in the meantime.
    const input = { payment_collection_id: session.payment_collection.id, provider_id: providerId };
    await createPaymentSessionsWorkflow(container).run({ input });
    return paymentOf(await findSession<TransferData>(container, providerId, body));
  },
  async retrievePayment(reference) {
    const [session] = await listSessions<TransferData>(container, { id: sessionOf(reference) });
    const payment = session && paymentOf(session);
    return payment?.reference === reference ? payment : undefined;
  },
  // Before the page is told: it never shows "paid" for an order that is not.
  async onVerified(opened, payment) {
    if (!isPaid(opened, payment)) return;
    await recordPaid(container, sessionOf(opened.reference), opened.amount);
  },
});

function paymentOf({ data, payment_collection }: PaymentSession<TransferData>): StoredPayment | undefined {
  return data.opened && { ...data.opened, orderId: payment_collection.order?.id };
}

async function isEnded({ data: { opened } }: PaymentSession<TransferData>): Promise<boolean> {
  if (opened === undefined) return true;
  return ended.includes((await paymentsClient.payments.verify(opened.reference)).status);
}
