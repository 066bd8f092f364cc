import type { Operation } from '../../../service/endpoints.ts';
import type { SandboxWorld } from '../world/create-world.ts';
import { appCalls, appOperations, taxRateCalls, taxRateOperations } from './apps-and-tax-rates.ts';
import { callbackCalls } from './callbacks.ts';
import { checkoutLinkCalls } from './checkout-links.ts';
import { clockCalls } from './clock.ts';
import { dedicatedAccountCalls, dedicatedAccountOperations } from './dedicated-accounts.ts';
import { faultCalls } from './faults.ts';
import type { ControlCall, ControlCalls, Handler } from './handler.ts';
import { invoiceCalls, invoiceOperations } from './invoices.ts';
import { checkoutOperations, paymentCalls, paymentOperations } from './payments.ts';
import { payoutCalls, payoutOperations } from './payouts.ts';
import { transferCalls } from './transfers.ts';

/** A handler for each endpoint. */
export const operations: { readonly [Op in Operation]: Handler<Op> } = {
  ...dedicatedAccountOperations,
  ...paymentOperations,
  ...checkoutOperations,
  ...invoiceOperations,
  ...payoutOperations,
  ...taxRateOperations,
  ...appOperations,
};

const requestLogCalls = {
  /** Lists the last 500 requests to endpoints, newest first, with a diagnosis of each refused signature. */
  listRequests: { run: ({ requestLog }) => requestLog.list() },
} satisfies ControlCalls;

/** Every control call, by the name of its function. */
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
};

/**
 * The control calls as functions, for a test in the same process. Each validates its input and throws a `SandboxError` with
 * the code that HTTP would return.
 */
export type SandboxControl = {
  readonly [Name in keyof typeof controlCalls]: (typeof controlCalls)[Name]['run'] extends (
    world: SandboxWorld,
    ...args: infer Args
  ) => infer Result
    ? (...args: Args) => Result
    : never;
};

export function createControl(world: SandboxWorld): SandboxControl {
  const functions = Object.entries<ControlCall>(controlCalls).map(([name, { run }]) => [
    name,
    (...args: never[]) => run(world, ...args),
  ]);
  return Object.fromEntries(functions) as SandboxControl;
}
