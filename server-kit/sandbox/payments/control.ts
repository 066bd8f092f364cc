import * as v from 'valibot';
import { paymentStatuses } from '../../../src/contract/index.ts';
import { acceptedAmountPolicies } from '../../api/payment.ts';
import type { ControlCall } from '../control-call.ts';
import { receiveTransfer } from '../dedicated-accounts/receive-transfer.ts';
import { WholeNumber } from '../fields.ts';
import { parseInput, SandboxError } from '../http/sandbox-error.ts';
import { checkTransition } from '../transitions.ts';
import type { SandboxWorld } from '../world.ts';
import { paymentNotFound } from './operations.ts';
import {
  addFact,
  momentFor,
  type PaymentFact,
  paymentAt,
  paymentTransitions,
  type SandboxPayment,
  type Transfer,
} from './payment.ts';
import { returnReason } from './policies.ts';
import { type ControlPayment, type ControlTransfer, toControlPayment, toControlTransfer } from './views.ts';

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

/** `payment` is `null` where a dedicated account has returned the money: no payment has come of it. */
export type TransferResult = { transfer: ControlTransfer; payment: ControlPayment | null };

export type PaymentsControl = {
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
   * Sends money to an account. Whether the bank takes or returns it follows from the payment's policy and status. What
   * comes to a dedicated account that is active becomes a payment of its own.
   *
   * Refuses with `account_not_found`, `validation_failed`.
   */
  transfer: (input: TransferInput) => TransferResult;
};

export function createPaymentsControl(world: SandboxWorld): PaymentsControl {
  return {
    listPayments: () => {
      const nowMs = world.clock.now();
      return world.state.payments.list().map((record) => toControlPayment(record, nowMs));
    },
    updatePayment: (reference, input) => updatePayment(world, reference, input),
    transfer: (input) => transfer(world, input),
  };
}

export const paymentCalls = {
  listPayments: {
    method: 'GET',
    path: '/_sandbox/payments',
    summary: 'All payments, newest first, with their transfers: { data }',
    answer: (control) => ({ data: control.listPayments() }),
  },
  updatePayment: {
    method: 'POST',
    path: '/_sandbox/payments/{reference}',
    summary: 'Changes the policy or the status of a payment, and answers with the payment',
    request: PaymentUpdateInput,
    answer: (control, { reference = '' }, body) =>
      control.updatePayment(reference, body as PaymentUpdateInput),
  },
  transfer: {
    method: 'POST',
    path: '/_sandbox/transfers',
    summary: 'Sends money, in minor units, to an account: { transfer, payment }',
    request: TransferInput,
    answer: (control, _parameters, body) => control.transfer(body as TransferInput),
  },
} as const satisfies Record<keyof PaymentsControl, ControlCall<PaymentsControl>>;

function transfer(world: SandboxWorld, input: TransferInput): TransferResult {
  const { state, clock } = world;
  const { accountNumber, amount } = parseInput(TransferInput, input);
  const account = state.dedicatedAccounts.by('accountNumber', accountNumber);
  if (account !== undefined) {
    const { transfer, payment } = receiveTransfer(world, account, amount);
    return { transfer, payment: payment === undefined ? null : toControlPayment(payment, clock.now()) };
  }
  const payment = state.payments.by('accountNumber', accountNumber);
  if (payment !== undefined) return payInto(world, payment, amount);
  throw new SandboxError(
    'account_not_found',
    `No account has the number "${accountNumber}"; initiate a payment first.`,
  );
}

function payInto(
  { clock, payments, mint }: SandboxWorld,
  payment: SandboxPayment,
  amount: number,
): TransferResult {
  const atMs = momentFor(payment, clock.now());
  const reason = returnReason(paymentAt(payment, atMs), payment, amount);
  const id = mint.id('trf');
  const made: Transfer =
    reason === undefined ? { id, amount, status: 'accepted' } : { id, amount, status: 'returned', reason };
  const record = payments.put(addFact(payment, { kind: 'transfer', atMs, transfer: made }));
  return { transfer: toControlTransfer(record, made, atMs), payment: toControlPayment(record, atMs) };
}

function updatePayment(
  { clock, state, payments }: SandboxWorld,
  reference: string,
  input: PaymentUpdateInput,
): ControlPayment {
  const { acceptedAmountPolicy, status } = parseInput(PaymentUpdateInput, input);
  const payment = state.payments.by('reference', reference);
  if (payment === undefined) throw paymentNotFound(`reference "${reference}"`);
  const atMs = momentFor(payment, clock.now());
  const current = paymentAt(payment, atMs).status;
  const facts: PaymentFact[] = [];
  if (acceptedAmountPolicy !== undefined) facts.push({ kind: 'policy', atMs, acceptedAmountPolicy });
  if (status !== undefined) {
    checkTransition('A payment', paymentTransitions, { from: current, to: status });
    facts.push({ kind: 'status', atMs, status });
  }
  const record = payments.put(facts.reduce(addFact, payment));
  return toControlPayment(record, atMs);
}
