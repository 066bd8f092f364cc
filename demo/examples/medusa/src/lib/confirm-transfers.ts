import type { MedusaContainer } from '@medusajs/framework/types';
import { ContainerRegistrationKeys } from '@medusajs/framework/utils';
import { isPaid } from 'transfer-checkout/server-kit/core';
import type { TransferData } from '../modules/transfer/transfer-provider';
import { isRecorded, listSessions, type PaymentSession, recordPaid } from './payment-session';
import { paymentsClient } from './payments-client';

/** Money can be confirmed days after the account has expired. */
const watchMs = 8 * 24 * 3600_000;

/**
 * Records each session whose money the service has confirmed, until it has an order that counts its money. Medusa acknowledges
 * callbacks before it reads them, and its workflows are no transactions: what a process has left undone when it ended is done here.
 */
export async function confirmTransfers(container: MedusaContainer): Promise<void> {
  const logger = container.resolve(ContainerRegistrationKeys.LOGGER);
  const filters = {
    provider_id: 'pp_transfer_bank',
    created_at: { $gt: new Date(Date.now() - watchMs) },
  };
  const sessions = await listSessions<TransferData>(container, filters);
  for (const session of sessions.filter((each) => !isRecorded(each) && isDue(each))) {
    await confirm(container, session).catch((error: Error) =>
      logger.error(`The transfer of ${session.id} cannot be confirmed: ${error.message}`),
    );
  }
}

/** A session is asked about in each round of its first hour, and then once an hour, because the service limits its callers. */
function isDue({ created_at }: PaymentSession<TransferData>): boolean {
  const ageMs = Date.now() - new Date(created_at).getTime();
  return ageMs < 3600_000 || new Date().getMinutes() === 0;
}

async function confirm(
  container: MedusaContainer,
  { id, data: { opened } }: PaymentSession<TransferData>,
): Promise<void> {
  if (opened === undefined) return;
  const payment = await paymentsClient.payments.verify(opened.reference);
  if (isPaid(opened, payment)) await recordPaid(container, id, opened.amount);
}
