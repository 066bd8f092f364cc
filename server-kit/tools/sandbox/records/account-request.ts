import { awaitingConsent, type DedicatedAccountRequest } from '../../../client/api/dedicated-account.ts';
import type { Dialect } from '../../../client/api/dialect.ts';
import type { Currency } from '../../../client/api/fields.ts';
import { toIso } from '../clock/iso.ts';
import { invalidParams } from '../errors/sandbox-error.ts';
import type { NewRecordParts } from '../identifiers/mint.ts';
import type { Transitions } from './transitions.ts';

export type AccountRequestStatus = typeof awaitingConsent | 'active' | 'refused';

/** `active` once the account exists; its own status follows `dedicatedAccountTransitions`. */
export const accountRequestTransitions: Transitions<AccountRequestStatus> = {
  [awaitingConsent]: ['active', 'refused'],
  active: [],
  refused: [],
};

/** A stored request for an account (4.1). `id` is its `accountRequestCode`. */
export type AccountRequest = {
  id: string;
  status: AccountRequestStatus;
  accountType: DedicatedAccountRequest['accountType'];
  accountName: string;
  email: string;
  currency: Currency;
  callbackUrl: string;
  customerId: string;
  bank: { id: string; name: string; cbnCode: string; nibssCode: string };
  createdAt: string;
};

type Bank = { name: string; code: string };

/**
 * Creates a request for an account.
 *
 * @throws {SandboxError} 422 `validation_failed` for a bank that the dialect does not list
 */
export function createAccountRequest(
  { accountType, accountName, email, currency, callbackUrl, preferredBank }: DedicatedAccountRequest,
  { mint, nowMs, bank, dialect }: NewRecordParts & { bank: Bank; dialect: Readonly<Dialect> },
): AccountRequest {
  const { preferredBanks } = dialect;
  if (preferredBank !== undefined && !preferredBanks.includes(preferredBank)) {
    throw invalidParams(
      ['preferredBank'],
      `Correct the request: preferredBank: must be one of ${preferredBanks.join(', ')}.`,
    );
  }
  return {
    id: mint.id('dar'),
    status: awaitingConsent,
    accountType,
    accountName,
    email,
    currency,
    callbackUrl,
    customerId: mint.id('cus'),
    bank: bankOf(preferredBank, bank),
    createdAt: toIso(nowMs),
  };
}

/** All banks share the code of the sandbox's own bank, so that its account numbers are valid at each of them. */
function bankOf(preferred: string | undefined, { name, code }: Bank) {
  const codes = { cbnCode: code, nibssCode: `000${code}` };
  if (preferred === undefined) return { id: `bank_${code}`, name, ...codes };
  const words = preferred.split('_').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return { id: preferred, name: words.join(' '), ...codes };
}
