import * as v from 'valibot';
import { NonEmptyText, oneOf } from '../../../core/fields.ts';
import { atLeastOneField } from '../../../service/fields.ts';
import { confirmationStates, payoutStatuses } from '../../../service/payout.ts';
import { findOrRefuse, invalidParams, SandboxError } from '../errors.ts';
import { parseInput } from '../input/fields.ts';
import {
  createPayout,
  defaultActor,
  PayoutSeed,
  payoutConfirmationTransitions,
  payoutTransitions,
  type SandboxPayout,
  unnamedFailure,
} from '../records/payout.ts';
import { checkTransition } from '../records/transitions.ts';
import { nextUpdatedAt } from '../state/clock.ts';
import { addReferenced } from '../state/collection.ts';
import type { SandboxWorld } from '../world/create-world.ts';
import { type ControlCalls, type HandlersOf, isOneOf, listPage } from './handler.ts';

export const payoutOperations: HandlersOf<'payouts'> = {
  'payouts.list': ({ query }, world) =>
    listPage(world, world.state.payouts.list(), query, ({ status }) => isOneOf(query.status, status)),

  'payouts.retrieve': ({ parameters: { id } }, world) => findPayout(world, id),
};

/** Any of these fields. The approval is applied first, then the confirmation, then the status. */
const PayoutUpdateInput = v.pipe(
  v.strictObject({
    status: v.optional(oneOf(payoutStatuses)),
    confirmationState: v.optional(oneOf(confirmationStates)),
    /** Who approves; allowed without a confirmation while the payout is pending. */
    approvedBy: v.optional(NonEmptyText),
    /** Who cancels or rejects; only together with that change. */
    cancelledBy: v.optional(NonEmptyText),
    /** Only together with the status `failed`. */
    failureCode: v.optional(NonEmptyText),
    failureMessage: v.optional(NonEmptyText),
  }),
  atLeastOneField('name status, confirmationState or approvedBy'),
);
type PayoutUpdateInput = v.InferInput<typeof PayoutUpdateInput>;

export const payoutCalls = {
  /** Lists every payout, newest first. */
  listPayouts: { run: ({ state }) => state.payouts.list() },
  /**
   * Creates a payout, which no endpoint does. It is `pending` unless the seed has another status. Refuses with `validation_failed`,
   * `id_exists`, `reference_exists`.
   */
  createPayout: {
    request: PayoutSeed,
    run({ state, mint, clock, settings }, input: PayoutSeed) {
      const parts = { mint, nowMs: clock.now(), bankCode: settings.bank.code };
      return addReferenced(createPayout(input, parts), state.payouts);
    },
  },
  /**
   * Moves a payout along `payoutTransitions` and `payoutConfirmationTransitions`. A payout that requires confirmation can be sent only once
   * it is `confirmed`; `rejected` cancels it. Refuses with `payout_not_found`, `transition_not_allowed`, `payout_not_confirmed`,
   * `payout_not_pending`, `confirmation_not_required`, `validation_failed`.
   */
  updatePayout: { request: PayoutUpdateInput, run: updatePayout },
} satisfies ControlCalls;

type Step = (payout: SandboxPayout, input: PayoutUpdateInput, at: string) => SandboxPayout;

function updatePayout(world: SandboxWorld, id: string, body: PayoutUpdateInput): SandboxPayout {
  const input = parseInput(PayoutUpdateInput, body);
  const found = findPayout(world, id);
  const at = nextUpdatedAt(found, world.clock.now());
  const steps: Step[] = [approve, confirm, moveStatus];
  const changed = steps.reduce((payout, step) => step(payout, input, at), found);
  return putPayout(world, { ...changed, updatedAt: at });
}

const approve: Step = (payout, { approvedBy, confirmationState }, at) => {
  const isNamedNow = approvedBy !== undefined;
  if (isNamedNow) refuseUnlessPending(payout, 'approved');
  if (!isNamedNow && (confirmationState !== 'confirmed' || payout.approval !== null)) return payout;
  return { ...payout, approval: { approvedBy: approvedBy ?? defaultActor, approvedAt: at } };
};

const confirm: Step = (payout, { confirmationState: to, cancelledBy }, at) => {
  if (to === undefined) return payout;
  const from = payout.confirmationState;
  if (from === null) {
    throw new SandboxError('confirmation_not_required', 'The payout needs no confirmation; send it.', {
      params: ['confirmationState'],
    });
  }
  const change = { from, to, param: 'confirmationState' };
  checkTransition('A payout whose confirmation', payoutConfirmationTransitions, change);
  refuseUnlessPending(payout, to);
  const decided = { ...payout, confirmationState: to };
  return to === 'rejected' ? cancel(decided, cancelledBy, at) : decided;
};

const moveStatus: Step = (payout, input, at) => {
  const { status, confirmationState, failureCode, failureMessage, cancelledBy } = input;
  if (cancelledBy !== undefined && status !== 'cancelled' && confirmationState !== 'rejected') {
    const message = 'cancelledBy is allowed only with the status "cancelled" or a rejection.';
    throw invalidParams(['cancelledBy'], message);
  }
  const failure = { ...(failureCode && { failureCode }), ...(failureMessage && { failureMessage }) };
  if (status !== 'failed' && Object.keys(failure).length > 0) {
    throw invalidParams(Object.keys(failure), 'A failure is allowed only with the status "failed".');
  }
  if (status === undefined) return payout;
  checkTransition('A payout', payoutTransitions, { from: payout.status, to: status });
  if (status === 'sent') refuseUnlessConfirmed(payout);
  if (status === 'cancelled') return cancel(payout, cancelledBy, at);
  return { ...payout, status, ...(status === 'failed' && { ...unnamedFailure, ...failure }) };
};

const cancel = (payout: SandboxPayout, cancelledBy = defaultActor, cancelledAt: string): SandboxPayout => ({
  ...payout,
  status: 'cancelled',
  cancellation: { cancelledBy, cancelledAt },
});

function refuseUnlessPending({ status }: SandboxPayout, done: string): void {
  if (status === 'pending') return;
  const message = `The payout is ${status}; only a pending payout can be ${done}.`;
  throw new SandboxError('payout_not_pending', message);
}

function refuseUnlessConfirmed({ confirmationState }: SandboxPayout): void {
  if (confirmationState === null || confirmationState === 'confirmed') return;
  const message = `The confirmation of the payout is ${confirmationState}; confirm it before you send it.`;
  throw new SandboxError('payout_not_confirmed', message, { params: ['status'] });
}

/** @throws {SandboxError} 404 `payout_not_found` */
function findPayout({ state }: SandboxWorld, id: string): SandboxPayout {
  const message = `No payout has the id "${id}"; list the payouts for those that exist.`;
  return findOrRefuse(state.payouts.get(id), 'payout_not_found', message);
}

/** Stores a changed payout and sends a callback about it. */
function putPayout({ state, callbacks }: SandboxWorld, payout: SandboxPayout): SandboxPayout {
  const { id, status, callbackUrl } = payout;
  callbacks.notify({ record: 'payout', id, status, callbackUrl, data: payout });
  return state.payouts.put(payout);
}
