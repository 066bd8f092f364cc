import { convertAmounts, fromWireAmount } from '../api/amount-unit.ts';
import type { Endpoint } from '../api/endpoints.ts';
import type { Dialect } from '../dialect.ts';
import { equalInConstantTime } from '../hmac.ts';
import { SignatureError, type SignatureErrorCode, signatureHeaders, verifyRequest } from '../signature.ts';
import type { SandboxSettings } from './options.ts';
import { invalidParams, parseInput, SandboxError } from './sandbox-error.ts';

function unauthenticated(code: string, message: string): SandboxError {
  return new SandboxError(message, { status: 401, type: 'authentication_error', code });
}

/**
 * The key is optional here, as in the interface's section 5; a wrong one is refused.
 *
 * @throws {SandboxError} 401 `api_key_invalid`
 */
export function checkApiKey(request: Request, apiKey: string): void {
  const authorization = request.headers.get('authorization');
  if (authorization === null) return;
  const given = /^bearer +(.+)$/i.exec(authorization)?.[1] ?? '';
  if (equalInConstantTime(given, apiKey)) return;
  throw unauthenticated(
    'api_key_invalid',
    'Send "Authorization: Bearer <the API key of this sandbox>", or leave the header out.',
  );
}

const signatureCodes: Readonly<Record<SignatureErrorCode, string>> = {
  signature_missing: 'request_signature_missing',
  timestamp_missing: 'request_timestamp_invalid',
  timestamp_malformed: 'request_timestamp_invalid',
  timestamp_out_of_tolerance: 'request_timestamp_out_of_tolerance',
  body_malformed: 'body_malformed',
  signature_mismatch: 'request_signature_invalid',
};

export type SignedRequest = {
  request: Request;
  /** Without the sandbox's base path. */
  path: string;
  bodyText: string | undefined;
  nowMs: number;
};

/**
 * Section 5.
 *
 * @throws {SandboxError} 401 with the reason, or 400 `body_malformed` for a body that cannot be hashed
 */
export async function checkSignature(signed: SignedRequest, settings: SandboxSettings): Promise<void> {
  const { headers } = signed.request;
  try {
    await verifyRequest({
      path: signed.path,
      bodyText: signed.bodyText,
      signature: headers.get(signatureHeaders.signature),
      timestamp: headers.get(signatureHeaders.timestamp),
      secrets: [settings.apiSecret],
      now: signed.nowMs,
      dialect: settings.dialect,
    });
  } catch (error) {
    if (!(error instanceof SignatureError)) throw error;
    const code = signatureCodes[error.code];
    if (error.code !== 'body_malformed') throw unauthenticated(code, error.message);
    throw new SandboxError(error.message, { status: 400, type: 'invalid_request_error', code });
  }
}

/**
 * The body as the endpoint's schema says, with amounts in minor units.
 *
 * @throws {SandboxError} 422 `validation_failed`, naming every parameter at fault
 */
export function checkBody(endpoint: Endpoint, body: unknown, unit: Dialect['amountUnit']): unknown {
  if (endpoint.request === undefined) return undefined;
  const inMinorUnits = endpoint.amounts.request.reduce((converted, field) => {
    try {
      return convertAmounts(converted, [field], (amount) => fromWireAmount(amount, unit));
    } catch (error) {
      throw invalidParams([field], `Correct the request: ${field}: ${(error as Error).message}`);
    }
  }, body);
  return parseInput(endpoint.request, inMinorUnits);
}
