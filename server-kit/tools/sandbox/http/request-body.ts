import { bodyOf } from '../../../client/http/read-body.ts';
import { SandboxError } from '../errors/sandbox-error.ts';
import { parseObject } from '../input/json-object.ts';

/** Bodies of this size and over are refused, in bytes. */
const maxBodyBytes = 1_000_000;

/**
 * Reads the body as text; `undefined` for no body.
 *
 * @throws {SandboxError} 413 `body_too_large`; 400 `body_malformed` for a body that is not UTF-8 or is incomplete
 */
export async function readBodyText(request: Request): Promise<string | undefined> {
  const bytes = await readBytes(request);
  if (bytes.length === 0) return undefined;
  try {
    // Keeps a byte order mark: the sender hashed it, and JSON does not allow it.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new SandboxError('body_malformed', 'The body is not UTF-8; send JSON text in UTF-8.');
  }
}

async function readBytes(request: Request): Promise<Uint8Array> {
  if (Number(request.headers.get('content-length')) >= maxBodyBytes) throw bodyTooLarge();
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = (await bodyOf(request))?.getReader();
  while (reader !== undefined) {
    const { done, value } = await reader.read().catch(refuseBrokenBody);
    if (done) break;
    size += value.length;
    // Does not cancel the rest: that can cut the connection before the response is sent.
    if (size >= maxBodyBytes) throw bodyTooLarge();
    chunks.push(value);
  }
  return concatenate(chunks, size);
}

/** The client has usually disconnected, so that only the log shows this. */
function refuseBrokenBody(): never {
  throw new SandboxError('body_malformed', 'The body ended too early; send all of it.');
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
 * Parses the JSON object of a body; see `parseObject`.
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
