import type {
  DedicatedAccount,
  DedicatedAccountListQuery,
  DedicatedAccountRequest,
  DedicatedAccountRequestResult,
} from '../api/dedicated-account.ts';
import type { CallOptions } from '../options/call-options.ts';
import type { Call } from '../request/call.ts';
import { createListMethod, type List } from '../request/pagination.ts';

/** Bank accounts for one customer each (interface, sections 4.1 to 4.3). */
export type DedicatedAccountsResource = {
  /**
   * 4.1: requests an account for a person (`accountType: 'individual'`) or a business. The account is created when the
   * customer consents; until then there is only the `accountRequestCode`. Never retried.
   *
   * @throws {PaymentsError} `invalid_request`, with `params` such as `kycProfile.identities`
   */
  create: (body: DedicatedAccountRequest, options?: CallOptions) => Promise<DedicatedAccountRequestResult>;
  /** 4.2: lists accounts, newest first. Bounds of `createdAt` are UNIX seconds. */
  list: (query?: DedicatedAccountListQuery, options?: CallOptions) => List<DedicatedAccount>;
  /** 4.3: retrieves an account by its id. */
  retrieve: (id: string, options?: CallOptions) => Promise<DedicatedAccount>;
};

export function createDedicatedAccountsResource(call: Call): DedicatedAccountsResource {
  return {
    create: (body, options) => call('dedicatedAccounts.create', { body }, options),
    list: createListMethod(call, 'dedicatedAccounts.list'),
    retrieve: (id, options) => call('dedicatedAccounts.retrieve', { path: { id } }, options),
  };
}
