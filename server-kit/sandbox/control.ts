import * as v from 'valibot';
import { paymentStatuses } from '../../src/contract/index.ts';
import { acceptedAmountPolicies } from '../api/payment.ts';
import { maxOffsetSeconds } from './clock.ts';
import { paymentNotFound, type SandboxWorld } from './operations.ts';
import {
  type ControlPayment,
  type ControlTransfer,
  toControlPayment,
  toControlTransfer,
  toIso,
} from './payment-views.ts';
import { invalidParams, notFound, parseInput, SandboxError } from './sandbox-error.ts';
import {
  momentFor,
  type PaymentFact,
  paymentAt,
  paymentTransitions,
  type Transfer,
} from './sandbox-payment.ts';
import { returnReason } from './transfers.ts';

const WholeNumber = v.pipe(
  v.number('must be a number'),
  v.safeInteger('must be a whole number'),
  v.minValue(1, 'must be above 0'),
);

/** Money to send. `amount` in minor units, whatever the dialect says. */
export const TransferInput = v.strictObject({ accountNumber: v.string(), amount: WholeNumber });
export type TransferInput = v.InferOutput<typeof TransferInput>;

export const PaymentUpdateInput = v.pipe(
  v.strictObject({
    acceptedAmountPolicy: v.optional(v.picklist(acceptedAmountPolicies)),
    status: v.optional(v.picklist(paymentStatuses)),
  }),
  v.check(
    (input) => input.acceptedAmountPolicy !== undefined || input.status !== undefined,
    'name acceptedAmountPolicy, status or both',
  ),
);
export type PaymentUpdateInput = v.InferInput<typeof PaymentUpdateInput>;

export const ClockInput = v.strictObject({ advanceSeconds: WholeNumber });
export type ClockInput = v.InferOutput<typeof ClockInput>;

export type TransferResult = { transfer: ControlTransfer; payment: ControlPayment };
/** `now` in ISO 8601; `offsetSeconds` is how far control calls have moved the clock in all. */
export type ClockReading = { now: string; offsetSeconds: number };

/**
 * What a developer does to the sandbox from outside of the interface, in process. The control calls over HTTP are
 * these functions. All of them check their input and throw a `SandboxError`, with the code that HTTP would carry.
 */
export type SandboxControl = {
  /** Every payment, newest first. */
  listPayments: () => readonly ControlPayment[];
  /**
   * Changes the policy, and moves the status along `paymentTransitions`. Amounts stay as they are: money comes by
   * transfers only.
   *
   * Refuses with `payment_not_found`, `transition_not_allowed`, `validation_failed`.
   */
  updatePayment: (reference: string, input: PaymentUpdateInput) => ControlPayment;
  /**
   * Sends money to an account. Whether the bank takes or returns it follows from the payment's policy and status.
   *
   * Refuses with `account_not_found`, `validation_failed`.
   */
  transfer: (input: TransferInput) => TransferResult;
  readClock: () => ClockReading;
  /** Moves the clock forward, by ten years in all. Refuses with `validation_failed`. */
  advanceClock: (input: ClockInput) => ClockReading;
};

export function createControl(world: SandboxWorld): SandboxControl {
  const readClock = (): ClockReading => ({
    now: toIso(world.clock.now()),
    offsetSeconds: world.clock.offsetSeconds(),
  });
  return {
    listPayments: () => {
      const nowMs = world.clock.now();
      return world.state.listPayments().map((record) => toControlPayment(record, nowMs));
    },
    updatePayment: (reference, input) => updatePayment(world, reference, input),
    transfer: (input) => transfer(world, input),
    readClock,
    advanceClock(input) {
      const { advanceSeconds } = parseInput(ClockInput, input);
      if (world.clock.offsetSeconds() + advanceSeconds > maxOffsetSeconds) {
        throw invalidParams(
          ['advanceSeconds'],
          `The clock can be moved by ${maxOffsetSeconds} seconds in all; start a new sandbox to begin again.`,
        );
      }
      world.clock.advance(advanceSeconds);
      return readClock();
    },
  };
}

function transfer({ clock, state, mint }: SandboxWorld, input: TransferInput): TransferResult {
  const { accountNumber, amount } = parseInput(TransferInput, input);
  const payment = state.paymentByAccountNumber(accountNumber);
  if (payment === undefined) {
    throw notFound(
      'account_not_found',
      `No account has the number "${accountNumber}"; initiate a payment first.`,
    );
  }
  const atMs = momentFor(payment, clock.now());
  const reason = returnReason(paymentAt(payment, atMs), payment, amount);
  const id = mint.id('trf');
  const made: Transfer =
    reason === undefined ? { id, amount, status: 'accepted' } : { id, amount, status: 'returned', reason };
  const record = state.addFact(payment, { kind: 'transfer', atMs, transfer: made });
  return { transfer: toControlTransfer(record, made, atMs), payment: toControlPayment(record, atMs) };
}

function updatePayment(
  { clock, state }: SandboxWorld,
  reference: string,
  input: PaymentUpdateInput,
): ControlPayment {
  const { acceptedAmountPolicy, status } = parseInput(PaymentUpdateInput, input);
  const payment = state.paymentByReference(reference);
  if (payment === undefined) throw paymentNotFound(`reference "${reference}"`);
  const atMs = momentFor(payment, clock.now());
  const current = paymentAt(payment, atMs).status;
  const facts: PaymentFact[] = [];
  if (acceptedAmountPolicy !== undefined) facts.push({ kind: 'policy', atMs, acceptedAmountPolicy });
  if (status !== undefined) {
    if (!paymentTransitions[current].includes(status)) throw transitionNotAllowed(current, status);
    facts.push({ kind: 'status', atMs, status });
  }
  const record = facts.reduce(state.addFact, payment);
  return toControlPayment(record, atMs);
}

function transitionNotAllowed(from: keyof typeof paymentTransitions, to: string): SandboxError {
  const next = paymentTransitions[from].join(' or ') || 'nothing';
  return new SandboxError(`A payment that is ${from} cannot become ${to}; it can become ${next}.`, {
    status: 409,
    type: 'invalid_request_error',
    code: 'transition_not_allowed',
    params: ['status'],
  });
}
