import { applyFixtures } from './apply-fixtures.ts';
import { createControl, type SandboxControl } from './calls/registry.ts';
import { respond } from './http/respond.ts';
import { toResponse } from './http/responses.ts';
import { readFixtures } from './settings/fixtures.ts';
import { readOptions, type SandboxOptions } from './settings/options.ts';
import { startBackground } from './world/background.ts';
import { createWorld } from './world/create-world.ts';

export { sandboxCredentials } from '../../engine/published-keys.ts';
export type { DeliverySwitch } from './callbacks/attempts.ts';
export type { ControlCallback, ControlCallbackAttempt } from './calls/callbacks.ts';
export type { ClockReading } from './calls/clock.ts';
export { type FaultInput, faultOperations } from './calls/faults.ts';
export type { SandboxControl } from './calls/registry.ts';
export type { TransferResult } from './calls/transfers.ts';
export { SandboxError, type SandboxErrorCode } from './errors.ts';
export type { SignatureDiagnosis } from './http/diagnosis.ts';
export type { LoggedRequest } from './http/request-log.ts';
export {
  accountRequestTransitions,
  type DedicatedAccountSeed,
  dedicatedAccountTransitions,
} from './records/dedicated-account.ts';
export { type InvoiceSeed, invoiceTransitions } from './records/invoice.ts';
export { type ControlTransfer, paymentTransitions } from './records/payment.ts';
export type { ControlPayment } from './records/payment-views.ts';
export { type PayoutSeed, payoutConfirmationTransitions, payoutTransitions } from './records/payout.ts';
export { type Fixtures, readFixtures } from './settings/fixtures.ts';
export type { SandboxOptions } from './settings/options.ts';
export type { Storage, StoredRecord } from './state/storage.ts';

/** The payments service, in this process. */
export type Sandbox = {
  /**
   * Responds to one request under any host name. Pass it to `createPaymentsClient` as `fetch`, or serve it with
   * `createSandboxListener`, which checks the host name. Every refusal is a response with the error envelope. It rejects only where `fetch` itself does: without an absolute URL, after the signal has aborted,
   * or when a fault cuts the connection.
   */
  fetch: (input: Request | string | URL, init?: RequestInit) => Promise<Response>;
  /** The control calls as functions, for tests in the same process. */
  control: SandboxControl;
  /**
   * Resolves when every due callback has been sent and all changes are stored. A test awaits it before it checks its
   * receiver. Rejects when the storage fails.
   */
  settled: () => Promise<void>;
  /**
   * Stops sending callbacks, aborts those in progress and clears the timer. Unsent callbacks stay planned for the next
   * sandbox on the same storage. Resolves when all changes are stored; rejects when the storage fails.
   */
  close: () => Promise<void>;
  /** The sandbox's clock, in milliseconds since the epoch. */
  now: () => number;
  /** The prefix of all paths; empty for none. */
  basePath: string;
  /** The address that shoppers' browsers reach, without `basePath`. */
  publicUrl: string;
};

/**
 * Creates a sandbox with its own records and clock. A payment's status is computed from its records and the time. One
 * timer waits for the next callback; it does not keep the process alive.
 *
 * @throws {CheckoutError} `invalid_options`, naming each
 */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  const world = createWorld(readOptions(options));
  const control = createControl(world);
  const { storage, fixtures } = world.settings;
  const checked = readFixtures(fixtures);
  if (storage === undefined || storage.entries.length === 0) applyFixtures(checked, world);
  const { wake, settled, close } = startBackground(world);
  return {
    control,
    settled,
    close,
    now: world.clock.now,
    basePath: world.settings.basePath,
    publicUrl: world.settings.publicUrl,
    async fetch(input, init) {
      const request = input instanceof Request && init === undefined ? input : new Request(input, init);
      request.signal.throwIfAborted();
      const response = await respond(request, world).finally(wake);
      if (response.status === null) throw response.reason;
      return toResponse(response, request.method, world.clock.now());
    },
  };
}
