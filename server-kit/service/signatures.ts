import { canonicalJson } from '../core/json.ts';
import { defaultDialect } from '../core/options.ts';
import { hmacHex } from '../core/secrets.ts';
import {
  readSignatureHeaders,
  requireMatchingSignature,
  SignatureError,
  type SignedMessage,
  signRequest,
  sliceData,
} from '../core/signature.ts';
import { defaultServiceDialect, type ServiceDialect } from './dialect.ts';

export type SignCallbackInput = {
  /** The API secret. */
  secret: string;
  /** The callback URL as registered with the payment. */
  callbackUrl: string;
  /** The whole body, `{"event":...,"data":...}`, as text. Only `data` is signed. */
  rawBody: string;
  /** The value of `Request-Timestamp`: UNIX seconds, ten digits. */
  timestamp: string;
  dialect?: ServiceDialect | undefined;
};

/** The signature of a callback with its intermediate steps, for debugging another implementation. */
export type CallbackSignature = {
  /** The text of `data`, exactly as in the body. */
  dataText: string;
  /** Hex HMAC-SHA512 of `dataText`. */
  dataHash: string;
  /** The URL, the hash and the timestamp, concatenated. */
  signedText: string;
  /** Hex HMAC-SHA512 of `signedText`: the value of `Request-Signature`. */
  signature: string;
};

/**
 * Signs a callback as the service does: the URL, the hash of the text of `data`, and the timestamp. Useful to test your own
 * receiver.
 *
 * @returns the value of `Request-Signature`
 * @throws {SignatureError} `body_malformed` for a body without `data`, or that is not a JSON object
 */
export const signCallback = async (input: SignCallbackInput): Promise<string> =>
  (await signCallbackInSteps(input)).signature;

/** As `signCallback`, with every intermediate step. */
export async function signCallbackInSteps(input: SignCallbackInput): Promise<CallbackSignature> {
  const { secret, callbackUrl, rawBody, timestamp, dialect = defaultServiceDialect } = input;
  const url = dialect.signedCallbackUrl === 'lowerCase' ? callbackUrl.toLowerCase() : callbackUrl;
  const dataText = sliceData(rawBody);
  const dataHash = await hmacHex(secret, dataText);
  const signedText = url + dataHash + timestamp;
  return { dataText, dataHash, signedText, signature: await hmacHex(secret, signedText) };
}

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
    (await signRequest({ secret, path, bodyText, timestamp, dialect })).signature,
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
