import { type Dialect, defaultDialect } from '../api/dialect.ts';
import { canonicalJson } from './canonical-json.ts';
import { equalInConstantTime, hmacSha512, toHex } from './hmac.ts';

/** The two headers of every signed message, requests and callbacks alike (interface, section 5). */
export const signatureHeaders = { signature: 'request-signature', timestamp: 'request-timestamp' } as const;

/** Why a signed message was refused. */
export type SignatureErrorCode =
  | 'signature_missing'
  | 'timestamp_missing'
  | 'timestamp_malformed'
  | 'timestamp_out_of_tolerance'
  | 'body_malformed'
  | 'signature_mismatch';

/** A signed message that must not be believed. */
export class SignatureError extends Error {
  override readonly name = 'SignatureError';
  readonly code: SignatureErrorCode;

  constructor(code: SignatureErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Hex HMAC-SHA512: of a body, and of the text that is signed. */
export const hmacHex = async (secret: string, message: string): Promise<string> =>
  toHex(await hmacSha512(secret, message));

/** What is signed of a request, step by step, so that a mistake in another implementation can be found. */
export type RequestSignature = {
  /** The JSON text to send, exactly as it was hashed; `undefined` for a request without body. */
  bodyText: string | undefined;
  /** Hex HMAC-SHA512 of `bodyText`; empty where the hash is omitted. */
  bodyHash: string;
  /** Path, body hash and timestamp, with nothing between them. */
  signedText: string;
  /** Hex HMAC-SHA512 of `signedText`: the value of `Request-Signature`. */
  signature: string;
};

export type SignRequestInput = {
  /** The API secret. */
  secret: string;
  /** The URL's path as sent, with `/v1`, without host, base prefix and query. */
  path: string;
  /** The body as a value, or `undefined` for none. */
  body?: unknown;
  /** UNIX time in seconds, ten digits: the value of `Request-Timestamp`. */
  timestamp: string;
  dialect?: Readonly<Dialect> | undefined;
};

/**
 * Signs a request to the service (interface, section 5). Send `bodyText` unchanged: it is what was hashed.
 *
 * @throws {TypeError} for a body that JSON cannot carry; see `canonicalJson`.
 */
export function signRequest(input: SignRequestInput): Promise<RequestSignature> {
  return signRequestText({
    ...input,
    bodyText: input.body === undefined ? undefined : canonicalJson(input.body),
  });
}

export type SignRequestTextInput = Omit<SignRequestInput, 'body'> & {
  /** What `canonicalJson` made of the body, or `undefined` for none. */
  bodyText: string | undefined;
};

/** The same for a body that has been written already, so that one text can be signed again for a later attempt. */
export async function signRequestText(input: SignRequestTextInput): Promise<RequestSignature> {
  const { secret, path, bodyText, timestamp, dialect = defaultDialect } = input;
  const hashedText = bodyText ?? (dialect.bodyHashWithoutBody === 'emptyObject' ? '{}' : undefined);
  const bodyHash = hashedText === undefined ? '' : await hmacHex(secret, hashedText);
  const signedPath = dialect.signedPath === 'lowerCase' ? path.toLowerCase() : path;
  const signedText = signedPath + bodyHash + timestamp;
  return { bodyText, bodyHash, signedText, signature: await hmacHex(secret, signedText) };
}

/** What the receiver of a signed message has in hand. `dialect` is `defaultDialect` when left out. */
export type SignedMessage = {
  /** The value of `Request-Signature`. */
  signature: string | null | undefined;
  /** The value of `Request-Timestamp`. */
  timestamp: string | null | undefined;
  /** The secrets to accept, so that one can be replaced by another. An empty one matches nothing. */
  secrets: readonly string[];
  /** The receiver's clock, in milliseconds since the epoch. */
  now: number;
  dialect?: Readonly<Dialect> | undefined;
};

export type VerifyRequestInput = SignedMessage & {
  /** The URL's path as sent, with `/v1`, without host, base prefix and query. */
  path: string;
  /** The body as received, decoded from UTF-8, or `undefined` for none. */
  bodyText?: string | undefined;
};

/**
 * Verifies a signed request, as the service does. The body is read and written again in the order of keys that is
 * signed, so that a sender may order its own text as it likes.
 *
 * @throws {SignatureError} with the reason; nothing else is thrown.
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
    // Without its cause: a SyntaxError quotes the text, and with it what may be a secret.
    const why = cause instanceof SyntaxError ? 'it is not JSON.' : (cause as Error).message;
    throw new SignatureError('body_malformed', `The body cannot be hashed: ${why}`);
  }
}

/**
 * Presence and form of the two headers, and the age of the timestamp: what needs no secret comes first.
 *
 * @throws {SignatureError} for all but `body_malformed` and `signature_mismatch`
 */
export function readSignatureHeaders(message: SignedMessage): { signature: string; timestamp: string } {
  const { signature, timestamp, now, dialect = defaultDialect } = message;
  if (!signature) throw new SignatureError('signature_missing', 'The header Request-Signature is missing.');
  if (!timestamp) throw new SignatureError('timestamp_missing', 'The header Request-Timestamp is missing.');
  if (!/^\d{10}$/.test(timestamp)) {
    throw new SignatureError('timestamp_malformed', 'Request-Timestamp must be UNIX seconds in ten digits.');
  }
  const ageSeconds = now / 1000 - Number(timestamp);
  // Written so that a clock that gives NaN refuses.
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
 * Compares with the signatures that each secret would have made. Looks at every one, so that the time does not tell
 * which secret or form would have matched.
 *
 * @throws {SignatureError} `signature_mismatch`
 */
export async function requireMatchingSignature(
  signature: string,
  secrets: readonly string[],
  signWith: (secret: string) => Promise<readonly string[]>,
): Promise<void> {
  // Anybody can sign with an empty secret; a missing environment variable leaves one, or undefined.
  const candidates = await Promise.all(secrets.filter(Boolean).map(signWith));
  let matches = 0;
  for (const candidate of candidates.flat()) matches += Number(equalInConstantTime(candidate, signature));
  if (matches === 0) {
    throw new SignatureError(
      'signature_mismatch',
      'Request-Signature does not match; check the API secret and the signed text.',
    );
  }
}

/** The service's timestamp for a moment: whole UNIX seconds. */
export function toTimestamp(nowMs: number): string {
  return String(Math.floor(nowMs / 1000));
}
