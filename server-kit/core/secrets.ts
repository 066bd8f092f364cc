import * as v from 'valibot';
import { listOf } from './options.ts';

/** Signs several times faster than WebCrypto. Not imported, so that the file also loads on runtimes without it. */
const nodeCrypto = (
  globalThis as { process?: { getBuiltinModule?: (name: string) => unknown } }
).process?.getBuiltinModule?.('node:crypto') as typeof import('node:crypto') | undefined;

const encoder = new TextEncoder();
const toHex = (bytes: ArrayBuffer): string =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Returns the HMAC-SHA512 of a text in UTF-8 as lower-case hex (RFC 2104, RFC 6234). */
export async function hmacHex(secret: string, message: string): Promise<string> {
  if (nodeCrypto) return nodeCrypto.createHmac('sha512', secret).update(message, 'utf8').digest('hex');
  const algorithm = { name: 'HMAC', hash: 'SHA-512' };
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['sign']);
  return toHex(await crypto.subtle.sign('HMAC', key, encoder.encode(message)));
}

export async function sha256Hex(text: string): Promise<string> {
  if (nodeCrypto) return nodeCrypto.createHash('sha256').update(text, 'utf8').digest('hex');
  return toHex(await crypto.subtle.digest('SHA-256', encoder.encode(text)));
}

/** Compares two texts by their SHA-256, so that the time depends neither on where they differ nor on the length of the secret one. */
export async function equalInConstantTime(left: string, right: string): Promise<boolean> {
  const [one, other] = await Promise.all([sha256Hex(left), sha256Hex(right)]);
  let difference = 0;
  for (let index = 0; index < one.length; index++)
    difference |= one.charCodeAt(index) ^ other.charCodeAt(index);
  return difference === 0;
}

/** What files, shells and editors leave: white space and quotes around a key, line ends and hidden characters anywhere. */
const stray = /^\s|\s$|[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|^["'`“‘].*["'`”’]$/u;

/** A key without what an editor or a shell has left around it: with a line end after it, each request would get a 401. */
export const BareKey = v.pipe(
  v.string('must be a text'),
  v.check(
    (key) => !stray.test(key),
    'must be the key alone; remove the spaces, line ends, quotes or hidden characters around it',
  ),
);

const isRepetitive = (key: string): boolean =>
  Array.from({ length: key.length / 2 }, (_, index) => key.slice(index + 1)).some((end) =>
    key.startsWith(end),
  );

/** A secret that is not a placeholder such as `xxxx…` or `changemechangeme…`. */
export const Secret = v.pipe(
  BareKey,
  v.check((key) => !isRepetitive(key), 'must not repeat itself; make one with: openssl rand -hex 32'),
);

/** A secret key of a merchant's own. */
export const SecretKey = v.pipe(
  Secret,
  v.minLength(32, 'must have at least 32 characters; make one with: openssl rand -hex 32'),
);

/** The keys of the client secrets: the first signs, all verify. */
export const ClientSecretKeys = v.pipe(
  listOf(SecretKey, 'must be a list, with the key that signs first: [key]'),
  v.check((keys) => keys.length > 0, 'must hold at least one key; make one with: openssl rand -hex 32'),
);

export type ClientSecretClaims = {
  reference: string;
  liveMode: boolean;
  /** UNIX seconds; the secret is refused from then on. */
  expiresAtSeconds: number;
};

export type ClientSecrets = ReturnType<typeof createClientSecrets>;

/** Whether a text begins as client secrets do; its signature is not checked. */
export const resemblesClientSecret = (text: string): boolean => /^cs_(live|test)_/.test(text);

/** Issues client secrets, `cs_test_<expiry>_<mac>` or `cs_live_...`: signed, expiring capabilities for one reference and mode. */
export function createClientSecrets(keys: readonly string[], lifetimeSeconds: number) {
  const mac = async (key: string, { reference, liveMode, expiresAtSeconds }: ClientSecretClaims) => {
    // JSON separates the fields, whatever a reference contains. The purpose is signed, so that no other accepts these secrets.
    const message = JSON.stringify(['client-secret', 1, 'session', reference, liveMode, expiresAtSeconds]);
    // 256 bits; RFC 2104, section 5, allows truncation.
    return (await hmacHex(key, message)).slice(0, 64);
  };
  return {
    lifetimeSeconds,
    /** Returns the same secret for the same claims, so that a repeated request does not add another. */
    async issue(claims: ClientSecretClaims): Promise<string> {
      const mode = claims.liveMode ? 'live' : 'test';
      return `cs_${mode}_${claims.expiresAtSeconds.toString(36)}_${await mac(keys[0] ?? '', claims)}`;
    },
    /** Returns the claims of a secret that was issued for this reference with any of the keys, and has not expired. Reads no store. */
    async verify(secret: string, reference: string, nowMs: number): Promise<ClientSecretClaims | undefined> {
      const [, mode, expiry = '', given = ''] =
        /^cs_(live|test)_([0-9a-z]{1,8})_([0-9a-f]{64})$/.exec(secret) ?? [];
      const claims = { reference, liveMode: mode === 'live', expiresAtSeconds: Number.parseInt(expiry, 36) };
      const matches = await Promise.all(
        keys.map(async (key) => equalInConstantTime(await mac(key, claims), given)),
      );
      return matches.includes(true) && nowMs / 1000 < claims.expiresAtSeconds ? claims : undefined;
    },
  };
}
