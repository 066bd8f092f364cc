import type { DedicatedAccountView } from '../../src/contract/index.ts';
import type { DedicatedAccount } from '../api/dedicated-account.ts';

/**
 * What a page may show of a dedicated account (interface, section 2.8), for the widget's `showDedicatedAccount`. Gives
 * `undefined` for one that is not `active`, or of which the service does not say enough to pay into it: nobody should be
 * shown such an account. Nothing of the customer is in it but what the account's name says.
 *
 * @param account what `payments.dedicatedAccounts.retrieve(id)` gave just now: an account can end at any time. Whose it is,
 *   you have to know.
 */
export function toDedicatedAccountView(account: DedicatedAccount): DedicatedAccountView | undefined {
  const { status, accountNumber, accountName, bankName, currency, liveMode } = account;
  if (status !== 'active' || !accountNumber || !bankName || !currency) return undefined;
  return {
    account: { number: accountNumber, name: accountName ?? '', bankName },
    currency,
    // Where it does not say, nothing may call real money a test.
    liveMode: liveMode ?? true,
  };
}
