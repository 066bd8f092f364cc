import * as v from 'valibot';
import { exactObject, NonEmptyText, oneOf } from '../../../client/api/fields.ts';
import { toIso } from '../clock/iso.ts';
import { invalidParams } from '../errors/sandbox-error.ts';
import { WholeNumber } from '../input/fields.ts';
import { parseInput } from '../input/parse-input.ts';
import {
  cancelInvoice,
  checkInvoiceTransition,
  createInvoice,
  InvoiceSeed,
  type SandboxInvoice,
} from '../records/invoice.ts';
import { addReferenced } from '../storage/unique.ts';
import { findInvoice, payIntoInvoice, putInvoice } from '../world/invoices.ts';
import type { SandboxWorld } from '../world/world.ts';
import type { ControlCallsOf } from './control-call.ts';

/** `paid` pays the remaining amount. `payInvoice` with less makes an invoice `partially_paid`. */
export const InvoiceUpdateInput = exactObject({
  status: oneOf(['open', 'paid', 'cancelled']),
  /** Only with the status `cancelled`. */
  cancellationReason: v.optional(NonEmptyText),
});
export type InvoiceUpdateInput = v.InferInput<typeof InvoiceUpdateInput>;

/** `amount` is in minor units in every dialect. */
export const InvoicePaymentInput = exactObject({ amount: WholeNumber });
export type InvoicePaymentInput = v.InferInput<typeof InvoicePaymentInput>;

export type InvoicesControl = {
  /** Lists every invoice, newest first. */
  listInvoices: () => readonly SandboxInvoice[];
  /**
   * Creates an invoice, which no endpoint does. It is `open` unless the seed has another status.
   *
   * Refuses with `validation_failed`, `id_exists`, `reference_exists`.
   */
  createInvoice: (input: InvoiceSeed) => SandboxInvoice;
  /**
   * Moves an invoice along `invoiceTransitions`.
   *
   * Refuses with `invoice_not_found`, `transition_not_allowed`, `validation_failed`.
   */
  updateInvoice: (id: string, input: InvoiceUpdateInput) => SandboxInvoice;
  /**
   * Pays part of an invoice, all of it, or more. Each call makes a payment.
   *
   * Refuses with `invoice_not_found`, `invoice_not_payable`, `partial_payment_refused`, `validation_failed`.
   */
  payInvoice: (id: string, input: InvoicePaymentInput) => SandboxInvoice;
};

export const invoiceCalls: ControlCallsOf<InvoicesControl> = {
  listInvoices: { run: ({ state }) => state.invoices.list() },
  createInvoice: {
    request: InvoiceSeed,
    run({ state: { invoices }, mint, clock }, input) {
      const parts = { mint, nowMs: clock.now(), invoiceCount: invoices.size() };
      return addReferenced(createInvoice(input, parts), invoices);
    },
  },
  updateInvoice: {
    request: InvoiceUpdateInput,
    run: updateInvoice,
  },
  payInvoice: {
    request: InvoicePaymentInput,
    run(world, id, input) {
      return payIntoInvoice(world, id, parseInput(InvoicePaymentInput, input).amount);
    },
  },
};

function updateInvoice(world: SandboxWorld, id: string, input: InvoiceUpdateInput): SandboxInvoice {
  const { status, cancellationReason } = parseInput(InvoiceUpdateInput, input);
  if (cancellationReason !== undefined && status !== 'cancelled') {
    throw invalidParams(['cancellationReason'], 'A reason is allowed only with the status "cancelled".');
  }
  const invoice = findInvoice(world, id);
  checkInvoiceTransition(invoice.status, status);
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
