import * as v from 'valibot';
import type { Endpoint } from '../../../core/endpoints.ts';
import { equalInConstantTime } from '../../../core/secrets.ts';
import { SignatureError, type SignatureErrorCode, signatureHeaders } from '../../../core/signature.ts';
import { fromSearchParams, parameterName } from '../../../service/list-query.ts';
import { verifyRequest } from '../../../service/signatures.ts';
import { invalidParams, SandboxError, type SandboxErrorCode } from '../errors.ts';
import { parseInput } from '../input/fields.ts';
import { parseObject } from '../input/json-object.ts';
import type { SandboxSettings } from '../settings/options.ts';
import type { SignedRequest } from './diagnosis.ts';

const signatureCodes: Readonly<Record<SignatureErrorCode, SandboxErrorCode>> = {
  signature_missing: 'request_signature_missing',
  timestamp_missing: 'request_timestamp_invalid',
  timestamp_malformed: 'request_timestamp_invalid',
  timestamp_out_of_tolerance: 'request_timestamp_out_of_tolerance',
  body_malformed: 'body_malformed',
  signature_mismatch: 'request_signature_invalid',
};

/** Returns whether the signature or the timestamp was refused, and not the key or the token. */
export const isSignatureRefusal = (error: unknown): boolean =>
  error instanceof SandboxError && /^request_(signature|timestamp)_/.test(error.code);

/**
 * Verifies the signature, or for apps the bearer token (interface, section 5). Throws 401 with the reason; 400 `body_malformed` for a body
 * that cannot be hashed
 */
export async function checkAuthorization(
  signed: SignedRequest,
  { auth }: Endpoint,
  settings: SandboxSettings,
): Promise<void> {
  const authorization = signed.request.headers.get('authorization');
  const token = /^bearer +(.+)$/i.exec(authorization ?? '')?.[1] ?? '';
  if (auth === 'signature') {
    // The API key is optional (interface, section 5).
    if (authorization === null || (await equalInConstantTime(token, settings.apiKey)))
      return checkSignature(signed, settings);
    const message = 'Send "Authorization: Bearer <the API key of this sandbox>", or leave the header out.';
    throw new SandboxError('api_key_invalid', message);
  }
  if (await equalInConstantTime(token, settings.authToken)) return;
  const message =
    'Send "Authorization: Bearer <the auth token of this sandbox>". The API key is not the auth token.';
  throw new SandboxError(authorization === null ? 'auth_token_missing' : 'auth_token_invalid', message);
}

async function checkSignature(signed: SignedRequest, settings: SandboxSettings): Promise<void> {
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
    const where = `Compare with GET ${settings.basePath}/_sandbox/requests (or the panel).`;
    const message = error.code === 'body_malformed' ? error.message : `${error.message} ${where}`;
    throw new SandboxError(signatureCodes[error.code], message);
  }
}

/** Parses the filters of a list by the endpoint's schema. Throws 422 `validation_failed` with every invalid parameter */
export function checkQuery(
  { query }: Endpoint & { query?: v.GenericSchema },
  search: URLSearchParams,
  { dialect, lenient }: SandboxSettings,
): unknown {
  const { listParameters } = dialect;
  const given = fromSearchParams(search, listParameters);
  const nameOf = (path: string): string => parameterName(path, listParameters);
  try {
    return parseInput(query ?? v.strictObject({}), given, lenient);
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error;
    throw invalidParams(error.params.map(nameOf), error.message);
  }
}

/**
 * Parses the body by the endpoint's schema, with amounts in minor units; `undefined` for an endpoint without a body. Throws as `parseBody`
 * does; 422 `validation_failed` with every invalid parameter
 */
export function checkBody(
  endpoint: Endpoint,
  { request, bodyText }: Pick<SignedRequest, 'request' | 'bodyText'>,
  { dialect, lenient }: SandboxSettings,
): unknown {
  if (endpoint.request === undefined) return undefined;
  if (endpoint.request.type === 'optional' && bodyText === undefined) return undefined;
  const inMinorUnits = dialect.fromWire(parseBody(request, bodyText), endpoint.amounts?.request ?? []);
  return parseInput(endpoint.request, inMinorUnits, lenient);
}

/** Bodies of this size and over are refused, in bytes. */
const maxBodyBytes = 1_000_000;

/**
 * Reads the body as text; `undefined` for no body. Throws 413 `body_too_large`; 400 `body_malformed` for a body that is not UTF-8 or is
 * incomplete
 */
export async function readBodyText(request: Request): Promise<string | undefined> {
  const bytes = await readBytes(request);
  if (bytes.byteLength === 0) return undefined;
  try {
    // Keeps a byte order mark: the sender hashed it, and JSON does not allow it.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new SandboxError('body_malformed', 'The body is not UTF-8; send JSON text in UTF-8.');
  }
}

async function readBytes(request: Request): Promise<ArrayBuffer> {
  const tooLarge = new SandboxError('body_too_large', `The body must have fewer than ${maxBodyBytes} bytes.`);
  if (Number(request.headers.get('content-length')) >= maxBodyBytes) throw tooLarge;
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  const reader = (request.body ?? (await request.blob()).stream()).getReader();
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      // The client has usually disconnected, so that only the log shows this.
      throw new SandboxError('body_malformed', 'The body ended too early; send all of it.');
    });
    if (done) break;
    size += value.length;
    // Does not cancel the rest: that can cut the connection before the response is sent.
    if (size >= maxBodyBytes) throw tooLarge;
    chunks.push(value as Uint8Array<ArrayBuffer>);
  }
  return new Blob(chunks).arrayBuffer();
}

/** Parses the JSON object of a body; see `parseObject`. Throws 400 `body_missing`, `content_type_unsupported`, `body_malformed` */
export function parseBody(request: Request, text: string | undefined): unknown {
  if (text === undefined) throw new SandboxError('body_missing', 'The body is missing; send a JSON object.');
  const mediaType = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (mediaType !== 'application/json') {
    throw new SandboxError('content_type_unsupported', 'Send the body as "Content-Type: application/json".');
  }
  return parseObject(text);
}
