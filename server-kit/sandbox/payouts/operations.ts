import { SandboxError } from '../http/sandbox-error.ts';
import { isOneOf, listPage } from '../list-page.ts';
import type { HandlersOf } from '../operation.ts';
import type { SandboxWorld } from '../world.ts';
import type { SandboxPayout } from './payout.ts';

export const payoutOperations: HandlersOf<'payouts'> = {
  'payouts.list': ({ query }, world) =>
    listPage(world, world.state.payouts.list(), query, ({ status }) => isOneOf(query.status, status)),

  'payouts.retrieve': ({ parameters: { id } }, world) => findPayout(world, id),
};

/** @throws {SandboxError} 404 `payout_not_found` */
export function findPayout({ state }: SandboxWorld, id: string): SandboxPayout {
  const payout = state.payouts.get(id);
  if (payout !== undefined) return payout;
  throw new SandboxError(
    'payout_not_found',
    `No payout has the id "${id}"; list the payouts for those that exist.`,
  );
}
