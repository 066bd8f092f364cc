const encoder = new TextEncoder();

type NodeCrypto = typeof import('node:crypto');
type BuiltinModules = { getBuiltinModule?: (name: string) => unknown };

/**
 * node:crypto where the runtime has it: it signs several times faster than WebCrypto. Asking the process for it,
 * instead of importing it, lets the same file load on runtimes that have no such module.
 */
const nodeCrypto = (globalThis as { process?: BuiltinModules }).process?.getBuiltinModule?.('node:crypto') as
  | NodeCrypto
  | undefined;

type Hmac = (secret: string, message: string) => Promise<Uint8Array>;

const hmacWithNode =
  (crypto: NodeCrypto): Hmac =>
  async (secret, message) =>
    crypto.createHmac('sha512', secret).update(message, 'utf8').digest();

/** HMAC-SHA512 over WebCrypto. Exported so that its tests run where node:crypto would be taken. */
export const hmacWithWebCrypto: Hmac = async (secret, message) => {
  const key = await importKey(secret);
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, encoder.encode(message)));
};

/** A server signs with one or two secrets, so that importing each time would only cost time. */
const importedKeys = new Map<string, Promise<CryptoKey>>();
const maxImportedKeys = 16;

function importKey(secret: string): Promise<CryptoKey> {
  const known = importedKeys.get(secret);
  if (known !== undefined) return known;
  if (importedKeys.size >= maxImportedKeys) importedKeys.clear();
  const algorithm = { name: 'HMAC', hash: 'SHA-512' };
  const key = crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['sign']);
  importedKeys.set(secret, key);
  return key;
}

/** HMAC-SHA512 of a text in UTF-8 (RFC 2104, RFC 6234). */
export const hmacSha512: Hmac = nodeCrypto === undefined ? hmacWithWebCrypto : hmacWithNode(nodeCrypto);

/** SHA-256 of a text in UTF-8. */
export async function sha256(text: string): Promise<Uint8Array> {
  if (nodeCrypto !== undefined) return nodeCrypto.createHash('sha256').update(text, 'utf8').digest();
  return new Uint8Array(await crypto.subtle.digest('SHA-256', encoder.encode(text)));
}

/** Lower-case hex. */
export function toHex(bytes: Uint8Array): string {
  let hex = '';
  for (const byte of bytes) hex += byte.toString(16).padStart(2, '0');
  return hex;
}

/**
 * Compares two strings in a time that depends on their lengths only, never on where they differ.
 * Lengths are no secret here: every signature has the same one.
 */
export function equalInConstantTime(left: string, right: string): boolean {
  if (left.length !== right.length) return false;
  let difference = 0;
  for (let index = 0; index < left.length; index++)
    difference |= left.charCodeAt(index) ^ right.charCodeAt(index);
  return difference === 0;
}
