import { canonicalJson, parseJsonObject, sliceJsonMember } from './json.ts';
import { type Dialect, defaultDialect } from './options.ts';
import { equalInConstantTime, hmacHex } from './secrets.ts';

/** The two headers of every signed message, requests and callbacks alike (interface, section 5). */
export const signatureHeaders = { signature: 'request-signature', timestamp: 'request-timestamp' } as const;

export type SignRequestInput = {
  /** The API secret. */
  secret: string;
  /** The URL's path as sent, from `/v1` on, without host, base path and query. */
  path: string;
  /** The body as a value; or `bodyText`, canonical JSON. Neither for a request without a body. */
  body?: unknown;
  bodyText?: string | undefined;
  /** The value of `Request-Timestamp`: UNIX seconds, ten digits. */
  timestamp: string;
  dialect?: Dialect | undefined;
};

/** Signs a request (interface, section 5), and returns each step of it. Send `bodyText` unchanged. Throws as `canonicalJson` does. */
export async function signRequest(input: SignRequestInput) {
  const { secret, path, body, timestamp, dialect = defaultDialect } = input;
  const { bodyText = body === undefined ? undefined : canonicalJson(body) } = input;
  const hashedText = bodyText ?? (dialect.bodyHashWithoutBody === 'emptyObject' ? '{}' : undefined);
  const bodyHash = hashedText === undefined ? '' : await hmacHex(secret, hashedText);
  const signedPath = dialect.signedPath === 'lowerCase' ? path.toLowerCase() : path;
  const signedText = signedPath + bodyHash + timestamp;
  return { bodyText, bodyHash, signedText, signature: await hmacHex(secret, signedText) };
}

export const toTimestamp = (nowMs: number): string => String(Math.floor(nowMs / 1000));

/** Why a signed message was refused. */
export type SignatureErrorCode =
  /** The header `Request-Signature` is missing. Something else than the service has sent the message, or a proxy removes headers that it does not know. */
  | 'signature_missing'
  /** The header `Request-Timestamp` is missing. As for `signature_missing`. */
  | 'timestamp_missing'
  /** The timestamp is not ten digits. The sender writes milliseconds or a date. Send Unix seconds. */
  | 'timestamp_malformed'
  /** The timestamp is too old, or in the future. Run NTP on the server. An old message may be a replay: ask the service instead of accepting it. */
  | 'timestamp_out_of_tolerance'
  /** The body is not JSON. Verify the bytes as they were received, before any parser. */
  | 'body_malformed'
  /** The signature belongs to another secret, address or body. Compare `apiSecret` and the exact registered address, and verify the bytes as they were received. `transfer-checkout verify` shows the text that was signed. */
  | 'signature_mismatch';

/** A signed message that failed verification. */
export class SignatureError extends Error {
  override readonly name = 'SignatureError';
  readonly code: SignatureErrorCode;

  constructor(code: SignatureErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

export type SignedMessage = {
  signature: string | null | undefined;
  timestamp: string | null | undefined;
  /** The accepted secrets: several while one is being replaced. An empty secret never matches. */
  secrets: readonly string[];
  /** The receiver's clock, in milliseconds since the epoch. */
  now: number;
  dialect?: Dialect | undefined;
};

/** Checks both headers and the age of the timestamp, before any secret is used. Throws a `SignatureError`. */
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
    const age = `${Math.abs(Math.round(ageSeconds))} s ${ageSeconds > 0 ? 'old' : 'ahead'}`;
    const message = `Request-Timestamp is ${age}; at most ${dialect.timestampToleranceSeconds} s are accepted. Correct the sender's clock.`;
    throw new SignatureError('timestamp_out_of_tolerance', message);
  }
  return { signature, timestamp };
}

/** Always tries every secret, so that the time does not reveal which one matched. */
export async function requireMatchingSignature(
  signature: string,
  secrets: readonly string[],
  signWith: (secret: string) => Promise<readonly string[]>,
): Promise<void> {
  // A missing environment variable is an empty secret, with which anybody can sign.
  const candidates = (await Promise.all(secrets.filter(Boolean).map(signWith))).flat();
  const matches = await Promise.all(candidates.map((one) => equalInConstantTime(one, signature)));
  if (matches.includes(true)) return;
  const message = 'Request-Signature does not match; check the API secret and the signed text.';
  throw new SignatureError('signature_mismatch', message);
}

/** A callback signed by the service. Use it as a reason to verify the payment, not as evidence. */
export type Callback = {
  /** The name of the event. It is not signed, so it cannot be trusted. */
  event: string | undefined;
  /** The record as sent: amounts are in the service's unit, and no field is checked. */
  data: Readonly<Record<string, unknown>>;
};

export type ParseCallbackInput = SignedMessage & {
  /** The callback URL as registered with the payment. Do not rebuild it from `Host`. */
  callbackUrl: string;
  /** The body as received, before any parser: bytes, or their UTF-8 text. */
  rawBody: Uint8Array | string;
};

/** Verifies and parses a callback. The interface is ambiguous, so either case of the URL is accepted, and `data` both as sent and as `JSON.stringify` prints it. Throws only a `SignatureError`, with the reason. */
export async function parseCallback(input: ParseCallbackInput): Promise<Callback> {
  const text = decodeBody(input.rawBody);
  const { signature, timestamp } = readSignatureHeaders(input);
  const raw = sliceData(text);
  const data: Callback['data'] = JSON.parse(raw);
  const dataTexts = new Set([raw, JSON.stringify(data)]);
  const urls = new Set([input.callbackUrl, input.callbackUrl.toLowerCase()]);
  await requireMatchingSignature(signature, input.secrets, async (secret) => {
    const hashes = await Promise.all([...dataTexts].map((dataText) => hmacHex(secret, dataText)));
    const signedTexts = hashes.flatMap((hash) => [...urls].map((url) => url + hash + timestamp));
    return Promise.all(signedTexts.map((signedText) => hmacHex(secret, signedText)));
  });
  if (!raw.startsWith('{'))
    throw new SignatureError('body_malformed', 'The "data" of the callback is not an object.');
  const { event } = JSON.parse(text) as { event?: unknown };
  return { event: typeof event === 'string' ? event : undefined, data };
}

/** Decodes strictly: invalid UTF-8 or a lone surrogate would be hashed as another text than was sent. */
function decodeBody(rawBody: Uint8Array | string): string {
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    const text = typeof rawBody === 'string' ? rawBody : decoder.decode(rawBody);
    if (!/\p{Surrogate}/u.test(text)) return text;
  } catch {
    // Refused below, together with lone surrogates.
  }
  throw new SignatureError('body_malformed', 'The callback is not valid UTF-8; pass the body as received.');
}

/** Returns the text of `data`. The error has no cause: a SyntaxError quotes the text, which may contain secrets. */
export function sliceData(text: string): string {
  try {
    parseJsonObject(text);
  } catch {
    const message = 'The callback is not a JSON object, or an object in it has a duplicate key.';
    throw new SignatureError('body_malformed', message);
  }
  const data = sliceJsonMember(text, 'data');
  if (data === undefined) throw new SignatureError('body_malformed', 'The callback has no "data".');
  return data;
}
