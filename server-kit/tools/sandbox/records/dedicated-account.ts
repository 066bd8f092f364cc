import * as v from 'valibot';
import type { Currency } from '../../../core/fields.ts';
import {
  awaitingConsent,
  type DedicatedAccountRequest,
  type DedicatedAccountStatus,
  dedicatedAccountFields,
} from '../../../service/dedicated-account.ts';
import type { ServiceDialect } from '../../../service/dialect.ts';
import { invalidParams } from '../errors.ts';
import { createSeedSchema, overlay, type RecordOf } from '../input/seed.ts';
import { toIso } from '../state/clock.ts';
import type { NewRecordParts } from '../state/mint.ts';
import type { Transitions } from './transitions.ts';

type AccountRequestStatus = typeof awaitingConsent | 'active' | 'refused';

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

/** Creates a request for an account. Throws 422 `validation_failed` for a bank that the dialect does not list */
export function createAccountRequest(
  { accountType, accountName, email, currency, callbackUrl, preferredBank }: DedicatedAccountRequest,
  { mint, nowMs, bank, dialect }: NewRecordParts & { bank: Bank; dialect: Readonly<ServiceDialect> },
): AccountRequest {
  const { preferredBanks } = dialect;
  if (preferredBank !== undefined && !preferredBanks.includes(preferredBank)) {
    const message = `Correct the request: preferredBank: must be one of ${preferredBanks.join(', ')}.`;
    throw invalidParams(['preferredBank'], message);
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

export const dedicatedAccountTransitions: Transitions<DedicatedAccountStatus> = {
  active: ['expired', 'no_post_no_debit'],
  expired: [],
  no_post_no_debit: [],
};

export type SandboxDedicatedAccount = RecordOf<
  typeof dedicatedAccountFields,
  | 'accountRequestCode'
  | 'customerId'
  | 'accountNumber'
  | 'accountName'
  | 'bankName'
  | 'currency'
  | 'acceptedAmountPolicy'
  | 'status'
  | 'createdAt'
>;

const { accountRequestCode: _its, ...seedFields } = dedicatedAccountFields;

/** Any field of 2.8 except `accountRequestCode`. */
export const DedicatedAccountSeed = createSeedSchema(seedFields, {
  accountNumber: v.nullish(v.pipe(v.string(), v.regex(/^\d{10}$/, 'must be 10 digits'))),
});
export type DedicatedAccountSeed = v.InferInput<typeof DedicatedAccountSeed>;

/** Creates the account for a request that has the customer's consent. Fields of the seed take precedence. */
export function createDedicatedAccount(
  request: AccountRequest,
  seed: DedicatedAccountSeed,
  { mint, nowMs }: NewRecordParts,
): SandboxDedicatedAccount {
  const createdAt = seed.createdAt ?? toIso(nowMs);
  const { accountType, accountName, currency, customerId, bank } = request;
  return overlay<SandboxDedicatedAccount>(
    {
      id: mint.id('dac'),
      accountRequestCode: request.id,
      customerId,
      currency,
      accountNumber: mint.accountNumber(),
      accountName,
      bankName: bank.name,
      bankId: bank.id,
      acceptedAmountPolicy: 'ACCEPTED_AMOUNT_POLICY_ALLOW_ANY',
      status: 'active',
      type: accountType === 'individual' ? 'dedicated_virtual_account' : 'dedicated_business_account',
      liveMode: false,
      createdAt,
      updatedAt: createdAt,
      bank,
    },
    seed,
  );
}
