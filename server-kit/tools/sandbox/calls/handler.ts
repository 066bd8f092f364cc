import type * as v from 'valibot';
import type { Endpoint } from '../../../core/endpoints.ts';
import type { endpoints, Operation, ResponseOfOperation } from '../../../service/endpoints.ts';
import { invalidParams } from '../errors.ts';
import type { SandboxWorld } from '../world/create-world.ts';

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
) => ResponseOfOperation<Op>;

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

/** The page size of a request without `limit`. */
const defaultLimit = 20;

type Listed = { id: string; createdAt: string };
type ListQuery = { limit?: number | undefined; cursor?: string | undefined; createdAt?: Bounds | undefined };
/** In UNIX seconds. */
type Bounds = { [Bound in 'gte' | 'lte' | 'gt' | 'lt']?: number | undefined };

/**
 * Returns one page of a list, newest first (interface, section 2.11). A page continues after the last record of the page before, so that
 * added or changed records neither repeat nor hide another one. Throws 422 `validation_failed` for a cursor of another list.
 */
export function listPage<T extends Listed>(
  { settings }: Pick<SandboxWorld, 'settings'>,
  records: readonly T[],
  query: ListQuery,
  isListed: (record: T) => boolean,
): { hasMore: boolean; cursor: string; data: T[] } {
  const { limit = defaultLimit, cursor, createdAt = {} } = query;
  const sorted = records.toSorted((left, right) => Date.parse(right.createdAt) - Date.parse(left.createdAt));
  const start = cursor === undefined ? 0 : sorted.findIndex(({ id }) => toCursor(id) === cursor) + 1;
  const { cursor: name } = settings.dialect.listParameters;
  if (cursor !== undefined && start === 0) {
    throw invalidParams([name], `Correct the request: ${name}: must be the cursor of a page of this list.`);
  }
  const rest = sorted.slice(start).filter((record) => isWithin(record, createdAt) && isListed(record));
  const data = rest.slice(0, limit);
  const last = data.at(-1);
  return { hasMore: rest.length > data.length, cursor: last ? toCursor(last.id) : '', data };
}

/** Opaque, so that clients do not build one. Escaped first, because `btoa` accepts only bytes. */
const toCursor = (id: string): string => btoa(encodeURIComponent(id));

function isWithin(
  { createdAt }: Listed,
  { gte = 0, lte = Infinity, gt = 0, lt = Infinity }: Bounds,
): boolean {
  const seconds = Date.parse(createdAt) / 1000;
  return seconds >= gte && seconds <= lte && seconds > gt && seconds < lt;
}

/** Whether a value passes a filter; an absent filter passes every value. */
export const isOneOf = <Word>(wanted: Word | readonly Word[] | undefined, word: Word): boolean =>
  wanted === undefined || [wanted].flat().includes(word);
