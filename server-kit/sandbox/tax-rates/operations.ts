import { SandboxError } from '../http/sandbox-error.ts';
import { isOneOf, listPage } from '../list-page.ts';
import type { HandlersOf } from '../operation.ts';

export const taxRateOperations: HandlersOf<'taxRates'> = {
  'taxRates.list': ({ query }, world) =>
    listPage(world, world.state.taxRates.list(), query, ({ taxType }) => isOneOf(query.taxType, taxType)),

  'taxRates.retrieve': ({ parameters: { id } }, { state }) => {
    const taxRate = state.taxRates.get(id);
    if (taxRate !== undefined) return taxRate;
    throw new SandboxError(
      'tax_rate_not_found',
      `No tax rate has the id "${id}"; list them for those that exist.`,
    );
  },
};
