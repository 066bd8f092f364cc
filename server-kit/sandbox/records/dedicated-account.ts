import * as v from 'valibot';
import {
  awaitingConsent,
  type DedicatedAccountRequest,
  type DedicatedAccountStatus,
  dedicatedAccountFields,
} from '../../api/dedicated-account.ts';
import type { Currency } from '../../api/fields.ts';
import { toIso } from '../clock/iso.ts';
import { invalidParams } from '../errors/sandbox-error.ts';
import { createSeedSchema, overlay, type RecordOf } from '../input/seed.ts';
import type { SandboxWorld } from '../world/world.ts';
import type { Transitions } from './transitions.ts';

type AccountRequestStatus = typeof awaitingConsent | 'active' | 'refused';

/** `active` when the account has come into being; what becomes of that is in `dedicatedAccountTransitions`. */
export const accountRequestTransitions: Transitions<AccountRequestStatus> = {
  [awaitingConsent]: ['active', 'refused'],
  active: [],
  refused: [],
};

export const dedicatedAccountTransitions: Transitions<DedicatedAccountStatus> = {
  active: ['expired', 'no_post_no_debit'],
  expired: [],
  no_post_no_debit: [],
};

/** All that is kept of a request for an account (4.1). `id` is its `accountRequestCode`. */
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

/** 2.8 as it is kept and answered. */
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

/**
 * Makes the request; it is not kept yet.
 *
 * @throws {SandboxError} `validation_failed` for a bank that is not one of the dialect's
 */
export function newAccountRequest(
  { settings, clock, mint }: SandboxWorld,
  { accountType, accountName, email, currency, callbackUrl, preferredBank }: DedicatedAccountRequest,
): AccountRequest {
  const { preferredBanks } = settings.dialect;
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
    bank: bankOf(preferredBank, settings.bank),
    createdAt: toIso(clock.now()),
  };
}

/** The banks share the code of the sandbox's own, so that its account numbers are valid at each of them. */
function bankOf(preferred: string | undefined, { name, code }: { name: string; code: string }) {
  const codes = { cbnCode: code, nibssCode: `000${code}` };
  if (preferred === undefined) return { id: `bank_${code}`, name, ...codes };
  const words = preferred.split('_').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return { id: preferred, name: words.join(' '), ...codes };
}

/** The request that an account came of. */
export function requestOf({ state }: SandboxWorld, account: SandboxDedicatedAccount): AccountRequest {
  const request = state.accountRequests.get(account.accountRequestCode);
  if (request !== undefined) return request;
  throw new Error(
    `The account ${account.id} is on record without its request ${account.accountRequestCode}.`,
  );
}

const { accountRequestCode: _its, ...seedFields } = dedicatedAccountFields;

/** Any field of 2.8 but `accountRequestCode`, which is known. */
export const DedicatedAccountSeed = createSeedSchema(seedFields, {
  accountNumber: v.nullish(v.pipe(v.string(), v.regex(/^\d{10}$/, 'must be 10 digits'))),
});
export type DedicatedAccountSeed = v.InferInput<typeof DedicatedAccountSeed>;

/** The account that a consent brings into being: what the seed says, and the rest by the request. */
export function newDedicatedAccount(
  { clock, mint }: SandboxWorld,
  request: AccountRequest,
  seed: DedicatedAccountSeed,
): SandboxDedicatedAccount {
  const createdAt = seed.createdAt ?? toIso(clock.now());
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
