import type { MedusaContainer } from '@medusajs/framework/types';
import { confirmTransfers } from '../lib/confirm-transfers';

export default async function confirmTransfersJob(container: MedusaContainer): Promise<void> {
  await confirmTransfers(container);
}

export const config = {
  name: 'confirm-transfers',
  schedule: { interval: Number(process.env.CONFIRM_EVERY_MS ?? 30_000) },
};
