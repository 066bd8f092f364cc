import * as v from 'valibot';
import { paymentStatuses } from '../../../../src/contract/index.ts';
import { atLeastOneField, exactObject } from '../../../client/api/fields.ts';
import { acceptedAmountPolicies, paymentChannels, paymentMethods } from '../../../client/api/payment.ts';
import { parseInput } from '../input/parse-input.ts';
import {
  addFact,
  effectiveMs,
  type PaymentFact,
  paymentAt,
  paymentTransitions,
  type SandboxPayment,
} from '../records/payment.ts';
import { type ControlPayment, toControlPayment } from '../records/payment-views.ts';
import { toTransfer } from '../records/transfer.ts';
import { checkTransition } from '../records/transitions.ts';
import { findPayment } from '../world/payments.ts';
import type { SandboxWorld } from '../world/world.ts';
import type { ControlCallsOf } from './control-call.ts';

export const PaymentUpdateInput = v.pipe(
  exactObject({
    acceptedAmountPolicy: v.optional(v.picklist(acceptedAmountPolicies)),
    status: v.optional(v.picklist(paymentStatuses)),
    paymentMethod: v.optional(v.picklist(paymentMethods)),
    paymentChannel: v.optional(v.picklist(paymentChannels)),
  }),
  atLeastOneField('name acceptedAmountPolicy, status, paymentMethod, paymentChannel or some of them'),
);
export type PaymentUpdateInput = v.InferInput<typeof PaymentUpdateInput>;

export type PaymentsControl = {
  /** Lists every payment, newest first. */
  listPayments: () => readonly ControlPayment[];
  /**
   * Changes the policy, the method and the channel, and moves the status along `paymentTransitions`. `charged` sends the
   * missing amount first, because only transfers bring money.
   *
   * Refuses with `payment_not_found`, `transition_not_allowed`, `validation_failed`.
   */
  updatePayment: (reference: string, input: PaymentUpdateInput) => ControlPayment;
};

export const paymentCalls: ControlCallsOf<PaymentsControl> = {
  listPayments: {
    run({ clock, state }) {
      const nowMs = clock.now();
      return state.payments.list().map((record) => toControlPayment(record, nowMs));
    },
  },
  updatePayment: {
    request: PaymentUpdateInput,
    run: updatePayment,
  },
};

function updatePayment(world: SandboxWorld, reference: string, input: PaymentUpdateInput): ControlPayment {
  const { acceptedAmountPolicy, status, ...origin } = parseInput(PaymentUpdateInput, input);
  const { clock, state, payments } = world;
  const payment = findPayment(state.payments.by('reference', reference), `reference "${reference}"`);
  const atMs = effectiveMs(payment, clock.now());
  const current = paymentAt(payment, atMs).status;
  const facts: PaymentFact[] = [];
  if (acceptedAmountPolicy !== undefined) facts.push({ kind: 'policy', atMs, acceptedAmountPolicy });
  if (status !== undefined) {
    checkTransition('A payment', paymentTransitions, { from: current, to: status });
    facts.push(status === 'charged' ? missingMoney(world, payment, atMs) : { kind: 'status', atMs, status });
  }
  const given = Object.fromEntries(Object.entries(origin).filter(([, value]) => value !== undefined));
  const record = payments.put(facts.reduce(addFact, { ...payment, ...given }));
  return toControlPayment(record, atMs);
}

function missingMoney({ mint }: SandboxWorld, payment: SandboxPayment, atMs: number): PaymentFact {
  const amount = payment.expectedAmount - paymentAt(payment, atMs).chargedAmount;
  return { kind: 'transfer', atMs, transfer: toTransfer({ id: mint.id('trf'), amount }, undefined) };
}
