/** The documented values of `error.type`. The service may add others. */
export type ErrorType = 'api_error' | 'authentication_error' | 'idempotency_error' | 'invalid_request_error';

type CodeDetails = { status: number; type: ErrorType };

const invalid = (status: number): CodeDetails => ({ status, type: 'invalid_request_error' });
const unauthenticated: CodeDetails = { status: 401, type: 'authentication_error' };
const usedBefore: CodeDetails = { status: 409, type: 'idempotency_error' };
const failed: CodeDetails = { status: 500, type: 'api_error' };

/** Every error code of the sandbox with its status and type (interface, section 7). */
export const sandboxErrors = {
  body_malformed: invalid(400),
  body_missing: invalid(400),
  content_type_unsupported: invalid(400),
  api_key_invalid: unauthenticated,
  auth_token_missing: unauthenticated,
  auth_token_invalid: unauthenticated,
  request_signature_missing: unauthenticated,
  request_signature_invalid: unauthenticated,
  request_timestamp_invalid: unauthenticated,
  request_timestamp_out_of_tolerance: unauthenticated,
  cross_site_refused: invalid(403),
  host_refused: invalid(403),
  route_not_found: invalid(404),
  payment_not_found: invalid(404),
  checkout_link_not_found: invalid(404),
  account_not_found: invalid(404),
  dedicated_account_not_found: invalid(404),
  account_request_not_found: invalid(404),
  invoice_not_found: invalid(404),
  payout_not_found: invalid(404),
  tax_rate_not_found: invalid(404),
  app_not_found: invalid(404),
  callback_not_found: invalid(404),
  fault_not_found: invalid(404),
  method_not_allowed: invalid(405),
  reference_exists: usedBefore,
  id_exists: usedBefore,
  account_number_exists: invalid(409),
  transition_not_allowed: invalid(409),
  consent_missing: invalid(409),
  payout_not_pending: invalid(409),
  payout_not_confirmed: invalid(409),
  confirmation_not_required: invalid(409),
  checkout_link_expired: invalid(409),
  invoice_not_cancellable: invalid(409),
  invoice_not_payable: invalid(409),
  partial_payment_refused: invalid(409),
  body_too_large: invalid(413),
  validation_failed: invalid(422),
  internal_error: failed,
  storage_failed: failed,
  /** With the fault's status, and the type of that status. */
  injected_fault: failed,
} as const satisfies Record<string, CodeDetails>;

export type SandboxErrorCode = keyof typeof sandboxErrors;

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

/** Returns the record that a lookup has found. Throws 404 with the code for `undefined` */
export function findOrRefuse<T>(
  record: T | undefined,
  code: Extract<SandboxErrorCode, `${string}_not_found`>,
  message: string,
): T {
  if (record !== undefined) return record;
  throw new SandboxError(code, message);
}
