import * as v from 'valibot';
import {
  type DedicatedAccountStatus,
  dedicatedAccountFields,
} from '../../../client/api/dedicated-account.ts';
import { toIso } from '../clock/iso.ts';
import type { NewRecordParts } from '../identifiers/mint.ts';
import { createSeedSchema, overlay, type RecordOf } from '../input/seed.ts';
import type { AccountRequest } from './account-request.ts';
import type { Transitions } from './transitions.ts';

export const dedicatedAccountTransitions: Transitions<DedicatedAccountStatus> = {
  active: ['expired', 'no_post_no_debit'],
  expired: [],
  no_post_no_debit: [],
};

/** A stored dedicated account (2.8). */
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
