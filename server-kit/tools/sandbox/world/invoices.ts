import { toIso } from '../clock/iso.ts';
import { findOrRefuse } from '../errors/sandbox-error.ts';
import { payInvoice, type SandboxInvoice } from '../records/invoice.ts';
import { addFact } from '../records/payment.ts';
import { toTransfer } from '../records/transfer.ts';
import { createPayment } from './payments.ts';
import type { SandboxWorld } from './world.ts';

/** @throws {SandboxError} 404 `invoice_not_found` */
export function findInvoice({ state }: SandboxWorld, id: string): SandboxInvoice {
  const message = `No invoice has the id "${id}"; create one with POST /_sandbox/invoices.`;
  return findOrRefuse(state.invoices.get(id), 'invoice_not_found', message);
}

/** Stores a changed invoice and sends a callback about it. */
export function putInvoice({ state, callbacks }: SandboxWorld, invoice: SandboxInvoice): SandboxInvoice {
  const { id, status, callbackUrl } = invoice;
  callbacks.notify({ record: 'invoice', id, status, callbackUrl, data: invoice });
  return state.invoices.put(invoice);
}

/**
 * Pays an amount in minor units on an invoice, which becomes a payment with a callback of its own.
 *
 * @throws {SandboxError} 404 `invoice_not_found`; 409 `invoice_not_payable`, `partial_payment_refused`
 */
export function payIntoInvoice(world: SandboxWorld, id: string, amount: number): SandboxInvoice {
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
