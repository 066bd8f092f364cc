import { canonicalJson } from '../../../core/json.ts';
import { equalInConstantTime, hmacHex } from '../../../core/secrets.ts';
import { signatureHeaders, signRequest, toTimestamp } from '../../../core/signature.ts';
import type { ServiceDialect } from '../../../service/dialect.ts';

/** A received request whose signature is verified. */
export type SignedRequest = {
  request: Request;
  /** Without the sandbox's base path. */
  path: string;
  bodyText: string | undefined;
  nowMs: number;
};

type SigningSettings = Record<'apiKey' | 'apiSecret' | 'authToken' | 'basePath', string> & {
  dialect: Readonly<ServiceDialect>;
};

/** Explains a refused signature, for developers of clients. */
export type SignatureDiagnosis = NonNullable<Awaited<ReturnType<typeof diagnoseSignature>>>;

/** What a signature is made from. A `bodyPart` takes the place of the hash of `body`. */
type Parts = { secret: string; path: string; body: string | undefined; bodyPart?: string; timestamp: string };

type Mistake = readonly [hint: string, changes: Partial<Parts>];

/** Returns the sandbox's own steps, and the common mistake of the sender; `undefined` for a body that cannot be hashed. */
export async function diagnoseSignature(signed: SignedRequest, settings: SigningSettings) {
  const canonical = readCanonical(signed.bodyText);
  if (canonical === undefined) return undefined;
  const { headers } = signed.request;
  const received = {
    signature: headers.get(signatureHeaders.signature),
    timestamp: headers.get(signatureHeaders.timestamp),
  };
  const { apiSecret: secret, dialect } = settings;
  const { path } = signed;
  // The intended timestamp, or the current time where the header does not show it.
  const [timestamp] = /^\d{10}(?=(\d{3})?$)/.exec(received.timestamp ?? '') ?? [toTimestamp(signed.nowMs)];
  const { bodyText, ...steps } = await signRequest({ secret, path, ...canonical, timestamp, dialect });
  const body = bodyText ?? (steps.bodyHash === '' ? undefined : '{}');
  const signedPath = dialect.signedPath === 'lowerCase' ? path.toLowerCase() : path;
  const right: Parts = { secret, path: signedPath, body, bodyPart: steps.bodyHash, timestamp };
  const { signature } = received;
  const hints = signature
    ? [await findMistake(signature, steps.signature, right, mistakesOf(signed, right, settings))]
    : [];
  /** `canonicalBody` is the hashed text; `null` for no hash. */
  return { received, expected: { canonicalBody: body ?? null, ...steps }, hints };
}

/** Returns `undefined` for a text that cannot be hashed. */
function readCanonical(bodyText: string | undefined): { bodyText: string | undefined } | undefined {
  try {
    return { bodyText: bodyText === undefined ? undefined : canonicalJson(JSON.parse(bodyText)) };
  } catch {
    return undefined;
  }
}

async function findMistake(
  received: string,
  expected: string,
  right: Parts,
  mistakes: readonly Mistake[],
): Promise<string> {
  if (await equalInConstantTime(received, expected)) {
    return 'The signature is right; the timestamp alone was refused.';
  }
  const inHex = toLowerHex(received);
  if (inHex === undefined) return 'The signature is not 128 hex digits.';
  if (await equalInConstantTime(inHex, expected)) {
    return 'The signature is in base64 or in upper case; write it in lower-case hex.';
  }
  for (const [hint, changes] of mistakes) {
    const isHashed = 'body' in changes || 'secret' in changes;
    const { secret, path, body, bodyPart, timestamp } = {
      ...right,
      ...(isHashed && { bodyPart: undefined }),
      ...changes,
    };
    const hash = bodyPart ?? (body === undefined ? '' : await hmacHex(secret, body));
    if (await equalInConstantTime(inHex, await hmacHex(secret, path + hash + timestamp))) return hint;
  }
  return 'No common mistake explains this signature. Compare canonicalBody, bodyHash and signedText with yours, in this order; if all are equal, the secrets differ.';
}

/** Returns `undefined` for a text that is neither hex nor base64 of 64 bytes. */
function toLowerHex(signature: string): string | undefined {
  if (/^[\da-f]{128}$/i.test(signature)) return signature.toLowerCase();
  if (!/^[\w+/]{86}(==)?$/.test(signature)) return undefined;
  return Array.from(atob(signature), (byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('');
}

function mistakesOf(
  { request, path, bodyText }: SignedRequest,
  right: Parts,
  settings: SigningSettings,
): readonly Mistake[] {
  const { host, origin, search } = new URL(request.url);
  const { basePath, apiKey, authToken } = settings;
  const sent = bodyText ?? right.body;
  const none = right.body ?? '';
  const inMs = `${right.timestamp}000`;
  const sentMs = request.headers.get(signatureHeaders.timestamp) ?? '';
  return [
    ['The path was signed as it was sent; lower-case it first.', { path }],
    ['The path was lower-cased; sign it as it is sent.', { path: path.toLowerCase() }],
    ['The query string was signed with the path; leave it out.', { path: right.path + search }],
    ["The base address's own path was signed with the path; begin at /v1.", { path: basePath + right.path }],
    ['The host was signed with the path; begin at /v1.', { path: host + basePath + right.path }],
    ['The whole URL was signed; sign its path from /v1 on.', { path: origin + basePath + right.path }],
    ['The path was signed without /v1; begin with it.', { path: right.path.replace(/^\/v1/, '') }],
    ['A slash that was not sent was signed after the path; leave it out.', { path: `${right.path}/` }],
    ['The body was hashed as it was sent; sort its keys at every depth first.', { body: sent }],
    ['The body hash was left out; sign it between the path and the timestamp.', { bodyPart: '' }],
    ['The body itself was signed; sign its hash instead.', { bodyPart: none }],
    ['There is no body, but a hash of {} was signed; leave the hash out.', { body: right.body ?? '{}' }],
    ['There is no body, but a hash of an empty text was signed; leave it out.', { body: none }],
    ['The API key was used as the secret; sign with the API secret.', { secret: apiKey }],
    ['The auth token was used as the secret; sign with the API secret.', { secret: authToken }],
    ['The timestamp was left out of the signed text; put it at the end.', { timestamp: '' }],
    ['The timestamp is in milliseconds; send and sign UNIX seconds, ten digits.', { timestamp: sentMs }],
    ['The timestamp was signed in milliseconds; sign the text of the header.', { timestamp: inMs }],
  ];
}
