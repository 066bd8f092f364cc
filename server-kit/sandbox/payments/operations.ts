import type * as v from 'valibot';
import type { CheckoutLink } from '../../api/checkout-link.ts';
import type { PaymentInitiationRequest } from '../../api/payment.ts';
import { alreadyExists, invalidParams, SandboxError } from '../http/sandbox-error.ts';
import { toIso } from '../iso.ts';
import type { HandlersOf } from '../operation.ts';
import { maxSeconds } from '../options.ts';
import type { SandboxWorld } from '../world.ts';
import { newPayment } from './new-payment.ts';
import type { SandboxPayment } from './payment.ts';
import { toInitiation, toPayment } from './views.ts';

export const paymentOperations: HandlersOf<'payments'> = {
  'payments.initiate': ({ body }, world) => {
    refuseKnownReference(body.reference, world);
    const record = initiatedPayment(body, world);
    world.payments.put(record);
    return toInitiation(record);
  },

  'payments.retrieve': ({ parameters: { id } }, { state, clock }) => {
    const record = state.payments.get(id);
    if (record === undefined) throw paymentNotFound(`id "${id}"`);
    return toPayment(record, clock.now());
  },

  'payments.verify': ({ parameters: { reference } }, { state, clock }) => {
    const record = state.payments.by('reference', reference);
    if (record !== undefined) return toPayment(record, clock.now());
    if (state.checkoutLinks.by('reference', reference) === undefined) {
      throw paymentNotFound(`reference "${reference}"`);
    }
    throw new SandboxError(
      'payment_not_found',
      `Nobody has opened the checkout link "${reference}" yet; ask later.`,
    );
  },
};

export const checkoutOperations: HandlersOf<'checkout'> = {
  'checkout.create': ({ body }, world) => {
    refuseKnownReference(body.reference, world);
    const { settings, clock, mint, state } = world;
    const id = mint.id('chk');
    const createdAtMs = clock.now();
    const link: CheckoutLink = {
      id,
      reference: body.reference,
      amount: body.amount,
      authorizationUrl: `${settings.publicUrl}/pay/${id}`,
      returnUrl: body.returnUrl ?? null,
      expiresAt: toIso(createdAtMs + settings.defaultExpiresInSeconds * 1000),
      callbackUrl: body.callbackUrl ?? null,
      metadata: body.metadata ?? {},
    };
    state.checkoutLinks.put({ id, reference: body.reference, link, createdAtMs });
    return link;
  },
};

/** The refusal for a payment that does not exist. */
export function paymentNotFound(what: string): SandboxError {
  return new SandboxError(
    'payment_not_found',
    `No payment has the ${what}; check it, and initiate the payment first.`,
  );
}

type Initiation = v.InferOutput<typeof PaymentInitiationRequest>;

function initiatedPayment(body: Initiation, world: SandboxWorld): SandboxPayment {
  const { settings, mint } = world;
  if ((body.expiresIn ?? 0) > maxSeconds) {
    throw invalidParams(
      ['expiresIn'],
      `Correct the request: expiresIn: must be at most ${maxSeconds} seconds.`,
    );
  }
  const customer = body.customer === undefined ? null : { id: mint.id('cus'), ...body.customer };
  return newPayment(world, {
    reference: body.reference,
    paymentMethod: body.paymentMethod,
    paymentChannel: 'api',
    account: {
      number: mint.accountNumber(),
      name: [settings.businessName, ...(customer ? [customer.name] : [])].join(' / '),
      bankName: settings.bank.name,
    },
    expectedAmount: body.amount.value,
    currency: body.amount.currency,
    customer,
    callbackUrl: body.callbackUrl ?? null,
    metadata: { ...body.metadata },
    expiresInSeconds: body.expiresIn,
  });
}

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
