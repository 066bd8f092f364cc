import type { DedicatedAccountView } from '../../src/contract/index.ts';
import type { DedicatedAccount } from './api/dedicated-account.ts';

/**
 * Returns what a page may show of a dedicated account (interface, section 2.8), for the widget's `showDedicatedAccount`.
 * Returns `undefined` for an account that is not `active`, or lacks the details needed to pay into it. The view contains no
 * customer data except the account's name.
 *
 * @param account the result of a fresh `payments.dedicatedAccounts.retrieve(id)`, because an account can close at any time.
 *   Check yourself that it belongs to this customer.
 */
export function toDedicatedAccountView(account: DedicatedAccount): DedicatedAccountView | undefined {
  const { status, accountNumber, accountName, bankName, currency, liveMode } = account;
  if (status !== 'active' || !accountNumber || !bankName || !currency) return undefined;
  return {
    account: { number: accountNumber, name: accountName ?? '', bankName },
    currency,
    // Without a statement from the service, real money must not be called a test.
    liveMode: liveMode ?? true,
  };
}
