import { findPayout } from '../world/payouts.ts';
import type { HandlersOf } from './handler.ts';
import { isOneOf, listPage } from './list-page.ts';

export const payoutOperations: HandlersOf<'payouts'> = {
  'payouts.list': ({ query }, world) =>
    listPage(world, world.state.payouts.list(), query, ({ status }) => isOneOf(query.status, status)),

  'payouts.retrieve': ({ parameters: { id } }, world) => findPayout(world, id),
};
