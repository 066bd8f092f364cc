import type { MedusaContainer } from '@medusajs/framework/types';
import { ContainerRegistrationKeys } from '@medusajs/framework/utils';
import { isPaid } from 'transfer-checkout/server-kit/core';
import type { TransferData } from '../modules/transfer/transfer-provider';
import { attentionTo } from './attention';
import { isDue } from './is-due';
import { isRecorded, listSessions, type PaymentSession, recordPaid } from './payment-session';
import { paymentsClient } from './payments-client';

/** Money can be confirmed days after the account has expired. */
const watchMs = 8 * 24 * 3600_000;

/** A process asks about every session once after its start. */
let lastRoundAt = 0;

/**
 * Records each session whose money the service has confirmed, until it has an order that counts its money. Medusa acknowledges
 * callbacks before it reads them, and its workflows are no transactions: what a process has left undone when it ended is done here.
 */
export async function confirmTransfers(container: MedusaContainer): Promise<void> {
  const [now, before] = [Date.now(), lastRoundAt];
  lastRoundAt = now;
  const logger = container.resolve(ContainerRegistrationKeys.LOGGER);
  const filters = {
    provider_id: 'pp_transfer_bank',
    created_at: { $gt: new Date(now - watchMs) },
  };
  const sessions = await listSessions<TransferData>(container, filters);
  const isAsked = (session: PaymentSession<TransferData>): boolean =>
    !isRecorded(session) && isDue(new Date(session.created_at).getTime(), now, before);
  for (const session of sessions.filter(isAsked)) {
    await confirm(container, session).catch((error: Error) =>
      logger.error(`The transfer of ${session.id} cannot be confirmed: ${error.message}`),
    );
  }
}

async function confirm(
  container: MedusaContainer,
  { id, data: { opened } }: PaymentSession<TransferData>,
): Promise<void> {
  if (opened === undefined) return;
  const payment = await paymentsClient.payments.verify(opened.reference);
  if (isPaid(opened, payment)) return recordPaid(container, id, opened.amount);
  const reason = attentionTo(payment);
  if (reason) throw new Error(`${reason}: a person must decide.`);
}
