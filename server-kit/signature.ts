import { canonicalJson } from './canonical-json.ts';
import { type Dialect, defaultDialect } from './dialect.ts';
import { equalInConstantTime, hmacSha512, toHex } from './hmac.ts';
import { sliceJsonMember } from './json-member.ts';

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

const hmacHex = async (secret: string, message: string): Promise<string> =>
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
  dialect?: Readonly<Dialect>;
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

type SignRequestTextInput = Omit<SignRequestInput, 'body'> & { bodyText: string | undefined };

async function signRequestText(input: SignRequestTextInput): Promise<RequestSignature> {
  const { secret, path, bodyText, timestamp, dialect = defaultDialect } = input;
  const hashedText = bodyText ?? (dialect.bodyHashWithoutBody === 'emptyObject' ? '{}' : undefined);
  const bodyHash = hashedText === undefined ? '' : await hmacHex(secret, hashedText);
  const signedPath = dialect.signedPath === 'lowerCase' ? path.toLowerCase() : path;
  const signedText = signedPath + bodyHash + timestamp;
  return { bodyText, bodyHash, signedText, signature: await hmacHex(secret, signedText) };
}

type SignedMessage = {
  /** The value of `Request-Signature`. */
  signature: string | null | undefined;
  /** The value of `Request-Timestamp`. */
  timestamp: string | null | undefined;
  /** The secrets to accept, so that one can be rotated. */
  secrets: readonly string[];
  /** The receiver's clock, in milliseconds since the epoch. */
  now: number;
  dialect?: Readonly<Dialect>;
};

export type VerifyRequestInput = SignedMessage & {
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
  const candidates = input.secrets.map((secret) =>
    signRequestText({ secret, path, bodyText, timestamp, dialect }).then((expected) => expected.signature),
  );
  refuseUnlessOneMatches(signature, await Promise.all(candidates));
}

function canonicalText(bodyText: string): string {
  try {
    return canonicalJson(JSON.parse(bodyText));
  } catch (cause) {
    throw new SignatureError('body_malformed', `The body cannot be hashed: ${(cause as Error).message}`, {
      cause,
    });
  }
}

export type SignCallbackInput = {
  secret: string;
  /** The callback URL as it was registered. */
  callbackUrl: string;
  /** The text of the whole body, `{"event":...,"data":...}`. Only `data` is signed. */
  rawBody: string;
  timestamp: string;
  dialect?: Readonly<Dialect>;
};

/**
 * Signs a callback as the service does: the URL, the hash of the text of `data`, the timestamp.
 *
 * @throws {SignatureError} `body_malformed` for a body that is not such an object.
 */
export async function signCallback(input: SignCallbackInput): Promise<string> {
  const { secret, callbackUrl, rawBody, timestamp, dialect = defaultDialect } = input;
  const url = dialect.signedCallbackUrl === 'lowerCase' ? callbackUrl.toLowerCase() : callbackUrl;
  return hmacHex(secret, url + (await hmacHex(secret, sliceData(rawBody))) + timestamp);
}

export type VerifyCallbackInput = SignedMessage & {
  /** The callback URL as it was registered with the payment; never one that is rebuilt from `Host`. */
  callbackUrl: string;
  /** The body as received, decoded from UTF-8. */
  rawBody: string;
};

/**
 * Verifies a callback. The service's documentation says of the URL once "as provided" and once "lower-cased", and
 * hashes what its own JSON writer makes of `data`: either URL is accepted, and both the raw slice and its
 * `JSON.stringify`.
 *
 * @throws {SignatureError} with the reason; nothing else is thrown.
 */
export async function verifyCallback(input: VerifyCallbackInput): Promise<void> {
  const { signature, timestamp } = readSignatureHeaders(input);
  const raw = sliceData(input.rawBody);
  const texts = new Set([raw, rewritten(raw)]);
  const urls = new Set([input.callbackUrl, input.callbackUrl.toLowerCase()]);
  const candidates: Promise<string>[] = [];
  for (const secret of input.secrets) {
    for (const text of texts) {
      const hash = hmacHex(secret, text);
      for (const url of urls)
        candidates.push(hash.then((bodyHash) => hmacHex(secret, url + bodyHash + timestamp)));
    }
  }
  refuseUnlessOneMatches(signature, await Promise.all(candidates));
}

/** As the service's own JSON writer would have put it. Where nesting is too deep to write, the raw text has to match. */
function rewritten(raw: string): string {
  try {
    return JSON.stringify(JSON.parse(raw));
  } catch {
    return raw;
  }
}

function sliceData(rawBody: string): string {
  let data: string | undefined;
  try {
    data = sliceJsonMember(rawBody, 'data');
  } catch (cause) {
    throw new SignatureError('body_malformed', `The callback cannot be read: ${(cause as Error).message}`, {
      cause,
    });
  }
  if (data === undefined) throw new SignatureError('body_malformed', 'The callback has no "data".');
  return data;
}

/** Presence and form of the two headers, and the age of the timestamp: what needs no secret comes first. */
function readSignatureHeaders(message: SignedMessage): { signature: string; timestamp: string } {
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

/** Looks at every candidate, so that the time does not tell which secret or form would have matched. */
function refuseUnlessOneMatches(signature: string, candidates: readonly string[]): void {
  let matches = 0;
  for (const candidate of candidates) matches += Number(equalInConstantTime(candidate, signature));
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
