import type * as v from 'valibot';
import type { Endpoint, endpoints, Operation, ResponseOf } from '../../../client/api/endpoints.ts';
import type { SandboxWorld } from '../world/world.ts';

type OutputOf<Row extends Endpoint, Part extends 'request' | 'query'> =
  Row extends Record<Part, infer Schema extends v.GenericSchema> ? v.InferOutput<Schema> : undefined;

type Row<Op extends Operation> = (typeof endpoints)[Op];

/** Handles one endpoint. The body is valid; amounts are in minor units. A refusal is a thrown `SandboxError`. */
export type Handler<Op extends Operation> = (
  input: {
    parameters: Record<ParameterOf<Row<Op>['path']>, string>;
    body: OutputOf<Row<Op>, 'request'>;
    query: OutputOf<Row<Op>, 'query'>;
  },
  world: SandboxWorld,
) => ResponseOf<Op>;

/** Handlers of the endpoints whose names begin with `Resource`, such as `payments`. */
export type HandlersOf<Resource extends string> = {
  readonly [Op in Operation as Op extends `${Resource}.${string}` ? Op : never]: Handler<Op>;
};

/** The names in braces of a path template. */
type ParameterOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParameterOf<Rest>
  : never;

/**
 * A control call: a function in process, and over HTTP a row of `controlRoutes`. Over HTTP, the path parameter and then the
 * body are the arguments, and an array becomes `{ data }`. Requests are not signed; errors have the service's envelope.
 */
export type ControlCall = {
  /** Schema of the body; `run` checks the body against it. `NoInput` means that `run` takes no argument. */
  request?: v.GenericSchema;
  run: (world: SandboxWorld, ...args: never[]) => unknown;
};

export type ControlCalls = Readonly<Record<string, ControlCall>>;
