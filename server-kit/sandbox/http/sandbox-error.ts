import * as v from 'valibot';
import type { ErrorType } from '../../api/error-envelope.ts';
import { describeIssues, isUnknownKey } from '../../issues.ts';
import { type SandboxErrorCode, sandboxErrors } from './error-codes.ts';

export type SandboxErrorDetails = {
  /** In place of the status and the type that belong to the code. */
  status?: number;
  type?: ErrorType;
  /** The parameters at fault, as dotted paths. */
  params?: readonly string[];
  /** Further headers of the answer. */
  headers?: Readonly<Record<string, string>>;
};

/** A refusal of the sandbox: over HTTP the error envelope (interface, section 7), in process thrown as it is. */
export class SandboxError extends Error {
  override readonly name = 'SandboxError';
  readonly code: SandboxErrorCode;
  readonly status: number;
  readonly type: ErrorType;
  readonly params: readonly string[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: SandboxErrorCode, message: string, details: SandboxErrorDetails = {}) {
    super(message);
    this.code = code;
    this.status = details.status ?? sandboxErrors[code].status;
    this.type = details.type ?? sandboxErrors[code].type;
    this.params = details.params ?? [];
    this.headers = details.headers ?? {};
  }
}

/** An `id` or a `reference` that another record has: 409 `id_exists` or `reference_exists`. */
export function alreadyExists(param: 'id' | 'reference', message: string): SandboxError {
  return new SandboxError(`${param}_exists`, message, { params: [param] });
}

/** A request whose parameters are at fault: 422 `validation_failed`. */
export function invalidParams(params: readonly string[], message: string): SandboxError {
  return new SandboxError('validation_failed', message, { params: [...new Set(params)] });
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
