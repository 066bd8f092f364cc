import * as v from 'valibot';
import { convertAmounts, toWireAmount } from './api/amount-unit.ts';
import { type Endpoint, endpoints, type Operation, type QueryOf, type RequestOf } from './api/endpoints.ts';
import { toSearchParams } from './api/list-query.ts';
import { canonicalJson } from './canonical-json.ts';
import type { Dialect } from './dialect.ts';
import { InvalidRequestError } from './errors.ts';
import { describeIssues } from './issues.ts';

/** What a caller gives for one call of an endpoint. */
export type CallInput<Op extends Operation> = {
  /** The values of the path's placeholders. */
  path?: Readonly<Record<string, string>>;
  query?: QueryOf<Op> | undefined;
  body?: RequestOf<Op> | undefined;
};

/** A request that has passed every check, the same for each attempt. */
export type PreparedRequest = {
  operation: Operation;
  method: Endpoint['method'];
  auth: Endpoint['auth'];
  /** The path from `/v1` on: what is signed. */
  path: string;
  /** The query with its `?`, or nothing. It is not signed. */
  search: string;
  bodyText: string | undefined;
  /** Whether the service knows a second one by its reference. */
  hasReference: boolean;
};

/**
 * Checks a request against the interface, and writes it down.
 *
 * @throws {InvalidRequestError} `invalid_request`; `params` names each parameter at fault
 */
export function prepareRequest<Op extends Operation>(
  operation: Op,
  { path = {}, query, body }: CallInput<Op>,
  dialect: Readonly<Dialect>,
): PreparedRequest {
  const endpoint: Endpoint = endpoints[operation];
  const { method, auth } = endpoint;
  return {
    operation,
    method,
    auth,
    path: fillPath(operation, endpoint.path, path),
    search: writeQuery(operation, endpoint, query, dialect),
    bodyText: writeBody(operation, endpoint, body, dialect),
    hasReference: endpoint.hasReference ?? false,
  };
}

const refusal = (operation: Operation, message: string, params: readonly string[], cause?: unknown) =>
  new InvalidRequestError('invalid_request', `${operation} was not sent: ${message}`, {
    operation,
    params,
    cause,
  });

function check(operation: Operation, schema: v.GenericSchema, value: unknown, whole: string): unknown {
  const result = v.safeParse(schema, value);
  if (result.success) return result.output;
  const { params, text } = describeIssues(result.issues, whole);
  throw refusal(operation, `${text}.`, params);
}

function writeQuery(
  operation: Operation,
  endpoint: Endpoint,
  query: unknown,
  { listParameters }: Readonly<Dialect>,
): string {
  if (endpoint.query === undefined) return '';
  const checked = check(operation, endpoint.query, query ?? {}, 'query');
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
  const checked = check(operation, endpoint.request, body, 'body');
  const onWire = convertAmounts(checked, endpoint.amounts.request, (amount) =>
    toWireAmount(amount, amountUnit),
  );
  try {
    return canonicalJson(onWire);
  } catch (cause) {
    throw refusal(operation, (cause as Error).message, ['body'], cause);
  }
}

function fillPath(operation: Operation, template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (_placeholder, name: string) => {
    const value = values[name];
    // A URL parser would take "." and ".." for steps in the path, and sign another one than it sends.
    if (typeof value !== 'string' || value === '' || value === '.' || value === '..') {
      throw refusal(operation, `${name} must be a text, and not empty, "." or "..".`, [name]);
    }
    try {
      return encodeURIComponent(value);
    } catch (cause) {
      throw refusal(operation, `${name} is not well-formed text.`, [name], cause);
    }
  });
}
