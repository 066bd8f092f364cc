import { found } from '../errors/sandbox-error.ts';
import type { SandboxPayout } from '../records/payout.ts';
import type { SandboxWorld } from '../world/world.ts';
import type { HandlersOf } from './handler.ts';
import { isOneOf, listPage } from './list-page.ts';

export const payoutOperations: HandlersOf<'payouts'> = {
  'payouts.list': ({ query }, world) =>
    listPage(world, world.state.payouts.list(), query, ({ status }) => isOneOf(query.status, status)),

  'payouts.retrieve': ({ parameters: { id } }, world) => findPayout(world, id),
};

/** @throws {SandboxError} 404 `payout_not_found` */
export function findPayout({ state }: SandboxWorld, id: string): SandboxPayout {
  const message = `No payout has the id "${id}"; list the payouts for those that exist.`;
  return found(state.payouts.get(id), 'payout_not_found', message);
}
