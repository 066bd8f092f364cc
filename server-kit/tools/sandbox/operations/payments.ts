import type * as v from 'valibot';
import type { CheckoutLink } from '../../../client/api/checkout-link.ts';
import type { PaymentInitiationRequest } from '../../../client/api/payment.ts';
import { toIso } from '../clock/iso.ts';
import { alreadyExists, invalidParams, SandboxError } from '../errors/sandbox-error.ts';
import { maxSeconds } from '../input/fields.ts';
import { pagePath } from '../records/checkout-link.ts';
import type { SandboxPayment } from '../records/payment.ts';
import { toInitiation, toPayment } from '../records/payment-views.ts';
import { createLinkPayment } from '../world/checkout-links.ts';
import { createPayment, findPayment } from '../world/payments.ts';
import type { SandboxWorld } from '../world/world.ts';
import type { HandlersOf } from './handler.ts';

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
    const record = state.payments.by('reference', reference);
    if (record === undefined && state.checkoutLinks.by('reference', reference) !== undefined) {
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
    throw invalidParams(
      ['expiresIn'],
      `Correct the request: expiresIn: must be at most ${maxSeconds} seconds.`,
    );
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

const createCustomer = (
  customer: Initiation['customer'],
  { mint }: SandboxWorld,
): SandboxPayment['customer'] =>
  customer === undefined
    ? null
    : { id: mint.id('cus'), name: customer.name ?? '', email: customer.email ?? '' };

function refuseKnownReference(reference: string, { state }: SandboxWorld): void {
  const isKnown =
    state.payments.by('reference', reference) !== undefined ||
    state.checkoutLinks.by('reference', reference) !== undefined;
  if (!isKnown) return;
  throw alreadyExists(
    'reference',
    `The reference "${reference}" was used before; verify that payment, or use another reference.`,
  );
}
