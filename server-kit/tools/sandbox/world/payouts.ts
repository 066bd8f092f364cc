import { findOrRefuse } from '../errors/sandbox-error.ts';
import type { SandboxPayout } from '../records/payout.ts';
import type { SandboxWorld } from './world.ts';

/** @throws {SandboxError} 404 `payout_not_found` */
export function findPayout({ state }: SandboxWorld, id: string): SandboxPayout {
  const message = `No payout has the id "${id}"; list the payouts for those that exist.`;
  return findOrRefuse(state.payouts.get(id), 'payout_not_found', message);
}

/** Stores a changed payout and sends a callback about it. */
export function putPayout({ state, callbacks }: SandboxWorld, payout: SandboxPayout): SandboxPayout {
  const { id, status, callbackUrl } = payout;
  callbacks.notify({ record: 'payout', id, status, callbackUrl, data: payout });
  return state.payouts.put(payout);
}
