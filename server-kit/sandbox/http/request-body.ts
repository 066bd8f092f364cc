import { sliceJsonMember } from '../../signing/json-member.ts';
import { SandboxError } from '../errors/sandbox-error.ts';

/** Bodies of this size and over are refused, in bytes. */
const maxBodyBytes = 1_000_000;

/**
 * The body as text, or `undefined` for none.
 *
 * @throws {SandboxError} 413 `body_too_large`, 400 `body_malformed` for what is no UTF-8, or breaks off
 */
export async function readBodyText(request: Request): Promise<string | undefined> {
  const bytes = await readBytes(request);
  if (bytes.length === 0) return undefined;
  try {
    // A byte order mark stays: it was hashed, and JSON does not allow it.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new SandboxError('body_malformed', 'The body is not UTF-8; send JSON text in UTF-8.');
  }
}

async function readBytes(request: Request): Promise<Uint8Array> {
  if (Number(request.headers.get('content-length')) >= maxBodyBytes) throw bodyTooLarge();
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body?.getReader();
  while (reader !== undefined) {
    const { done, value } = await reader.read().catch(refuseBrokenBody);
    if (done) break;
    size += value.length;
    // The rest is left unread, not cancelled: cancelling can cut the connection before the answer is out.
    if (size >= maxBodyBytes) throw bodyTooLarge();
    chunks.push(value);
  }
  return concatenate(chunks, size);
}

/** The connection is mostly gone: this is for the log. */
function refuseBrokenBody(): never {
  throw new SandboxError('body_malformed', 'The body broke off before its end; send it whole.');
}

function bodyTooLarge(): SandboxError {
  return new SandboxError('body_too_large', `The body must have fewer than ${maxBodyBytes} bytes.`);
}

function concatenate(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  let position = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, position);
    position += chunk.length;
  }
  return bytes;
}

/**
 * The JSON object of a body, read so that nobody else can read it differently.
 *
 * @throws {SandboxError} 400 `body_missing`, `content_type_unsupported`, `body_malformed`
 */
export function parseBody(request: Request, text: string | undefined): unknown {
  if (text === undefined) throw new SandboxError('body_missing', 'The body is missing; send a JSON object.');
  const mediaType = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (mediaType !== 'application/json') {
    throw new SandboxError('content_type_unsupported', 'Send the body as "Content-Type: application/json".');
  }
  return parseObject(text);
}

/**
 * The same of its text alone.
 *
 * @throws {SandboxError} 400 `body_malformed` for what is no JSON object, holds a key twice, the key `__proto__`, or half of
 *   a surrogate pair
 */
export function parseObject(text: string): unknown {
  try {
    // Only for what it refuses.
    sliceJsonMember(text, '');
  } catch (cause) {
    throw new SandboxError('body_malformed', `The body cannot be read: ${(cause as Error).message}`);
  }
  const body: unknown = JSON.parse(text);
  const fault = findFault(body);
  if (fault !== undefined) throw new SandboxError('body_malformed', `The body holds ${fault}.`);
  return body;
}

/**
 * What no object or text of ours could hold as it was sent, in words. With a list of its own instead of recursion: the nesting is
 * the sender's choice.
 */
export function findFault(body: unknown): string | undefined {
  const pending: unknown[] = [body];
  const seen = new Set<object>();
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value === 'string' && /\p{Surrogate}/u.test(value)) {
      return 'half of a surrogate pair, which is no character';
    }
    // What comes from this process may hold itself.
    if (typeof value !== 'object' || value === null || seen.has(value)) continue;
    seen.add(value);
    if (Object.hasOwn(value, '__proto__')) return 'the key "__proto__"; rename it';
    for (const [key, item] of Object.entries(value)) pending.push(key, item);
  }
  return undefined;
}
