const encoder = new TextEncoder();

type NodeCrypto = typeof import('node:crypto');
type BuiltinModules = { getBuiltinModule?: (name: string) => unknown };

/**
 * node:crypto, where available: it signs several times faster than WebCrypto. Not imported, so that the file also loads on
 * runtimes without that module.
 */
const nodeCrypto = (globalThis as { process?: BuiltinModules }).process?.getBuiltinModule?.('node:crypto') as
  | NodeCrypto
  | undefined;

type Hmac = (secret: string, message: string) => Promise<Uint8Array>;

const hmacWithNode =
  (crypto: NodeCrypto): Hmac =>
  async (secret, message) =>
    crypto.createHmac('sha512', secret).update(message, 'utf8').digest();

/** HMAC-SHA512 over WebCrypto. Exported for tests, which run where node:crypto is available. */
export const hmacWithWebCrypto: Hmac = async (secret, message) => {
  const key = await importKey(secret);
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, encoder.encode(message)));
};

/** A server uses one or two secrets, so importing a key for each signature would be wasted time. */
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

/** Returns the HMAC-SHA512 of a text in UTF-8 (RFC 2104, RFC 6234). */
export const hmacSha512: Hmac = nodeCrypto === undefined ? hmacWithWebCrypto : hmacWithNode(nodeCrypto);

/** Returns the SHA-256 of a text in UTF-8. */
export async function sha256(text: string): Promise<Uint8Array> {
  if (nodeCrypto !== undefined) return nodeCrypto.createHash('sha256').update(text, 'utf8').digest();
  return new Uint8Array(await crypto.subtle.digest('SHA-256', encoder.encode(text)));
}

const hexDigits = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Returns lower-case hex. */
export function toHex(bytes: Uint8Array): string {
  let hex = '';
  for (const byte of bytes) hex += hexDigits[byte];
  return hex;
}

/**
 * Compares two texts by their SHA-256, so that the time depends neither on where they differ nor on the length of the one that is
 * secret.
 */
export async function equalInConstantTime(left: string, right: string): Promise<boolean> {
  const [one, other] = await Promise.all([sha256(left), sha256(right)]);
  return nodeCrypto === undefined ? equalDigests(one, other) : nodeCrypto.timingSafeEqual(one, other);
}

/** For runtimes without node:crypto. Exported for tests, which run where it is available. */
export function equalDigests(left: Uint8Array, right: Uint8Array): boolean {
  let difference = 0;
  for (const [index, byte] of left.entries()) difference |= byte ^ (right[index] ?? 0);
  return difference === 0;
}
