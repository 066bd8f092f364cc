import { findOrRefuse } from '../errors/sandbox-error.ts';
import type { SandboxInvoice } from '../records/invoice.ts';
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
