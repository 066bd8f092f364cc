import type { ErrorType } from './error-codes.ts';
import { type SandboxErrorCode, sandboxErrors } from './error-codes.ts';

type SandboxErrorDetails = {
  /** Replace the status and the type of the code. */
  status?: number;
  type?: ErrorType;
  /** The invalid parameters, as dotted paths. */
  params?: readonly string[];
  /** Additional headers of the response. */
  headers?: Readonly<Record<string, string>>;
};

/** A refusal of the sandbox: over HTTP the error envelope (interface, section 7), in process a thrown error. */
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

/** Creates the 409 `id_exists` or `reference_exists` for a value that another record has. */
export function alreadyExists(param: 'id' | 'reference', message: string): SandboxError {
  return new SandboxError(`${param}_exists`, message, { params: [param] });
}

/** Creates the 422 `validation_failed` for invalid parameters. */
export function invalidParams(params: readonly string[], message: string): SandboxError {
  return new SandboxError('validation_failed', message, { params: [...new Set(params)] });
}

/**
 * Returns the record that a lookup has found.
 *
 * @throws {SandboxError} 404 with the code for `undefined`
 */
export function findOrRefuse<T>(
  record: T | undefined,
  code: Extract<SandboxErrorCode, `${string}_not_found`>,
  message: string,
): T {
  if (record !== undefined) return record;
  throw new SandboxError(code, message);
}
