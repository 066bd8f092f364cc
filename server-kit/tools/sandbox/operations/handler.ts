import type * as v from 'valibot';
import type { Endpoint, endpoints, Operation, ResponseOf } from '../../../client/api/endpoints.ts';
import type { ParameterOf } from '../input/path-template.ts';
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
