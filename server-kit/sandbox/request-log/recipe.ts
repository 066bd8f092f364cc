import { toHex } from '../../hmac.ts';
import { hmacHex } from '../../signature.ts';

/** How bytes are made of a text: with the secret as key, or, `SHA-512`, with none. */
type Algorithm = 'HMAC-SHA-512' | 'HMAC-SHA-256' | 'SHA-512';
type Encoding = 'hex' | 'upperCaseHex' | 'base64';

/** Each step of signing a request, so that each can be done wrong. */
export type Recipe = {
  secret: string;
  /** What stands before the path. */
  method: string;
  path: string;
  pathCase: 'lowerCase' | 'exact';
  /** The text that is hashed, or `undefined` for none. */
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

/** The signature that this recipe makes. */
export async function signAs(recipe: Recipe): Promise<string> {
  const { method, path, pathCase, timestamp, separator } = recipe;
  const parts = {
    path:
      method + separator.repeat(Number(method !== '')) + (pathCase === 'exact' ? path : path.toLowerCase()),
    body: await bodyPartOf(recipe),
    timestamp,
  };
  const texts = recipe.order.map((name) => parts[name]).filter((part) => part !== '');
  return digest(recipe.secret, texts.join(separator), recipe.algorithm, recipe.encoding);
}

async function bodyPartOf({ body, bodyPart, secret, bodyAlgorithm, bodyEncoding }: Recipe): Promise<string> {
  if (body === undefined || bodyPart === 'nothing') return '';
  return bodyPart === 'text' ? body : digest(secret, body, bodyAlgorithm, bodyEncoding);
}

async function digest(
  secret: string,
  text: string,
  algorithm: Algorithm,
  encoding: Encoding,
): Promise<string> {
  if (algorithm === 'HMAC-SHA-512' && encoding === 'hex') return hmacHex(secret, text);
  return encode(await hash(secret, new TextEncoder().encode(text), algorithm), encoding);
}

async function hash(secret: string, bytes: BufferSource, algorithm: Algorithm): Promise<Uint8Array> {
  if (algorithm === 'SHA-512') return new Uint8Array(await crypto.subtle.digest(algorithm, bytes));
  const key = { name: 'HMAC', hash: algorithm.replace('HMAC-', '') };
  const imported = await crypto.subtle.importKey('raw', new TextEncoder().encode(secret), key, false, [
    'sign',
  ]);
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, bytes));
}

function encode(bytes: Uint8Array, encoding: Encoding): string {
  if (encoding === 'base64') return btoa(String.fromCharCode(...bytes));
  return encoding === 'hex' ? toHex(bytes) : toHex(bytes).toUpperCase();
}
