import { findOrRefuse } from '../errors/sandbox-error.ts';
import type { HandlersOf } from './handler.ts';
import { isOneOf, listPage } from './list-page.ts';

export const taxRateOperations: HandlersOf<'taxRates'> = {
  'taxRates.list': ({ query }, world) =>
    listPage(world, world.state.taxRates.list(), query, ({ taxType }) => isOneOf(query.taxType, taxType)),

  'taxRates.retrieve': ({ parameters: { id } }, { state }) => {
    const message = `No tax rate has the id "${id}"; list them for those that exist.`;
    return findOrRefuse(state.taxRates.get(id), 'tax_rate_not_found', message);
  },
};
