import { type Dialect, defaultDialect } from '../api/dialect.ts';
import { sliceJsonMember } from './json-member.ts';
import {
  hmacHex,
  readSignatureHeaders,
  requireMatchingSignature,
  SignatureError,
  type SignedMessage,
} from './signature.ts';

export type SignCallbackInput = {
  /** The API secret. */
  secret: string;
  /** The callback URL as it was registered. */
  callbackUrl: string;
  /** The text of the whole body, `{"event":...,"data":...}`. Only `data` is signed. */
  rawBody: string;
  /** UNIX time in seconds, ten digits: the value of `Request-Timestamp`. */
  timestamp: string;
  dialect?: Readonly<Dialect> | undefined;
};

/** What is signed of a callback, step by step, so that a mistake in another implementation can be found. */
export type CallbackSignature = {
  /** The text of `data`, as it stands in the body. */
  dataText: string;
  /** Hex HMAC-SHA512 of `dataText`. */
  dataHash: string;
  /** URL, hash and timestamp, with nothing between them. */
  signedText: string;
  /** Hex HMAC-SHA512 of `signedText`: the value of `Request-Signature`. */
  signature: string;
};

/**
 * Signs a callback as the service does: the URL, the hash of the text of `data`, the timestamp. For tests of your own
 * receiver too.
 *
 * @returns the value of `Request-Signature`
 * @throws {SignatureError} `body_malformed` for a body that is not such an object.
 */
export const signCallback = async (input: SignCallbackInput): Promise<string> =>
  (await signCallbackInSteps(input)).signature;

/** The same, with every step. */
export async function signCallbackInSteps(input: SignCallbackInput): Promise<CallbackSignature> {
  const { secret, callbackUrl, rawBody, timestamp, dialect = defaultDialect } = input;
  const url = dialect.signedCallbackUrl === 'lowerCase' ? callbackUrl.toLowerCase() : callbackUrl;
  const dataText = sliceData(rawBody);
  const dataHash = await hmacHex(secret, dataText);
  const signedText = url + dataHash + timestamp;
  return { dataText, dataHash, signedText, signature: await hmacHex(secret, signedText) };
}

export type VerifyCallbackInput = SignedMessage & {
  /** The callback URL as it was registered with the payment; never one that is rebuilt from `Host`. */
  callbackUrl: string;
  /** The body as received, before any parser: bytes, or their text in UTF-8. */
  rawBody: Uint8Array | string;
};

/**
 * Verifies a callback. The service's documentation says of the URL once "as provided" and once "lower-cased", and
 * hashes what its own JSON writer makes of `data`: either URL is accepted, and both the raw slice and its
 * `JSON.stringify`.
 *
 * @throws {SignatureError} with the reason; nothing else is thrown.
 */
export async function verifyCallback(input: VerifyCallbackInput): Promise<void> {
  await verifyText(input, decodeBody(input.rawBody));
}

/** What a callback speaks of. */
export type CallbackKind = 'payment' | 'payout' | 'invoice' | 'dedicated_account' | 'unknown';

/** A callback that the service has signed. It is a reason to ask the service, and no evidence by itself. */
export type Callback = {
  /** The sender's name for it. It lies outside the signature: anybody on the way could have changed it. */
  event: string | undefined;
  /** Told by the fields of `data`. A record with too few of them is `unknown`, and may still have an `id` of yours. */
  kind: CallbackKind;
  /** The record as it was sent: amounts are in the service's unit, and no field is checked. */
  data: Readonly<Record<string, unknown>>;
};

/**
 * Verifies a callback as `verifyCallback` does, and reads it.
 *
 * @example
 * const { kind, data } = await parseCallback({
 *   rawBody: new Uint8Array(await request.arrayBuffer()),
 *   signature: request.headers.get('request-signature'),
 *   timestamp: request.headers.get('request-timestamp'),
 *   callbackUrl: 'https://shop.example/callbacks',
 *   secrets: [apiSecret],
 *   now: Date.now(),
 * });
 * if (kind === 'payment') await payments.retrieve(String(data.id));
 *
 * @throws {SignatureError} with the reason, `body_malformed` also where `data` is no object; nothing else is thrown.
 */
export async function parseCallback(input: VerifyCallbackInput): Promise<Callback> {
  const text = decodeBody(input.rawBody);
  await verifyText(input, text);
  const { event, data } = JSON.parse(text) as { event?: unknown; data: unknown };
  if (typeof data !== 'object' || data === null || Array.isArray(data)) {
    throw new SignatureError('body_malformed', 'The "data" of the callback is not an object.');
  }
  const record = data as Record<string, unknown>;
  return { event: typeof event === 'string' ? event : undefined, kind: kindOf(record), data: record };
}

async function verifyText(input: VerifyCallbackInput, text: string): Promise<void> {
  const { signature, timestamp } = readSignatureHeaders(input);
  const raw = sliceData(text);
  const dataTexts = [...new Set([raw, rewritten(raw)])];
  const urls = [...new Set([input.callbackUrl, input.callbackUrl.toLowerCase()])];
  await requireMatchingSignature(signature, input.secrets, async (secret) => {
    const hashes = await Promise.all(dataTexts.map((dataText) => hmacHex(secret, dataText)));
    return Promise.all(hashes.flatMap((hash) => urls.map((url) => hmacHex(secret, url + hash + timestamp))));
  });
}

/** As the service's own JSON writer would have put it. Where nesting is too deep to write, the raw text has to match. */
function rewritten(raw: string): string {
  try {
    return JSON.stringify(JSON.parse(raw));
  } catch {
    return raw;
  }
}

/** Bytes that are no UTF-8 would be hashed as other text than was sent, and so would half a character of a string. */
function decodeBody(rawBody: Uint8Array | string): string {
  try {
    const text =
      typeof rawBody === 'string'
        ? rawBody
        : new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(rawBody);
    if (!/\p{Surrogate}/u.test(text)) return text;
  } catch {
    // Refused below, as text that is not well-formed is.
  }
  throw new SignatureError('body_malformed', 'The callback is not text in UTF-8; pass the body as received.');
}

/** Without the cause: a SyntaxError quotes the text, and with it what may be a secret. */
function sliceData(text: string): string {
  let data: string | undefined;
  try {
    data = sliceJsonMember(text, 'data');
  } catch {
    const message = 'The callback is not a JSON object, or an object in it holds a key twice.';
    throw new SignatureError('body_malformed', message);
  }
  if (data === undefined) throw new SignatureError('body_malformed', 'The callback has no "data".');
  return data;
}

/** Fields that records of one kind have and those of no other (interface, sections 2.5 to 2.8). */
const marks: readonly (readonly [CallbackKind, readonly string[]])[] = [
  ['payment', ['expectedAmount', 'chargedAmount', 'paymentMethod', 'paymentChannel']],
  ['payout', ['destinationAccountNumber', 'destinationBankId', 'requiresConfirmation', 'confirmationState']],
  ['invoice', ['amountDue', 'amountPaid', 'amountRemaining', 'daysUntilDue']],
  ['dedicated_account', ['accountRequestCode']],
];

function kindOf(data: Readonly<Record<string, unknown>>): CallbackKind {
  const has = (field: string): boolean => Object.hasOwn(data, field) && data[field] !== null;
  const [kind] = marks.find(([, fields]) => fields.some(has)) ?? [];
  if (kind !== undefined) return kind;
  // The account of a payment has a reference, the account of a customer has none.
  return has('accountNumber') && !has('reference') ? 'dedicated_account' : 'unknown';
}
