import type * as v from 'valibot';
import { convertAmounts, toWireAmount } from '../api/amount-unit.ts';
import type { Dialect } from '../api/dialect.ts';
import { type Endpoint, endpoints, type Operation, type QueryOf, type RequestOf } from '../api/endpoints.ts';
import { Identifier, isPlainObject } from '../api/fields.ts';
import { toSearchParams } from '../api/list-query.ts';
import { parseOrThrow } from '../errors/describe-issues.ts';
import { InvalidRequestError } from '../errors/payments-error.ts';
import { canonicalJson } from '../signing/canonical-json.ts';

/** The input of one call. */
export type CallInput<Op extends Operation> = {
  /** The values of the path's placeholders. */
  path?: Readonly<Record<string, string>>;
  query?: QueryOf<Op> | undefined;
  body?: RequestOf<Op> | undefined;
};

/** A validated request, the same for each attempt. */
export type PreparedRequest = {
  operation: Operation;
  method: Endpoint['method'];
  auth: Endpoint['auth'];
  /** The path from `/v1` on, which is signed. */
  path: string;
  /** The query with its `?`, or an empty text. It is not signed. */
  search: string;
  bodyText: string | undefined;
  /** Whether the service recognises a repeated request by its reference. */
  hasReference: boolean;
  maxResponseBytes: number;
};

/**
 * Validates a request against the interface and serialises it.
 *
 * @throws {InvalidRequestError} `invalid_request`; `params` has the parameters at fault
 */
export function prepareRequest<Op extends Operation>(
  operation: Op,
  { path = {}, query, body }: CallInput<Op>,
  dialect: Readonly<Dialect>,
): PreparedRequest {
  const endpoint: Endpoint = endpoints[operation];
  const { method, auth, maxResponseBytes } = endpoint;
  return {
    operation,
    method,
    auth,
    path: fillPath(operation, endpoint.path, path),
    search: writeQuery(operation, endpoint, query, dialect),
    bodyText: writeBody(operation, endpoint, body, dialect),
    hasReference: endpoint.hasReference ?? false,
    maxResponseBytes,
  };
}

const refusal = (operation: Operation, message: string, params: readonly string[], cause?: unknown) =>
  new InvalidRequestError('invalid_request', `${operation} was not sent: ${message}`, {
    operation,
    params,
    cause,
  });

/** @param whole the name of the value itself, for issues without a path */
function checkObject(operation: Operation, schema: v.GenericSchema, value: unknown, whole: string): unknown {
  // A Map or URLSearchParams would pass as an object without fields.
  if (value !== undefined && !isPlainObject(value)) {
    throw refusal(operation, `${whole}: must be a plain object.`, [whole]);
  }
  return check(operation, schema, value, whole);
}

function check(operation: Operation, schema: v.GenericSchema, value: unknown, whole: string): unknown {
  return parseOrThrow(schema, value, whole, (text, params) =>
    refusal(operation, `${text}.`, params.length > 0 ? params : [whole]),
  );
}

function writeQuery(
  operation: Operation,
  endpoint: Endpoint,
  query: unknown,
  { listParameters }: Readonly<Dialect>,
): string {
  if (endpoint.query === undefined) return '';
  const checked = checkObject(operation, endpoint.query, query ?? {}, 'query');
  const search = toSearchParams(checked as Record<string, unknown>, listParameters).toString();
  return search === '' ? '' : `?${search}`;
}

function writeBody(
  operation: Operation,
  endpoint: Endpoint,
  body: unknown,
  { amountUnit }: Readonly<Dialect>,
): string | undefined {
  if (endpoint.request === undefined) return undefined;
  const checked = checkObject(operation, endpoint.request, body, 'body');
  const { request: amounts } = endpoint.amounts;
  const onWire = orRefuse(operation, amounts, () =>
    convertAmounts(checked, amounts, (amount) => toWireAmount(amount, amountUnit)),
  );
  return orRefuse(operation, ['body'], () => canonicalJson(onWire));
}

function orRefuse<Result>(operation: Operation, params: readonly string[], make: () => Result): Result {
  try {
    return make();
  } catch (cause) {
    // The caller's `toJSON` may throw anything.
    throw refusal(operation, cause instanceof Error ? cause.message : String(cause), params, cause);
  }
}

function fillPath(operation: Operation, template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (_placeholder, name: string) => {
    return encodeURIComponent(check(operation, Identifier, values[name], name) as string);
  });
}
