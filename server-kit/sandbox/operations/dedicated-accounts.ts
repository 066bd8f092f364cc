import { found } from '../errors/sandbox-error.ts';
import { newAccountRequest } from '../records/dedicated-account.ts';
import type { HandlersOf } from './handler.ts';
import { isOneOf, listPage } from './list-page.ts';

export const dedicatedAccountOperations: HandlersOf<'dedicatedAccounts'> = {
  /** Nothing in it is the merchant's own reference: each call makes another request. */
  'dedicatedAccounts.create': ({ body }, world) => {
    const { id, status } = world.state.accountRequests.put(newAccountRequest(world, body));
    return { status, accountRequestCode: id, message: 'The customer has been asked for consent.' };
  },

  'dedicatedAccounts.list': ({ query }, world) =>
    listPage(world, world.state.dedicatedAccounts.list(), query, ({ status }) =>
      isOneOf(query.status, status),
    ),

  'dedicatedAccounts.retrieve': ({ parameters: { id } }, { state }) => {
    const message = `No dedicated account has the id "${id}"; it comes into being with the customer's consent.`;
    return found(state.dedicatedAccounts.get(id), 'dedicated_account_not_found', message);
  },
};
