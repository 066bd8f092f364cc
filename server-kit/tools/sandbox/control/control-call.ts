import type * as v from 'valibot';
import type { SandboxWorld } from '../world/world.ts';

type ControlFunction = (...args: never[]) => unknown;

/**
 * One control call: a function in process, and over HTTP a row of `controlRoutes`. Over HTTP, the path parameter and then the
 * body are the arguments, and an array becomes `{ data }`. Requests are not signed; errors have the service's envelope.
 */
export type ControlCall<Call extends ControlFunction = ControlFunction> = {
  /** Schema of the body; `run` checks the body against it. `NoInput` means that `run` takes no argument. */
  request?: v.GenericSchema;
  run: (world: SandboxWorld, ...args: Parameters<Call>) => ReturnType<Call>;
};

/** A control call for each function of `Control`. */
export type ControlCallsOf<Control extends Record<keyof Control, ControlFunction>> = {
  readonly [Name in keyof Control]: ControlCall<Control[Name]>;
};
