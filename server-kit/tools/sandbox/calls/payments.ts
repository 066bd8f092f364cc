import * as v from 'valibot';
import { paymentStatuses } from '../../../../src/contract/index.ts';
import type { CheckoutLink, PaymentInitiationRequest } from '../../../core/endpoints.ts';
import {
  acceptedAmountPolicies,
  atLeastOneField,
  paymentChannels,
  paymentMethods,
} from '../../../service/fields.ts';
import { alreadyExists, invalidParams, SandboxError } from '../errors.ts';
import { maxSeconds, parseInput } from '../input/fields.ts';
import {
  addFact,
  effectiveMs,
  type PaymentFact,
  paymentAt,
  paymentTransitions,
  type SandboxPayment,
  toTransfer,
} from '../records/payment.ts';
import { type ControlPayment, toControlPayment, toInitiation, toPayment } from '../records/payment-views.ts';
import { checkTransition } from '../records/transitions.ts';
import { toIso } from '../state/clock.ts';
import { pagePath, type SandboxWorld } from '../world/create-world.ts';
import { createPayment, findPayment } from '../world/payments.ts';
import { createLinkPayment } from './checkout-links.ts';
import type { ControlCalls, HandlersOf } from './handler.ts';

export const paymentOperations: HandlersOf<'payments'> = {
  'payments.initiate': ({ body }, world) => {
    refuseKnownReference(body.reference, world);
    const record = initiatedPayment(body, world);
    world.payments.put(record);
    return toInitiation(record);
  },

  'payments.retrieve': ({ parameters: { id } }, { state, clock }) => {
    return toPayment(findPayment(state.payments.get(id), `id "${id}"`), clock.now());
  },

  'payments.verify': ({ parameters: { reference } }, { state, clock }) => {
    const record = state.payments.find((one) => one.reference === reference);
    const link = state.checkoutLinks.find((one) => one.reference === reference);
    if (record === undefined && link !== undefined) {
      const message = `The checkout link "${reference}" has not been opened yet; try again later.`;
      throw new SandboxError('payment_not_found', message);
    }
    return toPayment(findPayment(record, `reference "${reference}"`), clock.now());
  },
};

export const checkoutOperations: HandlersOf<'checkout'> = {
  /** Opening the link creates the payment; until then, verify responds as the dialect's `unopenedLink` says. */
  'checkout.create': ({ body }, world) => {
    refuseKnownReference(body.reference, world);
    const { settings, clock, mint, state } = world;
    const id = mint.id('chk');
    const createdAtMs = clock.now();
    const link: CheckoutLink = {
      id,
      reference: body.reference,
      amount: body.amount,
      authorizationUrl: settings.publicUrl + settings.basePath + pagePath(id),
      returnUrl: body.returnUrl ?? null,
      expiresAt: toIso(createdAtMs + settings.defaultExpiresInSeconds * 1000),
      callbackUrl: body.callbackUrl ?? null,
      metadata: body.metadata ?? {},
      liveMode: false,
    };
    const customer = createCustomer(body.customer, world);
    const record = { id, reference: body.reference, link, customer, createdAtMs };
    state.checkoutLinks.put(record);
    if (settings.dialect.unopenedLink === 'initiated') {
      world.payments.put({ ...createLinkPayment(world, record), firstStatus: 'initiated' });
    }
    return link;
  },
};

type Initiation = v.InferOutput<typeof PaymentInitiationRequest>;

function initiatedPayment(body: Initiation, world: SandboxWorld): SandboxPayment {
  if ((body.expiresIn ?? 0) > maxSeconds) {
    const message = `Correct the request: expiresIn: must be at most ${maxSeconds} seconds.`;
    throw invalidParams(['expiresIn'], message);
  }
  return createPayment(world, {
    reference: body.reference,
    paymentMethod: body.paymentMethod,
    paymentChannel: 'api',
    expectedAmount: body.amount.value,
    currency: body.amount.currency,
    customer: createCustomer(body.customer, world),
    callbackUrl: body.callbackUrl ?? null,
    metadata: { ...body.metadata },
    expiresInSeconds: body.expiresIn,
  });
}

const createCustomer = (customer: Initiation['customer'], { mint }: SandboxWorld) =>
  customer === undefined
    ? null
    : { id: mint.id('cus'), name: customer.name ?? '', email: customer.email ?? '' };

function refuseKnownReference(reference: string, { state }: SandboxWorld): void {
  const isSame = (one: { reference: string }): boolean => one.reference === reference;
  if ((state.payments.find(isSame) ?? state.checkoutLinks.find(isSame)) === undefined) return;
  const message = `The reference "${reference}" was used before; verify that payment, or use another reference.`;
  throw alreadyExists('reference', message);
}

const PaymentUpdateInput = v.pipe(
  v.strictObject({
    acceptedAmountPolicy: v.optional(v.picklist(acceptedAmountPolicies)),
    status: v.optional(v.picklist(paymentStatuses)),
    paymentMethod: v.optional(v.picklist(paymentMethods)),
    paymentChannel: v.optional(v.picklist(paymentChannels)),
  }),
  atLeastOneField('name acceptedAmountPolicy, status, paymentMethod, paymentChannel or some of them'),
);
type PaymentUpdateInput = v.InferInput<typeof PaymentUpdateInput>;

export const paymentCalls = {
  /** Lists every payment, newest first. */
  listPayments: {
    run({ clock, state }) {
      const nowMs = clock.now();
      return state.payments.list().map((record) => toControlPayment(record, nowMs));
    },
  },
  /**
   * Changes the policy, the method and the channel, and moves the status along `paymentTransitions`. `charged` sends the missing amount
   * first, because only transfers bring money. Refuses with `payment_not_found`, `transition_not_allowed`, `validation_failed`.
   */
  updatePayment: { request: PaymentUpdateInput, run: updatePayment },
} satisfies ControlCalls;

function updatePayment(world: SandboxWorld, reference: string, input: PaymentUpdateInput): ControlPayment {
  const { acceptedAmountPolicy, status, ...origin } = parseInput(PaymentUpdateInput, input);
  const { clock, state, payments } = world;
  const found = state.payments.find((one) => one.reference === reference);
  const payment = findPayment(found, `reference "${reference}"`);
  const atMs = effectiveMs(payment, clock.now());
  const { status: current, chargedAmount } = paymentAt(payment, atMs);
  const facts: PaymentFact[] = [];
  if (acceptedAmountPolicy !== undefined) facts.push({ kind: 'policy', atMs, acceptedAmountPolicy });
  if (status !== undefined) {
    checkTransition('A payment', paymentTransitions, { from: current, to: status });
    const amount = payment.expectedAmount - chargedAmount;
    const transfer = toTransfer({ id: world.mint.id('trf'), amount }, undefined);
    facts.push(
      status === 'charged' ? { kind: 'transfer', atMs, transfer } : { kind: 'status', atMs, status },
    );
  }
  const given = Object.fromEntries(Object.entries(origin).filter(([, value]) => value !== undefined));
  const record = payments.put(facts.reduce(addFact, { ...payment, ...given }));
  return toControlPayment(record, atMs);
}
