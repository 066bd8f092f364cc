import * as v from 'valibot';
import type { ErrorType } from '../../api/error-envelope.ts';
import { describeIssues, isUnknownKey } from '../../issues.ts';

export type SandboxErrorDetails = {
  /** The HTTP status that carries it. */
  status: number;
  type: ErrorType;
  /** One of the codes that the sandbox documents, such as `reference_exists`. */
  code: string;
  /** The parameters at fault, as dotted paths. */
  params?: readonly string[];
  /** Further headers of the answer. */
  headers?: Readonly<Record<string, string>>;
};

/** A refusal of the sandbox: over HTTP the error envelope (interface, section 7), in process thrown as it is. */
export class SandboxError extends Error {
  override readonly name = 'SandboxError';
  readonly status: number;
  readonly type: ErrorType;
  readonly code: string;
  readonly params: readonly string[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(message: string, details: SandboxErrorDetails) {
    super(message);
    this.status = details.status;
    this.type = details.type;
    this.code = details.code;
    this.params = details.params ?? [];
    this.headers = details.headers ?? {};
  }
}

/** A request that names nothing the sandbox knows: 404. */
export function notFound(code: string, message: string): SandboxError {
  return new SandboxError(message, { status: 404, type: 'invalid_request_error', code });
}

/** A request that the state of a record does not allow: 409. */
export function conflict(code: string, message: string, params: readonly string[] = []): SandboxError {
  return new SandboxError(message, { status: 409, type: 'invalid_request_error', code, params });
}

/** An `id` or a `reference` that another record has: 409 `id_exists` or `reference_exists`. */
export function alreadyExists(param: 'id' | 'reference', message: string): SandboxError {
  const code = `${param}_exists`;
  return new SandboxError(message, { status: 409, type: 'idempotency_error', code, params: [param] });
}

/** A request whose parameters are at fault: 422 `validation_failed`. */
export function invalidParams(params: readonly string[], message: string): SandboxError {
  const details = { status: 422, type: 'invalid_request_error', code: 'validation_failed' } as const;
  return new SandboxError(message, { ...details, params: [...new Set(params)] });
}

/**
 * What `schema` makes of `input`.
 *
 * @param isLenient whether keys that the schema does not have are passed over
 * @throws {SandboxError} 422 `validation_failed`, with the dotted path of every parameter at fault
 */
export function parseInput<Schema extends v.GenericSchema>(
  schema: Schema,
  input: unknown,
  isLenient = false,
): v.InferOutput<Schema> {
  const result = v.safeParse(schema, input);
  if (result.success) return result.output;
  const unknownKeys = isLenient ? result.issues.filter(isUnknownKey) : [];
  if (unknownKeys.length > 0) {
    const known = unknownKeys.reduce(
      (rest, { path = [] }) =>
        without(
          rest,
          path.map(({ key }) => key),
        ),
      input,
    );
    return parseInput(schema, known, isLenient);
  }
  const { params, text } = describeIssues(result.issues, 'body');
  const named = params.filter((param) => param !== 'body');
  throw invalidParams(named, `Correct the request: ${text}.`);
}

/** A copy without what stands at a path. */
function without(value: unknown, [key, ...rest]: readonly unknown[]): unknown {
  if (Array.isArray(value)) return value.map((item, index) => (index === key ? without(item, rest) : item));
  const entries = Object.entries(value as object);
  if (rest.length === 0) return Object.fromEntries(entries.filter(([name]) => name !== key));
  return Object.fromEntries(entries.map(([name, item]) => [name, name === key ? without(item, rest) : item]));
}
