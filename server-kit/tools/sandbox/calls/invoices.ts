import * as v from 'valibot';
import { NonEmptyText, oneOf } from '../../../core/fields.ts';
import { findOrRefuse, invalidParams, SandboxError } from '../errors.ts';
import { parseInput, WholeNumber } from '../input/fields.ts';
import {
  cancelInvoice,
  createInvoice,
  InvoiceSeed,
  invoiceTransitions,
  payInvoice,
  type SandboxInvoice,
} from '../records/invoice.ts';
import { addFact, toTransfer } from '../records/payment.ts';
import { checkTransition } from '../records/transitions.ts';
import { toIso } from '../state/clock.ts';
import { addReferenced } from '../state/collection.ts';
import type { SandboxWorld } from '../world/create-world.ts';
import { createPayment } from '../world/payments.ts';
import type { ControlCalls, HandlersOf } from './handler.ts';

export const invoiceOperations: HandlersOf<'invoices'> = {
  /** Refuses a second call, so that the first reason and time stay. */
  'invoices.cancel': ({ parameters: { id }, body }, world) => {
    const invoice = findInvoice(world, id);
    if (!invoiceTransitions[invoice.status].includes('cancelled')) {
      const message = `The invoice is ${invoice.status}; only one that is neither paid nor cancelled can be cancelled.`;
      throw new SandboxError('invoice_not_cancellable', message);
    }
    const at = toIso(world.clock.now());
    return putInvoice(world, cancelInvoice(invoice, body?.cancellationReason, at));
  },
};

/** `paid` pays the remaining amount. `payInvoice` with less makes an invoice `partially_paid`. */
const InvoiceUpdateInput = v.strictObject({
  status: oneOf(['open', 'paid', 'cancelled']),
  /** Only with the status `cancelled`. */
  cancellationReason: v.optional(NonEmptyText),
});
type InvoiceUpdateInput = v.InferInput<typeof InvoiceUpdateInput>;

/** `amount` is in minor units in every dialect. */
const InvoicePaymentInput = v.strictObject({ amount: WholeNumber });
type InvoicePaymentInput = v.InferInput<typeof InvoicePaymentInput>;

export const invoiceCalls = {
  /** Lists every invoice, newest first. */
  listInvoices: { run: ({ state }) => state.invoices.list() },
  /**
   * Creates an invoice, which no endpoint does. It is `open` unless the seed has another status. Refuses with `validation_failed`,
   * `id_exists`, `reference_exists`.
   */
  createInvoice: {
    request: InvoiceSeed,
    run({ state: { invoices }, mint, clock }, input: InvoiceSeed) {
      const parts = { mint, nowMs: clock.now(), invoiceCount: invoices.list().length };
      return addReferenced(createInvoice(input, parts), invoices);
    },
  },
  /** Moves an invoice along `invoiceTransitions`. Refuses with `invoice_not_found`, `transition_not_allowed`, `validation_failed`. */
  updateInvoice: { request: InvoiceUpdateInput, run: updateInvoice },
  /**
   * Pays part of an invoice, all of it, or more. Each call makes a payment. Refuses with `invoice_not_found`, `invoice_not_payable`,
   * `partial_payment_refused`, `validation_failed`.
   */
  payInvoice: {
    request: InvoicePaymentInput,
    run(world, id: string, input: InvoicePaymentInput) {
      return payIntoInvoice(world, id, parseInput(InvoicePaymentInput, input).amount);
    },
  },
} satisfies ControlCalls;

function updateInvoice(world: SandboxWorld, id: string, input: InvoiceUpdateInput): SandboxInvoice {
  const { status, cancellationReason } = parseInput(InvoiceUpdateInput, input);
  if (cancellationReason !== undefined && status !== 'cancelled') {
    throw invalidParams(['cancellationReason'], 'A reason is allowed only with the status "cancelled".');
  }
  const invoice = findInvoice(world, id);
  checkTransition('An invoice', invoiceTransitions, { from: invoice.status, to: status });
  const at = toIso(world.clock.now());
  switch (status) {
    case 'open':
      return putInvoice(world, { ...invoice, status });
    case 'paid':
      return payIntoInvoice(world, id, invoice.amountRemaining);
    case 'cancelled':
      return putInvoice(world, cancelInvoice(invoice, cancellationReason, at));
  }
}

/** @throws {SandboxError} 404 `invoice_not_found` */
function findInvoice({ state }: SandboxWorld, id: string): SandboxInvoice {
  const message = `No invoice has the id "${id}"; create one with POST /_sandbox/invoices.`;
  return findOrRefuse(state.invoices.get(id), 'invoice_not_found', message);
}

/** Stores a changed invoice and sends a callback about it. */
function putInvoice({ state, callbacks }: SandboxWorld, invoice: SandboxInvoice): SandboxInvoice {
  const { id, status, callbackUrl } = invoice;
  callbacks.notify({ record: 'invoice', id, status, callbackUrl, data: invoice });
  return state.invoices.put(invoice);
}

/**
 * Pays an amount in minor units on an invoice, which becomes a payment with a callback of its own. Throws 404 `invoice_not_found`; 409
 * `invoice_not_payable`, `partial_payment_refused`
 */
function payIntoInvoice(world: SandboxWorld, id: string, amount: number): SandboxInvoice {
  const { clock, mint, payments } = world;
  const invoice = findInvoice(world, id);
  const paid = payInvoice(invoice, amount, toIso(clock.now()));
  const payment = createPayment(world, {
    reference: mint.id('ref'),
    paymentMethod: 'invoice_payment_account',
    paymentChannel: 'bank_account',
    expectedAmount: amount,
    currency: invoice.currency ?? 'NGN',
    customer: null,
    callbackUrl: invoice.callbackUrl,
    acceptedAmountPolicy: 'ACCEPTED_AMOUNT_POLICY_ALLOW_PARTIAL',
    metadata: { invoiceId: invoice.id },
  });
  const transfer = toTransfer({ id: mint.id('trf'), amount }, undefined);
  payments.put(addFact(payment, { kind: 'transfer', atMs: payment.createdAtMs, transfer }));
  return putInvoice(world, paid);
}
