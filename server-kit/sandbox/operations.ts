import type * as v from 'valibot';
import type { CheckoutLink } from '../api/checkout-link.ts';
import type { Endpoint, endpoints, Operation, ResponseOf } from '../api/endpoints.ts';
import type { PaymentInitiationRequest } from '../api/payment.ts';
import type { SandboxClock } from './clock.ts';
import { maxSeconds, type SandboxSettings } from './options.ts';
import { toInitiation, toIso, toPayment } from './payment-views.ts';
import type { ParameterOf } from './router.ts';
import { invalidParams, notFound, SandboxError } from './sandbox-error.ts';
import type { SandboxPayment } from './sandbox-payment.ts';
import type { Mint, SandboxState } from './state.ts';

/** What every operation of the sandbox works with. */
export type SandboxWorld = {
  settings: SandboxSettings;
  clock: SandboxClock;
  state: SandboxState;
  mint: Mint;
};

type BodyOf<Row extends Endpoint> = Row extends { request: infer Schema extends v.GenericSchema }
  ? v.InferOutput<Schema>
  : undefined;

/** Answers one endpoint. Body and answer are checked and in minor units; a refusal is thrown as a `SandboxError`. */
export type Handler<Op extends Operation> = (
  input: {
    parameters: Record<ParameterOf<(typeof endpoints)[Op]['path']>, string>;
    body: BodyOf<(typeof endpoints)[Op]>;
  },
  world: SandboxWorld,
) => ResponseOf<Op>;

/** One handler for each row of the table of endpoints. */
export const operations: { readonly [Op in Operation]: Handler<Op> } = {
  'payments.initiate': ({ body }, world) => {
    refuseKnownReference(body.reference, world);
    const record = newPayment(body, world);
    world.state.addPayment(record);
    return toInitiation(record);
  },

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
    state.addCheckoutLink({ link, createdAtMs });
    return link;
  },

  'payments.retrieve': ({ parameters: { id } }, { state, clock }) => {
    const record = state.paymentById(id);
    if (record === undefined) throw paymentNotFound(`id "${id}"`);
    return toPayment(record, clock.now());
  },

  'payments.verify': ({ parameters: { reference } }, { state, clock }) => {
    const record = state.paymentByReference(reference);
    if (record !== undefined) return toPayment(record, clock.now());
    if (state.checkoutLinkByReference(reference) === undefined) {
      throw paymentNotFound(`reference "${reference}"`);
    }
    throw notFound('payment_not_found', `Nobody has opened the checkout link "${reference}" yet; ask later.`);
  },
};

/** The refusal for a payment that does not exist. */
export function paymentNotFound(what: string): SandboxError {
  return notFound(
    'payment_not_found',
    `No payment has the ${what}; check it, and initiate the payment first.`,
  );
}

function newPayment(body: PaymentInitiationRequest, { settings, clock, mint }: SandboxWorld): SandboxPayment {
  const createdAtMs = clock.now();
  const expiresInSeconds = body.expiresIn ?? settings.defaultExpiresInSeconds;
  if (expiresInSeconds > maxSeconds) {
    throw invalidParams(
      ['expiresIn'],
      `Correct the request: expiresIn: must be at most ${maxSeconds} seconds.`,
    );
  }
  const customer = body.customer === undefined ? null : { id: mint.id('cus'), ...body.customer };
  return {
    id: mint.id('pay'),
    reference: body.reference,
    accessToken: `tok_${mint.token(32)}`,
    account: {
      number: mint.accountNumber(),
      name: [settings.businessName, ...(customer ? [customer.name] : [])].join(' / '),
      bankName: settings.bank.name,
    },
    expectedAmount: body.amount.value,
    currency: body.amount.currency,
    customer,
    callbackUrl: body.callbackUrl ?? null,
    metadata: body.metadata ?? {},
    createdAtMs,
    expiresAtMs: createdAtMs + expiresInSeconds * 1000,
    confirmationMs: settings.confirmationSeconds * 1000,
    facts: [],
  };
}

function refuseKnownReference(reference: string, { state }: SandboxWorld): void {
  const isKnown =
    state.paymentByReference(reference) !== undefined ||
    state.checkoutLinkByReference(reference) !== undefined;
  if (!isKnown) return;
  const message = `The reference "${reference}" was used before; verify that payment, or use another reference.`;
  throw new SandboxError(message, {
    status: 409,
    type: 'idempotency_error',
    code: 'reference_exists',
    params: ['reference'],
  });
}
