import * as v from 'valibot';
import { paymentStatuses } from '../../../src/contract/index.ts';
import { exactObject } from '../../api/fields.ts';
import { acceptedAmountPolicies } from '../../api/payment.ts';
import { parseInput } from '../input/parse-input.ts';
import { addFact, effectiveMs, type PaymentFact, paymentAt, paymentTransitions } from '../records/payment.ts';
import { type ControlPayment, toControlPayment } from '../records/payment-views.ts';
import { checkTransition } from '../records/transitions.ts';
import { findPayment } from '../world/payments.ts';
import type { SandboxWorld } from '../world/world.ts';
import type { ControlCallsOf } from './control-call.ts';

export const PaymentUpdateInput = v.pipe(
  exactObject({
    acceptedAmountPolicy: v.optional(v.picklist(acceptedAmountPolicies)),
    status: v.optional(v.picklist(paymentStatuses)),
  }),
  v.check(
    (input) => input.acceptedAmountPolicy !== undefined || input.status !== undefined,
    'name acceptedAmountPolicy, status or both',
  ),
);
export type PaymentUpdateInput = v.InferInput<typeof PaymentUpdateInput>;

export type PaymentsControl = {
  /** Lists every payment, newest first. */
  listPayments: () => readonly ControlPayment[];
  /**
   * Changes the policy, and moves the status along `paymentTransitions`. Amounts do not change: only transfers bring money.
   *
   * Refuses with `payment_not_found`, `transition_not_allowed`, `validation_failed`.
   */
  updatePayment: (reference: string, input: PaymentUpdateInput) => ControlPayment;
};

export const paymentCalls: ControlCallsOf<PaymentsControl> = {
  listPayments: {
    method: 'GET',
    path: '/_sandbox/payments',
    run({ clock, state }) {
      const nowMs = clock.now();
      return state.payments.list().map((record) => toControlPayment(record, nowMs));
    },
  },
  updatePayment: {
    method: 'POST',
    path: '/_sandbox/payments/{reference}',
    request: PaymentUpdateInput,
    run: updatePayment,
  },
};

function updatePayment(
  { clock, state, payments }: SandboxWorld,
  reference: string,
  input: PaymentUpdateInput,
): ControlPayment {
  const { acceptedAmountPolicy, status } = parseInput(PaymentUpdateInput, input);
  const payment = findPayment(state.payments.by('reference', reference), `reference "${reference}"`);
  const atMs = effectiveMs(payment, clock.now());
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
