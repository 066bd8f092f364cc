import { SandboxError } from '../http/sandbox-error.ts';
import { isOneOf, listPage } from '../list-page.ts';
import type { HandlersOf } from '../operation.ts';
import { newAccountRequest } from './dedicated-account.ts';

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
    const account = state.dedicatedAccounts.get(id);
    if (account !== undefined) return account;
    throw new SandboxError(
      'dedicated_account_not_found',
      `No dedicated account has the id "${id}"; it comes into being with the customer's consent.`,
    );
  },
};
