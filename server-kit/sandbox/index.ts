import { applyFixtures } from './apply-fixtures.ts';
import { createControl, type SandboxControl } from './control/control.ts';
import { respond } from './http/respond.ts';
import { toResponse } from './http/responses.ts';
import { readFixtures } from './settings/fixtures.ts';
import { readOptions, type SandboxOptions } from './settings/options.ts';
import { startBackground } from './world/background.ts';
import { createWorld } from './world/world.ts';

export type { AttemptReason, CallbackState } from './callbacks/callback.ts';
export type { DeliverySwitch } from './callbacks/delivery-switch.ts';
export type { NotifiedRecord } from './callbacks/notified-records.ts';
export type {
  CallbackDeliveryInput,
  ControlCallback,
  ControlCallbackAttempt,
} from './control/callbacks.ts';
export type { ControlCheckoutLink } from './control/checkout-links.ts';
export type { ClockInput, ClockReading } from './control/clock.ts';
export type { SandboxControl } from './control/control.ts';
export type {
  ControlDedicatedAccount,
  DedicatedAccountUpdateInput,
} from './control/dedicated-accounts.ts';
export { type FaultInput, faultOperations } from './control/faults.ts';
export type { InvoicePaymentInput, InvoiceUpdateInput } from './control/invoices.ts';
export type { PaymentUpdateInput } from './control/payments.ts';
export type { PayoutUpdateInput } from './control/payouts.ts';
export type { TransferInput } from './control/transfers.ts';
export type { SandboxErrorCode } from './errors/error-codes.ts';
export { SandboxError } from './errors/sandbox-error.ts';
export { isValidAccountNumber, mintAccountNumber } from './identifiers/account-number.ts';
export { accountRequestTransitions } from './records/account-request.ts';
export type { SandboxApp } from './records/app.ts';
export {
  type DedicatedAccountSeed,
  dedicatedAccountTransitions,
  type SandboxDedicatedAccount,
} from './records/dedicated-account.ts';
export type { Fault, FaultKind } from './records/fault.ts';
export { type InvoiceSeed, invoiceTransitions, type SandboxInvoice } from './records/invoice.ts';
export { paymentTransitions } from './records/payment.ts';
export type { ControlPayment } from './records/payment-views.ts';
export {
  type PayoutSeed,
  payoutConfirmationTransitions,
  payoutTransitions,
  type SandboxPayout,
} from './records/payout.ts';
export type { SandboxTaxRate, TaxRateSeed } from './records/tax-rate.ts';
export type { ControlTransfer } from './records/transfer.ts';
export type { SignatureDiagnosis } from './request-log/diagnosis.ts';
export type { LoggedRequest } from './request-log/request-log.ts';
export { sandboxCredentials } from './settings/credentials.ts';
export { type Fixtures, readFixtures } from './settings/fixtures.ts';
export type { SandboxOptions } from './settings/options.ts';
export type { JournalEntry, Storage } from './storage/storage.ts';
export type { TransferResult } from './world/receive-transfer.ts';

/** The payments service, whole, in this process. */
export type Sandbox = {
  /**
   * Answers one request. Give it to `createPaymentsClient` as `fetch`, or serve it. Every refusal is an answer with
   * the error envelope; only what `fetch` itself rejects (no absolute URL, an aborted signal, a connection that a fault
   * cuts) is thrown.
   */
  fetch: (input: Request | string | URL, init?: RequestInit) => Promise<Response>;
  /** What the control calls do, for tests in the same process. */
  control: SandboxControl;
  /**
   * Resolves when every callback that is due has been sent, and everything is kept: what a test waits for before it
   * looks at what its receiver got. Rejects where the storage cannot keep it.
   */
  settled: () => Promise<void>;
  /**
   * Sends no more callbacks, breaks off those under way, and leaves no timer. What was not sent is still planned, for
   * another sandbox on the same storage. Resolves when everything is kept; rejects where the storage cannot keep it.
   */
  close: () => Promise<void>;
  /** The sandbox's clock, in milliseconds since the epoch. */
  now: () => number;
  /** The prefix of all its paths, or an empty text. */
  basePath: string;
};

/**
 * Makes a sandbox with its own records and its own clock. Nothing in it ticks: what a payment is follows from its
 * records and the time. One timer, which keeps no process alive, waits for the next callback.
 *
 * @throws {TypeError} for wrong options
 */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  const world = createWorld(readOptions(options));
  const control = createControl(world);
  const { storage, fixtures } = world.settings;
  const checked = readFixtures(fixtures);
  if (storage === undefined || storage.entries.length === 0) applyFixtures(checked, control, world);
  const { wake, settled, close } = startBackground(world);
  return {
    control,
    settled,
    close,
    now: world.clock.now,
    basePath: world.settings.basePath,
    async fetch(input, init) {
      const request = input instanceof Request && init === undefined ? input : new Request(input, init);
      request.signal.throwIfAborted();
      const response = await respond(request, world).finally(wake);
      if (response.status === null) throw response.reason;
      return toResponse(response, request.method, world.clock.now());
    },
  };
}
