import * as v from 'valibot';
import { Identifier, WebUrl } from '../../api/fields.ts';
import { type ConfirmationState, type PayoutStatus, payoutFields } from '../../api/payout.ts';
import { WholeNumber } from '../fields.ts';
import { parseInput } from '../http/sandbox-error.ts';
import { toIso } from '../iso.ts';
import { createSeedSchema, overlay, type RecordOf, refuseKnownId, refuseKnownReference } from '../seed.ts';
import type { Transitions } from '../transitions.ts';
import type { SandboxWorld } from '../world.ts';

/** 2.7 as it is kept and answered. Amounts in minor units. */
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

/** Any field of 2.7; only `amount` must be there, in minor units. */
export const PayoutSeed = createSeedSchema(payoutFields, {
  amount: WholeNumber,
  reference: v.nullish(Identifier),
  callbackUrl: v.nullish(WebUrl),
});
export type PayoutSeed = v.InferInput<typeof PayoutSeed>;

/**
 * Makes the payout of a seed; it is not kept yet.
 *
 * @throws {SandboxError} `validation_failed`, `id_exists`, `reference_exists`
 */
export function newPayout({ state, mint, clock, settings }: SandboxWorld, input: PayoutSeed): SandboxPayout {
  const seed = parseInput(PayoutSeed, input);
  const createdAt = seed.createdAt ?? toIso(clock.now());
  const requiresConfirmation = seed.requiresConfirmation ?? (seed.confirmationState ?? null) !== null;
  const status = seed.status ?? 'pending';
  const payout = overlay<SandboxPayout>(
    {
      id: mint.id('po'),
      reference: mint.id('ref'),
      amount: seed.amount,
      currency: 'NGN',
      status,
      destinationAccountNumber: mint.accountNumber(),
      destinationBankId: `bank_${settings.bank.code}`,
      stampDuty: 0,
      fee: 0,
      vat: 0,
      networkSessionId: null,
      requiresConfirmation,
      confirmationState: requiresConfirmation ? 'pending' : null,
      callbackUrl: null,
      receiptEmail: null,
      narration: null,
      metadata: {},
      ...(status === 'failed' ? unnamedFailure : { failureCode: null, failureMessage: null }),
      initiation: { actor: 'user', ip: '127.0.0.1', user: { email: actor }, apiKey: null },
      approval: null,
      cancellation: status === 'cancelled' ? { cancelledBy: actor, cancelledAt: createdAt } : null,
      liveMode: false,
      createdAt,
      updatedAt: createdAt,
    },
    seed,
  );
  refuseKnownId(payout.id, state.payouts);
  refuseKnownReference(payout.reference, state.payouts);
  return payout;
}

/** Keeps a changed payout, and tells of it. */
export function keepPayout({ state, callbacks }: SandboxWorld, payout: SandboxPayout): SandboxPayout {
  const { id, status, callbackUrl } = payout;
  callbacks.notify({ record: 'payout', id, status, callbackUrl, data: payout });
  return state.payouts.put(payout);
}

/** Who has done what nobody else is named for. */
export const actor = 'developer@sandbox.example';

export const unnamedFailure = {
  failureCode: 'destination_bank_unavailable',
  failureMessage: 'The bank of the destination account could not be reached.',
};
