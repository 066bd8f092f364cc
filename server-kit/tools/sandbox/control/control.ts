import type { SandboxWorld } from '../world/world.ts';
import { type AppsControl, appCalls } from './apps.ts';
import { type CallbacksControl, callbackCalls } from './callbacks.ts';
import { type CheckoutLinksControl, checkoutLinkCalls } from './checkout-links.ts';
import { type ClockControl, clockCalls } from './clock.ts';
import type { ControlCall, ControlCallsOf } from './control-call.ts';
import { type DedicatedAccountsControl, dedicatedAccountCalls } from './dedicated-accounts.ts';
import { type FaultsControl, faultCalls } from './faults.ts';
import { type InvoicesControl, invoiceCalls } from './invoices.ts';
import { type PaymentsControl, paymentCalls } from './payments.ts';
import { type PayoutsControl, payoutCalls } from './payouts.ts';
import { type RequestLogControl, requestLogCalls } from './request-log.ts';
import { type TaxRatesControl, taxRateCalls } from './tax-rates.ts';
import { type TransfersControl, transferCalls } from './transfers.ts';

/**
 * Controls the sandbox from a test in the same process. The control calls over HTTP run the same functions. Each function
 * validates its input and throws a `SandboxError` with the code that HTTP would return.
 */
export type SandboxControl = PaymentsControl &
  CheckoutLinksControl &
  TransfersControl &
  DedicatedAccountsControl &
  PayoutsControl &
  InvoicesControl &
  TaxRatesControl &
  AppsControl &
  ClockControl &
  CallbacksControl &
  FaultsControl &
  RequestLogControl;

/** Every control call, by the name of its function. */
export const controlCalls: ControlCallsOf<SandboxControl> = {
  ...paymentCalls,
  ...checkoutLinkCalls,
  ...transferCalls,
  ...dedicatedAccountCalls,
  ...payoutCalls,
  ...invoiceCalls,
  ...taxRateCalls,
  ...appCalls,
  ...clockCalls,
  ...callbackCalls,
  ...faultCalls,
  ...requestLogCalls,
};

export function createControl(world: SandboxWorld): SandboxControl {
  const functions = (Object.entries(controlCalls) as [string, ControlCall][]).map(([name, { run }]) => [
    name,
    (...args: never[]) => run(world, ...args),
  ]);
  return Object.fromEntries(functions) as SandboxControl;
}
