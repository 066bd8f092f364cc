import * as v from 'valibot';
import { exactObject, NonEmptyText, oneOf } from '../../api/fields.ts';
import { toIso } from '../clock/iso.ts';
import { invalidParams } from '../errors/sandbox-error.ts';
import { WholeNumber } from '../input/fields.ts';
import { parseInput } from '../input/parse-input.ts';
import { findInvoice } from '../operations/invoices.ts';
import {
  cancelInvoice,
  checkInvoiceTransition,
  InvoiceSeed,
  keepInvoice,
  newInvoice,
  payInvoice,
  type SandboxInvoice,
} from '../records/invoice.ts';
import type { SandboxWorld } from '../world/world.ts';
import { type ControlCall, controlCallsOf } from './control-call.ts';

/** `paid` pays what remains. An invoice becomes `partially_paid` by paying a part. */
export const InvoiceUpdateInput = exactObject({
  status: oneOf(['open', 'paid', 'cancelled']),
  /** Only together with `cancelled`. */
  cancellationReason: v.optional(NonEmptyText),
});
export type InvoiceUpdateInput = v.InferInput<typeof InvoiceUpdateInput>;

/** `amount` in minor units, whatever the dialect says. */
export const InvoicePaymentInput = exactObject({ amount: WholeNumber });
export type InvoicePaymentInput = v.InferInput<typeof InvoicePaymentInput>;

export type InvoicesControl = {
  /** Every invoice, newest first. */
  listInvoices: () => readonly SandboxInvoice[];
  /**
   * Makes an invoice, `open` unless the seed says otherwise. No endpoint does.
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
   * Pays some of an invoice, all of it, or more.
   *
   * Refuses with `invoice_not_found`, `invoice_not_payable`, `partial_payment_refused`, `validation_failed`.
   */
  payInvoice: (id: string, input: InvoicePaymentInput) => SandboxInvoice;
};

export function createInvoicesControl(world: SandboxWorld): InvoicesControl {
  const { invoices } = world.state;
  return {
    listInvoices: () => invoices.list(),
    createInvoice: (input) => invoices.put(newInvoice(world, input)),
    updateInvoice: (id, input) => updateInvoice(world, id, input),
    payInvoice(id, input) {
      const { amount } = parseInput(InvoicePaymentInput, input);
      return keepInvoice(world, payInvoice(findInvoice(world, id), amount, toIso(world.clock.now())));
    },
  };
}

const call = controlCallsOf<InvoicesControl>();

export const invoiceCalls = {
  listInvoices: call({
    method: 'GET',
    path: '/_sandbox/invoices',
    summary: 'All invoices, newest first: { data }',
    answer: (control) => ({ data: control.listInvoices() }),
  }),
  createInvoice: call({
    method: 'POST',
    path: '/_sandbox/invoices',
    summary: 'Makes an invoice of amountDue in minor units and any other of its fields, and answers with it',
    request: InvoiceSeed,
    answer: (control, _parameters, body) => control.createInvoice(body),
  }),
  updateInvoice: call({
    method: 'POST',
    path: '/_sandbox/invoices/{id}',
    summary: 'Opens, pays or cancels an invoice, and answers with it',
    request: InvoiceUpdateInput,
    answer: (control, { id }, body) => control.updateInvoice(id, body),
  }),
  payInvoice: call({
    method: 'POST',
    path: '/_sandbox/invoices/{id}/payments',
    summary: 'Pays an amount, in minor units, of an invoice, and answers with the invoice',
    request: InvoicePaymentInput,
    answer: (control, { id }, body) => control.payInvoice(id, body),
  }),
} satisfies Record<keyof InvoicesControl, ControlCall<InvoicesControl>>;

function updateInvoice(world: SandboxWorld, id: string, input: InvoiceUpdateInput): SandboxInvoice {
  const { status, cancellationReason } = parseInput(InvoiceUpdateInput, input);
  if (cancellationReason !== undefined && status !== 'cancelled') {
    throw invalidParams(
      ['cancellationReason'],
      'A reason is given together with the status "cancelled" only.',
    );
  }
  const invoice = findInvoice(world, id);
  checkInvoiceTransition(invoice.status, status);
  const at = toIso(world.clock.now());
  switch (status) {
    case 'open':
      return keepInvoice(world, { ...invoice, status });
    case 'paid':
      return keepInvoice(world, payInvoice(invoice, invoice.amountRemaining, at));
    case 'cancelled':
      return keepInvoice(world, cancelInvoice(invoice, cancellationReason, at));
  }
}
