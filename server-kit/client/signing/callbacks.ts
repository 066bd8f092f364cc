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
  /** The callback URL as registered with the payment. */
  callbackUrl: string;
  /** The whole body, `{"event":...,"data":...}`, as text. Only `data` is signed. */
  rawBody: string;
  /** The value of `Request-Timestamp`: UNIX seconds, ten digits. */
  timestamp: string;
  dialect?: Readonly<Dialect> | undefined;
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
  const { secret, callbackUrl, rawBody, timestamp, dialect = defaultDialect } = input;
  const url = dialect.signedCallbackUrl === 'lowerCase' ? callbackUrl.toLowerCase() : callbackUrl;
  const dataText = sliceData(rawBody);
  const dataHash = await hmacHex(secret, dataText);
  const signedText = url + dataHash + timestamp;
  return { dataText, dataHash, signedText, signature: await hmacHex(secret, signedText) };
}

export type VerifyCallbackInput = SignedMessage & {
  /** The callback URL as registered with the payment. Do not rebuild it from `Host`. */
  callbackUrl: string;
  /** The body as received, before any parser: bytes, or their UTF-8 text. */
  rawBody: Uint8Array | string;
};

/**
 * Verifies a callback. The service's documentation is ambiguous about the case of the URL, and it hashes `data` as its own
 * JSON writer prints it. So either case is accepted, and both the raw text of `data` and its `JSON.stringify`.
 *
 * @throws {SignatureError} with the reason; nothing else is thrown
 */
export async function verifyCallback(input: VerifyCallbackInput): Promise<void> {
  await verifyText(input, decodeBody(input.rawBody));
}

/** The kind of record that a callback is about. */
export type CallbackKind = 'payment' | 'payout' | 'invoice' | 'dedicated_account' | 'unknown';

/** A callback signed by the service. Use it as a reason to verify the payment, not as evidence. */
export type Callback = {
  /** The name of the event. It is not signed, so it cannot be trusted. */
  event: string | undefined;
  /**
   * Derived from the fields of `data`; `unknown` if there are too few of them. An unknown record may still have one of your
   * ids.
   */
  kind: CallbackKind;
  /** The record as sent: amounts are in the service's unit, and no field is checked. */
  data: Readonly<Record<string, unknown>>;
};

/**
 * Verifies a callback as `verifyCallback` does, and parses it.
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
 * @throws {SignatureError} with the reason, `body_malformed` also if `data` is not an object; nothing else is thrown
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
  const dataTexts = [...new Set([raw, reprint(raw)])];
  const urls = [...new Set([input.callbackUrl, input.callbackUrl.toLowerCase()])];
  await requireMatchingSignature(signature, input.secrets, async (secret) => {
    const hashes = await Promise.all(dataTexts.map((dataText) => hmacHex(secret, dataText)));
    return Promise.all(hashes.flatMap((hash) => urls.map((url) => hmacHex(secret, url + hash + timestamp))));
  });
}

/** The text as the service's own JSON writer prints it. JSON nested too deep to print must match as received. */
function reprint(raw: string): string {
  try {
    return JSON.stringify(JSON.parse(raw));
  } catch {
    return raw;
  }
}

/** Decodes strictly: invalid UTF-8 or a lone surrogate would be hashed as a different text than was sent. */
function decodeBody(rawBody: Uint8Array | string): string {
  try {
    const text =
      typeof rawBody === 'string'
        ? rawBody
        : new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(rawBody);
    if (!/\p{Surrogate}/u.test(text)) return text;
  } catch {
    // Refused below, together with lone surrogates.
  }
  throw new SignatureError('body_malformed', 'The callback is not valid UTF-8; pass the body as received.');
}

/** Without the cause: a SyntaxError quotes the text, which may contain secrets. */
function sliceData(text: string): string {
  let data: string | undefined;
  try {
    data = sliceJsonMember(text, 'data');
  } catch {
    const message = 'The callback is not a JSON object, or an object in it has a duplicate key.';
    throw new SignatureError('body_malformed', message);
  }
  if (data === undefined) throw new SignatureError('body_malformed', 'The callback has no "data".');
  return data;
}

/** Fields that only records of one kind have (interface, sections 2.5 to 2.8). */
const distinctiveFields: readonly (readonly [CallbackKind, readonly string[]])[] = [
  ['payment', ['expectedAmount', 'chargedAmount', 'paymentMethod', 'paymentChannel']],
  ['payout', ['destinationAccountNumber', 'destinationBankId', 'requiresConfirmation', 'confirmationState']],
  ['invoice', ['amountDue', 'amountPaid', 'amountRemaining', 'daysUntilDue']],
  ['dedicated_account', ['accountRequestCode']],
];

function kindOf(data: Readonly<Record<string, unknown>>): CallbackKind {
  const has = (field: string): boolean => Object.hasOwn(data, field) && data[field] !== null;
  const [kind] = distinctiveFields.find(([, fields]) => fields.some(has)) ?? [];
  if (kind !== undefined) return kind;
  // A payment's account has a reference; a customer's does not.
  return has('accountNumber') && !has('reference') ? 'dedicated_account' : 'unknown';
}
