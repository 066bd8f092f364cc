import type { SandboxWorld } from '../world/world.ts';
import { type AppsControl, appCalls, createAppsControl } from './apps.ts';
import { type CallbacksControl, callbackCalls, createCallbacksControl } from './callbacks.ts';
import {
  type CheckoutLinksControl,
  checkoutLinkCalls,
  createCheckoutLinksControl,
} from './checkout-links.ts';
import { type ClockControl, clockCalls, createClockControl } from './clock.ts';
import type { ControlCall } from './control-call.ts';
import {
  createDedicatedAccountsControl,
  type DedicatedAccountsControl,
  dedicatedAccountCalls,
} from './dedicated-accounts.ts';
import { createFaultsControl, type FaultsControl, faultCalls } from './faults.ts';
import { createInvoicesControl, type InvoicesControl, invoiceCalls } from './invoices.ts';
import { createPaymentsControl, type PaymentsControl, paymentCalls } from './payments.ts';
import { createPayoutsControl, type PayoutsControl, payoutCalls } from './payouts.ts';
import { createRequestLogControl, type RequestLogControl, requestLogCalls } from './request-log.ts';
import { createTaxRatesControl, type TaxRatesControl, taxRateCalls } from './tax-rates.ts';
import { createTransfersControl, type TransfersControl, transferCalls } from './transfers.ts';

/**
 * What a developer does to the sandbox from outside of the interface, in process. The control calls over HTTP are
 * these functions. All of them check their input and throw a `SandboxError`, with the code that HTTP would carry.
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

export function createControl(world: SandboxWorld): SandboxControl {
  return {
    ...createPaymentsControl(world),
    ...createCheckoutLinksControl(world),
    ...createTransfersControl(world),
    ...createDedicatedAccountsControl(world),
    ...createPayoutsControl(world),
    ...createInvoicesControl(world),
    ...createTaxRatesControl(world),
    ...createAppsControl(world),
    ...createClockControl(world),
    ...createCallbacksControl(world),
    ...createFaultsControl(world),
    ...createRequestLogControl(world),
  };
}

/** Every control call: one row for each function of `SandboxControl`. */
export const controlCalls = {
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
} as const satisfies Record<keyof SandboxControl, ControlCall<SandboxControl>>;
