import { type Dialect, defaultDialect } from '../api/dialect.ts';
import { canonicalJson } from './canonical-json.ts';
import { isBare } from './guessable-keys.ts';
import { equalInConstantTime, hmacSha512, toHex } from './hmac.ts';

/** The two headers of every signed message, requests and callbacks alike (interface, section 5). */
export const signatureHeaders = { signature: 'request-signature', timestamp: 'request-timestamp' } as const;

/** Why a signed message was refused. */
export type SignatureErrorCode =
  /**
   * The header `Request-Signature` is missing.
   *
   * Something else than the service has sent the message, or a proxy removes headers that it does not know.
   */
  | 'signature_missing'
  /**
   * The header `Request-Timestamp` is missing.
   *
   * As for `signature_missing`.
   */
  | 'timestamp_missing'
  /**
   * The timestamp is not ten digits.
   *
   * The sender writes milliseconds or a date. Send Unix seconds.
   */
  | 'timestamp_malformed'
  /**
   * The timestamp is too old, or in the future.
   *
   * Run NTP on the server. An old message may be a replay: ask the service instead of accepting it.
   */
  | 'timestamp_out_of_tolerance'
  /**
   * The body is not JSON.
   *
   * Verify the bytes as they were received, before any parser.
   */
  | 'body_malformed'
  /**
   * The signature belongs to another secret, address or body.
   *
   * Compare `apiSecret` and the exact registered address, and verify the bytes as they were received. `transfer-checkout verify` shows the text that was signed.
   */
  | 'signature_mismatch';

/** A signed message that failed verification. */
export class SignatureError extends Error {
  override readonly name = 'SignatureError';
  readonly code: SignatureErrorCode;

  constructor(code: SignatureErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Returns the HMAC-SHA512 as hex. */
export const hmacHex = async (secret: string, message: string): Promise<string> =>
  toHex(await hmacSha512(secret, message));

/** The signature of a request with its intermediate steps, for debugging another implementation. */
export type RequestSignature = {
  /** The JSON text to send, exactly as hashed; `undefined` for a request without a body. */
  bodyText: string | undefined;
  /** Hex HMAC-SHA512 of `bodyText`; empty if the hash is omitted. */
  bodyHash: string;
  /** The path, the body hash and the timestamp, concatenated. */
  signedText: string;
  /** Hex HMAC-SHA512 of `signedText`: the value of `Request-Signature`. */
  signature: string;
};

export type SignRequestInput = {
  /** The API secret. */
  secret: string;
  /** The URL's path as sent, from `/v1` on, without host, base path and query. */
  path: string;
  /** The body as a value, or `undefined` for none. */
  body?: unknown;
  /** The value of `Request-Timestamp`: UNIX seconds, ten digits. */
  timestamp: string;
  dialect?: Readonly<Dialect> | undefined;
};

/**
 * Signs a request to the service (interface, section 5). Send `bodyText` unchanged.
 *
 * @throws {TypeError} for a body that JSON cannot carry; see `canonicalJson`
 */
export function signRequest(input: SignRequestInput): Promise<RequestSignature> {
  return signRequestText({
    ...input,
    bodyText: input.body === undefined ? undefined : canonicalJson(input.body),
  });
}

export type SignRequestTextInput = Omit<SignRequestInput, 'body'> & {
  /** The result of `canonicalJson`, or `undefined` for no body. */
  bodyText: string | undefined;
};

/** Signs a request whose body is already canonical JSON, so that a later attempt signs the same text. */
export async function signRequestText(input: SignRequestTextInput): Promise<RequestSignature> {
  const { secret, path, bodyText, timestamp, dialect = defaultDialect } = input;
  const hashedText = bodyText ?? (dialect.bodyHashWithoutBody === 'emptyObject' ? '{}' : undefined);
  const bodyHash = hashedText === undefined ? '' : await hmacHex(secret, hashedText);
  const signedPath = dialect.signedPath === 'lowerCase' ? path.toLowerCase() : path;
  const signedText = signedPath + bodyHash + timestamp;
  return { bodyText, bodyHash, signedText, signature: await hmacHex(secret, signedText) };
}

/** The headers of a signed message, and what is needed to verify them. `dialect` defaults to `defaultDialect`. */
export type SignedMessage = {
  /** The value of `Request-Signature`. */
  signature: string | null | undefined;
  /** The value of `Request-Timestamp`. */
  timestamp: string | null | undefined;
  /** The accepted secrets: several while one is being replaced. An empty secret never matches. */
  secrets: readonly string[];
  /** The receiver's clock, in milliseconds since the epoch. */
  now: number;
  dialect?: Readonly<Dialect> | undefined;
};

export type VerifyRequestInput = SignedMessage & {
  /** The URL's path as sent, from `/v1` on, without host, base path and query. */
  path: string;
  /** The body as received, decoded from UTF-8, or `undefined` for none. */
  bodyText?: string | undefined;
};

/**
 * Verifies a signed request as the service does. The body is parsed and rewritten as canonical JSON, so a sender may order
 * its keys freely.
 *
 * @throws {SignatureError} with the reason; nothing else is thrown
 */
export async function verifyRequest(input: VerifyRequestInput): Promise<void> {
  const { signature, timestamp } = readSignatureHeaders(input);
  const bodyText = input.bodyText === undefined ? undefined : canonicalText(input.bodyText);
  const { path, dialect = defaultDialect } = input;
  await requireMatchingSignature(signature, input.secrets, async (secret) => [
    (await signRequestText({ secret, path, bodyText, timestamp, dialect })).signature,
  ]);
}

function canonicalText(bodyText: string): string {
  try {
    return canonicalJson(JSON.parse(bodyText));
  } catch (cause) {
    // Without the cause: a SyntaxError quotes the text, which may contain secrets.
    const why = cause instanceof SyntaxError ? 'it is not JSON.' : (cause as Error).message;
    throw new SignatureError('body_malformed', `The body cannot be hashed: ${why}`);
  }
}

/**
 * Checks both headers and the age of the timestamp, before any secret is used.
 *
 * @throws {SignatureError} any code but `body_malformed` and `signature_mismatch`
 */
export function readSignatureHeaders(message: SignedMessage): { signature: string; timestamp: string } {
  const { signature, timestamp, now, dialect = defaultDialect } = message;
  if (!signature) throw new SignatureError('signature_missing', 'The header Request-Signature is missing.');
  if (!timestamp) throw new SignatureError('timestamp_missing', 'The header Request-Timestamp is missing.');
  if (!/^\d{10}$/.test(timestamp)) {
    throw new SignatureError('timestamp_malformed', 'Request-Timestamp must be UNIX seconds in ten digits.');
  }
  const ageSeconds = now / 1000 - Number(timestamp);
  // Negated, so that a clock that returns NaN is refused.
  if (!(Math.abs(ageSeconds) <= dialect.timestampToleranceSeconds)) {
    throw new SignatureError(
      'timestamp_out_of_tolerance',
      `Request-Timestamp is ${Math.abs(Math.round(ageSeconds))} s ${ageSeconds > 0 ? 'old' : 'ahead'}; ` +
        `at most ${dialect.timestampToleranceSeconds} s are accepted. Correct the sender's clock.`,
    );
  }
  return { signature, timestamp };
}

/**
 * Compares the signature with those of every secret. Always checks all of them, so that the time does not reveal which one
 * matched.
 *
 * @throws {SignatureError} `signature_mismatch`
 */
export async function requireMatchingSignature(
  signature: string,
  secrets: readonly string[],
  signWith: (secret: string) => Promise<readonly string[]>,
): Promise<void> {
  // Anybody can sign with an empty secret, which is what a missing environment variable leaves.
  const candidates = await Promise.all(secrets.filter(Boolean).map(signWith));
  const matches = await Promise.all(
    candidates.flat().map((candidate) => equalInConstantTime(candidate, signature)),
  );
  if (!matches.includes(true)) {
    const what = secrets.every(isBare)
      ? 'check the API secret and the signed text'
      : 'remove the spaces, line ends or quotes around the API secret';
    throw new SignatureError('signature_mismatch', `Request-Signature does not match; ${what}.`);
  }
}

/** Returns the service's timestamp: whole UNIX seconds. */
export function toTimestamp(nowMs: number): string {
  return String(Math.floor(nowMs / 1000));
}
