import * as v from 'valibot';
import type { PaymentView } from '../../src/contract/index.ts';
import { listOf } from './options.ts';

/** Several times faster than WebCrypto. Not imported: some runtimes lack it. */
const nodeCrypto = globalThis.process?.getBuiltinModule?.('node:crypto');

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

/** Compares by SHA-256, so that the time reveals neither where the texts differ nor the length of the secret one. */
export async function equalInConstantTime(left: string, right: string): Promise<boolean> {
  const [one, other] = await Promise.all([sha256Hex(left), sha256Hex(right)]);
  let difference = 0;
  for (let index = 0; index < one.length; index++)
    difference |= one.charCodeAt(index) ^ other.charCodeAt(index);
  return difference === 0;
}

const stray = /^\s|\s$|[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|^["'`“‘].*["'`”’]$/u;

/** A key without what editors and shells leave around it: with a line end, every request would get a 401. */
export const BareKey = v.pipe(
  v.string('must be a text'),
  v.check((key) => !stray.test(key), 'must be the key alone; remove spaces, line ends and quotes around it'),
);

const isRepetitive = (key: string): boolean =>
  Array.from({ length: key.length / 2 }).some((_, index) => key.startsWith(key.slice(index + 1)));

const makeOne = 'make one with: openssl rand -hex 32';
/** A secret, and no placeholder such as `changemechangeme…`. */
export const Secret = v.pipe(
  BareKey,
  v.check((key) => !isRepetitive(key), `must not repeat itself; ${makeOne}`),
);
export const SecretKey = v.pipe(Secret, v.minLength(32, `must have at least 32 characters; ${makeOne}`));

export const ClientSecretKeys = v.pipe(
  listOf(SecretKey, 'must be a list, with the key that signs first: [key]'),
  v.check((keys) => keys.length > 0, `must hold at least one key; ${makeOne}`),
);

type Payment = Pick<PaymentView, 'reference' | 'liveMode' | 'expiresAt'>;
type Claims = Omit<Payment, 'expiresAt'> & { expiresAtSeconds: number };

export type ClientSecrets = ReturnType<typeof createClientSecrets>;

export const resemblesClientSecret = (text: string): boolean => /^cs_(live|test)_/.test(text);

/** Issues and verifies client secrets, `cs_test_<expiry>_<mac>` or `cs_live_…`. Each shows one payment until it expires. */
export function createClientSecrets(keys: readonly string[], lifetimeSeconds: number) {
  const mac = async (key: string, { reference, liveMode, expiresAtSeconds }: Claims) => {
    // The purpose is signed, too: secrets of another purpose do not pass.
    const message = JSON.stringify(['client-secret', 1, 'session', reference, liveMode, expiresAtSeconds]);
    // 256 bits; RFC 2104, section 5, allows truncation.
    return (await hmacHex(key, message)).slice(0, 64);
  };
  return {
    async issue({ reference, liveMode, expiresAt }: Payment): Promise<string> {
      const expiresAtSeconds = Math.floor(Date.parse(expiresAt) / 1000) + lifetimeSeconds;
      const signed = await mac(keys[0] ?? '', { reference, liveMode, expiresAtSeconds });
      return `cs_${liveMode ? 'live' : 'test'}_${expiresAtSeconds.toString(36)}_${signed}`;
    },
    /** Returns the claims of a valid secret of this reference, and reads no store. */
    async verify(secret: string, reference: string, nowMs: number): Promise<Claims | undefined> {
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
