import * as v from 'valibot';
import { CallbackUrl, Identifier } from '../../../client/api/fields.ts';
import { type ConfirmationState, type PayoutStatus, payoutFields } from '../../../client/api/payout.ts';
import { toIso } from '../clock/iso.ts';
import { invalidParams } from '../errors/sandbox-error.ts';
import type { NewRecordParts } from '../identifiers/mint.ts';
import { WholeNumber } from '../input/fields.ts';
import { parseInput } from '../input/parse-input.ts';
import {
  createSeedSchema,
  overlay,
  type RecordOf,
  refuseFieldsOfOtherStatuses,
  type SeedOf,
} from '../input/seed.ts';
import type { Transitions } from './transitions.ts';

/** A stored payout (2.7). Amounts are in minor units. */
export type SandboxPayout = RecordOf<
  typeof payoutFields,
  'reference' | 'amount' | 'status' | 'createdAt' | 'updatedAt'
>;

export const payoutTransitions: Transitions<PayoutStatus> = {
  pending: ['sent', 'cancelled'],
  sent: ['succeeded', 'failed'],
  succeeded: ['reversed'],
  failed: [],
  reversed: [],
  cancelled: [],
};

export const payoutConfirmationTransitions: Transitions<ConfirmationState> = {
  pending: ['confirmed', 'rejected'],
  confirmed: [],
  rejected: [],
};

/** Any field of 2.7; only `amount` is required, in minor units. */
export const PayoutSeed = createSeedSchema(payoutFields, {
  amount: WholeNumber,
  reference: v.nullish(Identifier),
  callbackUrl: v.nullish(CallbackUrl),
});
export type PayoutSeed = v.InferInput<typeof PayoutSeed>;

/**
 * Creates a payout. Its status and its confirmation must agree with each other.
 *
 * @throws {SandboxError} 422 `validation_failed`
 */
export function createPayout(
  input: PayoutSeed,
  { mint, nowMs, bankCode }: NewRecordParts & { bankCode: string },
): SandboxPayout {
  const seed = parseInput(PayoutSeed, input);
  const createdAt = seed.createdAt ?? toIso(nowMs);
  const status = seed.status ?? 'pending';
  const confirmation = confirmationOf(seed, status);
  refuseFieldsOfOtherStatuses(seed, status, {
    failureCode: 'failed',
    failureMessage: 'failed',
    cancellation: 'cancelled',
  });
  return overlay<SandboxPayout>(
    {
      id: mint.id('po'),
      reference: mint.id('ref'),
      amount: seed.amount,
      currency: 'NGN',
      status,
      destinationAccountNumber: mint.accountNumber(),
      destinationBankId: `bank_${bankCode}`,
      stampDuty: 0,
      fee: 0,
      vat: 0,
      networkSessionId: null,
      ...confirmation,
      callbackUrl: null,
      receiptEmail: null,
      narration: null,
      metadata: {},
      ...(status === 'failed' ? unnamedFailure : { failureCode: null, failureMessage: null }),
      initiation: { actor: 'user', ip: '127.0.0.1', user: { email: defaultActor }, apiKey: null },
      approval:
        confirmation.confirmationState === 'confirmed'
          ? { approvedBy: defaultActor, approvedAt: createdAt }
          : null,
      cancellation: status === 'cancelled' ? { cancelledBy: defaultActor, cancelledAt: createdAt } : null,
      liveMode: false,
      createdAt,
      updatedAt: createdAt,
    },
    seed,
  );
}

type Confirmation = Pick<SandboxPayout, 'requiresConfirmation' | 'confirmationState'>;

/** Returns the seed's confirmation, or the one that a payout of this status must have had. */
function confirmationOf(seed: SeedOf<typeof payoutFields>, status: PayoutStatus): Confirmation {
  const given = seed.confirmationState ?? null;
  const requiresConfirmation = seed.requiresConfirmation ?? given !== null;
  if (!requiresConfirmation && given !== null) {
    throw invalidParams(
      ['requiresConfirmation', 'confirmationState'],
      'Correct the request: confirmationState: only a payout that requires confirmation has one.',
    );
  }
  const isUnsent = status === 'pending' || status === 'cancelled';
  const confirmationState = given ?? (isUnsent ? 'pending' : 'confirmed');
  const agrees =
    confirmationState === 'rejected' ? status === 'cancelled' : isUnsent || confirmationState === 'confirmed';
  if (!agrees) {
    throw invalidParams(
      ['status', 'confirmationState'],
      `Correct the request: a payout whose confirmation is ${confirmationState} cannot be ${status}.`,
    );
  }
  return { requiresConfirmation, confirmationState: requiresConfirmation ? confirmationState : null };
}

/** Recorded for actions without a named person. */
export const defaultActor = 'developer@sandbox.example';

export const unnamedFailure = {
  failureCode: 'destination_bank_unavailable',
  failureMessage: 'The bank of the destination account could not be reached.',
};
