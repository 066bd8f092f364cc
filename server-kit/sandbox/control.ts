import { type CallbacksControl, callbackCalls, createCallbacksControl } from './callbacks/control.ts';
import { type ClockControl, clockCalls, createClockControl } from './clock/control.ts';
import type { ControlCall } from './control-call.ts';
import { createPaymentsControl, type PaymentsControl, paymentCalls } from './payments/control.ts';
import { createRequestLogControl, type RequestLogControl, requestLogCalls } from './request-log/control.ts';
import type { SandboxWorld } from './world.ts';

/**
 * What a developer does to the sandbox from outside of the interface, in process. The control calls over HTTP are
 * these functions. All of them check their input and throw a `SandboxError`, with the code that HTTP would carry.
 */
export type SandboxControl = PaymentsControl & ClockControl & CallbacksControl & RequestLogControl;

export function createControl(world: SandboxWorld): SandboxControl {
  return {
    ...createPaymentsControl(world),
    ...createClockControl(world),
    ...createCallbacksControl(world),
    ...createRequestLogControl(world),
  };
}

/** Every control call: one row for each function of `SandboxControl`. */
export const controlCalls = {
  ...paymentCalls,
  ...clockCalls,
  ...callbackCalls,
  ...requestLogCalls,
} as const satisfies Record<keyof SandboxControl, ControlCall<SandboxControl>>;
