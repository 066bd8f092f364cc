import { findOrRefuse } from '../errors/sandbox-error.ts';
import { createAccountRequest } from '../records/account-request.ts';
import type { HandlersOf } from './handler.ts';
import { isOneOf, listPage } from './list-page.ts';

export const dedicatedAccountOperations: HandlersOf<'dedicatedAccounts'> = {
  /** Each call creates another request, because the body has no reference of the merchant. */
  'dedicatedAccounts.create': ({ body }, { state, settings, mint, clock }) => {
    const { bank, dialect } = settings;
    const request = createAccountRequest(body, { mint, nowMs: clock.now(), bank, dialect });
    const { id, status } = state.accountRequests.put(request);
    return { status, accountRequestCode: id, message: 'The customer has been asked for consent.' };
  },

  'dedicatedAccounts.list': ({ query }, world) =>
    listPage(world, world.state.dedicatedAccounts.list(), query, ({ status }) =>
      isOneOf(query.status, status),
    ),

  'dedicatedAccounts.retrieve': ({ parameters: { id } }, { state }) => {
    const message = `No dedicated account has the id "${id}"; it is created when the customer consents.`;
    return findOrRefuse(state.dedicatedAccounts.get(id), 'dedicated_account_not_found', message);
  },
};
