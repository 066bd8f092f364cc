import { canonicalJson } from '../../../client/signing/canonical-json.ts';
import { equalInConstantTime } from '../../../client/signing/hmac.ts';
import { signatureHeaders, signRequestText, toTimestamp } from '../../../client/signing/signature.ts';
import type { Mistake, ReceivedRequest } from './mistake.ts';
import { mistakes } from './mistakes.ts';
import { createSigner, type Recipe } from './recipe.ts';
import type { SignedRequest, SigningSettings } from './signed-request.ts';

/** Explains a refused signature step by step, for developers of clients. */
export type SignatureDiagnosis = {
  /** The two headers as received. */
  received: { signature: string | null; timestamp: string | null };
  /** The sandbox's own steps for the same request. */
  expected: {
    /** The hashed text; `null` for no hash. */
    canonicalBody: string | null;
    bodyHash: string;
    signedText: string;
    signature: string;
  };
  /** The probable mistakes of the sender. */
  hints: readonly string[];
};

/** The immediate diagnosis of a refused signature, and a longer search. */
export type SignatureFindings = {
  diagnosis: SignatureDiagnosis;
  /** Searches for two combined mistakes, which takes about 0.1 s; `undefined` when the diagnosis is complete. */
  searchPairs: (() => Promise<SignatureDiagnosis>) | undefined;
};

/** Returns the complete diagnosis; `undefined` for a body that cannot be hashed. */
export async function diagnoseSignature(
  signed: SignedRequest,
  settings: SigningSettings,
): Promise<SignatureDiagnosis | undefined> {
  const findings = await compareSignature(signed, settings);
  return findings?.searchPairs?.() ?? findings?.diagnosis;
}

/**
 * Compares a refused signature with the expected one and with those that common mistakes produce. Returns `undefined`
 * for a body that cannot be hashed.
 */
export async function compareSignature(
  signed: SignedRequest,
  settings: SigningSettings,
): Promise<SignatureFindings | undefined> {
  const body = readCanonical(signed.bodyText);
  if (body === undefined) return undefined;
  const { headers } = signed.request;
  const received = {
    signature: headers.get(signatureHeaders.signature),
    timestamp: headers.get(signatureHeaders.timestamp),
  };
  const { dialect } = settings;
  const { bodyText } = body;
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
  const diagnosis = { received, expected: { canonicalBody, bodyHash, signedText, signature } };
  if (await equalInConstantTime(signature, received.signature ?? '')) {
    const hints = ['The signature is right; the timestamp alone was refused.'];
    return { diagnosis: { ...diagnosis, hints }, searchPairs: undefined };
  }
  return findHints(diagnosis, right, toReceived(signed, settings));
}

/** Returns `undefined` for a text that cannot be hashed. */
function readCanonical(bodyText: string | undefined): { bodyText: string | undefined } | undefined {
  try {
    return { bodyText: bodyText === undefined ? undefined : canonicalJson(JSON.parse(bodyText)) };
  } catch {
    return undefined;
  }
}

/** Returns the intended timestamp, or the current time where the header does not show it. */
function usableTimestamp(received: string | null, nowMs: number): string {
  if (received !== null && /^\d{10}$/.test(received)) return received;
  return received !== null && /^\d{13}$/.test(received) ? received.slice(0, 10) : toTimestamp(nowMs);
}

function toReceived({ request, path, bodyText }: SignedRequest, settings: SigningSettings): ReceivedRequest {
  const { origin, search } = new URL(request.url);
  const { basePath, apiKey, authToken } = settings;
  const timestamp = request.headers.get(signatureHeaders.timestamp) ?? '';
  return { method: request.method, origin, basePath, path, search, bodyText, timestamp, apiKey, authToken };
}

/** Signatures whose form alone shows a mistake. */
const forms: readonly { form: RegExp; hint: string }[] = [
  { form: /^[\w-]+[=: ][\da-f]{128}$/i, hint: 'There is text before the signature; send only the hex.' },
  {
    form: /^[\da-f]{64}$/i,
    hint: 'The signature has 64 hex digits, like SHA-256; SHA-512 has 128.',
  },
  { form: /^[\w+/-]{86}(==)?$/, hint: 'The signature looks like base64; write it in hex.' },
  { form: /^(?![\da-f]{128}$)/i, hint: 'The signature is not 128 hex digits.' },
];

/** The form of every recipe's signature: hex or base64 of SHA-256 or SHA-512. */
const canBeMade = /^([\da-f]{64}|[\da-f]{128}|[\w+/]{43}=|[\w+/]{86}==)$/i;

const unexplained =
  'No common mistake explains this signature. Compare canonicalBody, bodyHash and signedText with yours, in this order; if all are equal, the secrets differ.';

async function findHints(
  diagnosis: Omit<SignatureDiagnosis, 'hints'>,
  right: Recipe,
  request: ReceivedRequest,
): Promise<SignatureFindings> {
  const { signature } = diagnosis.received;
  if (signature === null || signature === '') {
    return { diagnosis: { ...diagnosis, hints: [] }, searchPairs: undefined };
  }
  const byForm = forms.find(({ form }) => form.test(signature));
  const withHints = (made: readonly Mistake[] | undefined): SignatureDiagnosis => ({
    ...diagnosis,
    hints: made?.map(({ hint }) => hint) ?? (byForm ? [byForm.hint, unexplained] : [unexplained]),
  });
  const search = { signature, right, request };
  if (!canBeMade.test(signature)) return { diagnosis: withHints(undefined), searchPairs: undefined };
  const single = await findAmong(mistakes, [], search);
  // Most mistakes would hash a large body again.
  const isOver = single !== undefined || (right.body ?? '').length > 10_000;
  return {
    diagnosis: withHints(single),
    searchPairs: isOver ? undefined : async () => withHints(await findPair(search)),
  };
}

type Search = { signature: string; right: Recipe; request: ReceivedRequest };

/** Returns the first candidate that, combined with the mistakes in `before`, produces the signature. */
async function findAmong(
  candidates: readonly Mistake[],
  before: readonly Mistake[],
  { signature, right, request }: Search,
  sign = createSigner(),
): Promise<readonly Mistake[] | undefined> {
  for (const candidate of candidates) {
    const made = [...before, candidate];
    let recipe = right;
    for (const { change } of made) recipe = { ...recipe, ...change(recipe, request) };
    if (await equalInConstantTime(await sign(recipe), signature)) return made;
  }
  return undefined;
}

async function findPair(search: Search): Promise<readonly Mistake[] | undefined> {
  const sign = createSigner();
  for (const [index, first] of mistakes.entries()) {
    // Hashing blocks: the pause lets other requests be served.
    await new Promise((resolve) => setTimeout(resolve));
    const made = await findAmong(mistakes.slice(index + 1), [first], search, sign);
    if (made !== undefined) return made;
  }
  return undefined;
}
