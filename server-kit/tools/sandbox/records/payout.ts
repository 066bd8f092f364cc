import * as v from 'valibot';
import { CallbackUrl, Identifier } from '../../../core/fields.ts';
import { type ConfirmationState, type PayoutStatus, payoutFields } from '../../../service/payout.ts';
import { parseInput, WholeNumber } from '../input/fields.ts';
import { createSeedSchema, overlay, type RecordOf } from '../input/seed.ts';
import { toIso } from '../state/clock.ts';
import type { NewRecordParts } from '../state/mint.ts';
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

/** @throws {SandboxError} 422 `validation_failed` */
export function createPayout(
  input: PayoutSeed,
  { mint, nowMs, bankCode }: NewRecordParts & { bankCode: string },
): SandboxPayout {
  const seed = parseInput(PayoutSeed, input);
  const createdAt = seed.createdAt ?? toIso(nowMs);
  const status = seed.status ?? 'pending';
  const isUnsent = status === 'pending' || status === 'cancelled';
  const confirmationState =
    seed.confirmationState ?? (seed.requiresConfirmation ? (isUnsent ? 'pending' : 'confirmed') : null);
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
      requiresConfirmation: confirmationState !== null,
      confirmationState,
      callbackUrl: null,
      receiptEmail: null,
      narration: null,
      metadata: {},
      ...(status === 'failed' ? unnamedFailure : { failureCode: null, failureMessage: null }),
      initiation: { actor: 'user', ip: '127.0.0.1', user: { email: defaultActor }, apiKey: null },
      approval:
        confirmationState === 'confirmed' ? { approvedBy: defaultActor, approvedAt: createdAt } : null,
      cancellation: status === 'cancelled' ? { cancelledBy: defaultActor, cancelledAt: createdAt } : null,
      liveMode: false,
      createdAt,
      updatedAt: createdAt,
    },
    seed,
  );
}

/** Recorded for actions without a named person. */
export const defaultActor = 'developer@sandbox.example';

export const unnamedFailure = {
  failureCode: 'destination_bank_unavailable',
  failureMessage: 'The bank of the destination account could not be reached.',
};
