import { canonicalJson } from '../../canonical-json.ts';
import { equalInConstantTime } from '../../hmac.ts';
import { signatureHeaders, signRequestText, toTimestamp } from '../../signature.ts';
import type { SignedRequest } from '../http/request-checks.ts';
import type { SandboxSettings } from '../options.ts';
import { type Mistake, mistakes, type ReceivedRequest } from './mistakes.ts';
import { createSigner, type Recipe } from './recipe.ts';

/** Why a signature was refused, step by step, for whoever writes a client. */
export type SignatureDiagnosis = {
  /** The two headers as they came. */
  received: { signature: string | null; timestamp: string | null };
  /** What the sandbox made of the request. */
  expected: {
    /** The text that is hashed; `null` where there is no hash. */
    canonicalBody: string | null;
    bodyHash: string;
    signedText: string;
    signature: string;
  };
  /** What the sender did wrong, in words. */
  hints: readonly string[];
};

/**
 * Compares a refused request with what was to be signed, and with what the usual mistakes would have signed.
 *
 * @param signed with a body that can be hashed
 */
export async function diagnoseSignature(
  signed: SignedRequest,
  settings: SandboxSettings,
): Promise<SignatureDiagnosis> {
  const { headers } = signed.request;
  const received = {
    signature: headers.get(signatureHeaders.signature),
    timestamp: headers.get(signatureHeaders.timestamp),
  };
  const { dialect } = settings;
  const bodyText = signed.bodyText === undefined ? undefined : canonicalJson(JSON.parse(signed.bodyText));
  const timestamp = usableTimestamp(received.timestamp, signed.nowMs);
  const { bodyHash, signedText, signature } = await signRequestText({
    secret: settings.apiSecret,
    path: signed.path,
    bodyText,
    timestamp,
    dialect,
  });
  const canonicalBody = bodyText ?? (bodyHash === '' ? null : '{}');
  const right: Recipe = {
    secret: settings.apiSecret,
    method: '',
    path: signed.path,
    pathCase: dialect.signedPath,
    body: canonicalBody ?? undefined,
    bodyPart: 'hash',
    bodyAlgorithm: 'HMAC-SHA-512',
    bodyEncoding: 'hex',
    timestamp,
    order: ['path', 'body', 'timestamp'],
    separator: '',
    algorithm: 'HMAC-SHA-512',
    encoding: 'hex',
  };
  const hints = equalInConstantTime(signature, received.signature ?? '')
    ? ['The signature is right; the timestamp alone was refused.']
    : await findHints(received.signature, right, toReceived(signed, settings));
  return { received, expected: { canonicalBody, bodyHash, signedText, signature }, hints };
}

/** The timestamp as it was meant, or where that cannot be known the one of now. */
function usableTimestamp(received: string | null, nowMs: number): string {
  if (received !== null && /^\d{10}$/.test(received)) return received;
  return received !== null && /^\d{13}$/.test(received) ? received.slice(0, 10) : toTimestamp(nowMs);
}

function toReceived({ request, path, bodyText }: SignedRequest, settings: SandboxSettings): ReceivedRequest {
  const { origin, search } = new URL(request.url);
  const { basePath, apiKey, authToken } = settings;
  const timestamp = request.headers.get(signatureHeaders.timestamp) ?? '';
  return { method: request.method, origin, basePath, path, search, bodyText, timestamp, apiKey, authToken };
}

/** Signatures that no mistake of the table explains, but that show by their form what is wrong. */
const forms: readonly { form: RegExp; says: string }[] = [
  { form: /^[\w-]+[=: ][\da-f]{128}$/i, says: 'Something stands before the signature; send the hex alone.' },
  {
    form: /^[\da-f]{64}$/i,
    says: 'The signature has 64 hex digits, as SHA-256 makes it; SHA-512 makes 128.',
  },
  { form: /^[\w+/-]{86}(==)?$/, says: 'The signature looks like base64; write it in hex.' },
  { form: /^(?![\da-f]{128}$)/i, says: 'The signature is not 128 hex digits.' },
];

const unexplained =
  'No usual mistake makes this signature. Compare canonicalBody, bodyHash and signedText with yours, in this order; where all are equal, the secret is another.';

async function findHints(
  signature: string | null,
  right: Recipe,
  request: ReceivedRequest,
): Promise<readonly string[]> {
  if (signature === null || signature === '') return [];
  const made = await explain(signature, right, request);
  if (made !== undefined) return made.map(({ says }) => says);
  const byForm = forms.find(({ form }) => form.test(signature));
  return byForm === undefined ? [unexplained] : [byForm.says, unexplained];
}

/** The mistake that makes the signature, or the first two that make it together. */
async function explain(
  signature: string,
  right: Recipe,
  request: ReceivedRequest,
): Promise<readonly Mistake[] | undefined> {
  const sign = createSigner();
  for (const combination of combinationsFor(right)) {
    let recipe = right;
    for (const { change } of combination) recipe = { ...recipe, ...change(recipe, request) };
    if (equalInConstantTime(await sign(recipe), signature)) return combination;
  }
  return undefined;
}

/** Every mistake alone, and then any two; over a large body only alone, because most would hash it again. */
function* combinationsFor({ body = '' }: Recipe): Generator<readonly Mistake[]> {
  for (const mistake of mistakes) yield [mistake];
  if (body.length > 10_000) return;
  for (const [index, first] of mistakes.entries()) {
    for (const second of mistakes.slice(index + 1)) yield [first, second];
  }
}
