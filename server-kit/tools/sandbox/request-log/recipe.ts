import { hmacSha512, toHex } from '../../../client/signing/hmac.ts';

/** `SHA-512` has no key; the others use the secret. */
type Algorithm = 'HMAC-SHA-512' | 'HMAC-SHA-256' | 'SHA-512';
type Encoding = 'hex' | 'upperCaseHex' | 'base64';

/** Each step of signing a request, so that mistakes can change it. */
export type Recipe = {
  secret: string;
  /** Text before the path. */
  method: string;
  path: string;
  pathCase: 'lowerCase' | 'exact';
  /** The hashed text; `undefined` for none. */
  body: string | undefined;
  bodyPart: 'hash' | 'text' | 'nothing';
  bodyAlgorithm: Algorithm;
  bodyEncoding: Encoding;
  timestamp: string;
  order: readonly ('path' | 'body' | 'timestamp')[];
  separator: string;
  algorithm: Algorithm;
  encoding: Encoding;
};

/** Creates a function that signs recipes. It caches body hashes, because many recipes share one. */
export function createSigner(): (recipe: Recipe) => Promise<string> {
  const bodyHashes = new Map<string, Promise<string>>();
  const bodyHashOf = ({ secret, body = '', bodyAlgorithm, bodyEncoding }: Recipe): Promise<string> => {
    const key = JSON.stringify([secret, body, bodyAlgorithm, bodyEncoding]);
    const made = bodyHashes.get(key) ?? digest(secret, body, bodyAlgorithm, bodyEncoding);
    bodyHashes.set(key, made);
    return made;
  };
  return async (recipe) => {
    const { method, path, pathCase, body, bodyPart, timestamp, separator } = recipe;
    const signedPath = pathCase === 'exact' ? path : path.toLowerCase();
    const parts = {
      path: method === '' ? signedPath : method + separator + signedPath,
      body: bodyPart === 'text' ? (body ?? '') : '',
      timestamp,
    };
    if (body !== undefined && bodyPart === 'hash') parts.body = await bodyHashOf(recipe);
    const texts = recipe.order.map((name) => parts[name]).filter((part) => part !== '');
    return digest(recipe.secret, texts.join(separator), recipe.algorithm, recipe.encoding);
  };
}

async function digest(
  secret: string,
  text: string,
  algorithm: Algorithm,
  encoding: Encoding,
): Promise<string> {
  return encode(await hash(secret, text, algorithm), encoding);
}

async function hash(secret: string, text: string, algorithm: Algorithm): Promise<Uint8Array> {
  if (algorithm === 'HMAC-SHA-512') return hmacSha512(secret, text);
  const encoder = new TextEncoder();
  if (algorithm === 'SHA-512') {
    return new Uint8Array(await crypto.subtle.digest(algorithm, encoder.encode(text)));
  }
  const kind = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), kind, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, encoder.encode(text)));
}

function encode(bytes: Uint8Array, encoding: Encoding): string {
  if (encoding === 'base64') return btoa(String.fromCharCode(...bytes));
  return encoding === 'hex' ? toHex(bytes) : toHex(bytes).toUpperCase();
}
