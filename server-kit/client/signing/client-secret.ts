import { equalInConstantTime, hmacSha512, toHex } from './hmac.ts';

export type ClientSecretClaims = {
  reference: string;
  liveMode: boolean;
  /** UNIX seconds; the secret is refused from then on. */
  expiresAtSeconds: number;
};

/** Issues and verifies the secrets that let a shopper's browser read one payment. */
export type ClientSecrets = {
  /** How long a secret outlives its payment's account, in seconds. */
  lifetimeSeconds: number;
  /** Returns the same secret for the same claims, so that a repeated request does not add another. */
  issue: (claims: ClientSecretClaims) => Promise<string>;
  /**
   * Returns the claims of a secret that was issued for this reference with any of the keys; `undefined` if it was not, or
   * has expired. Does not read the store, so that an unknown reference takes as long as a known one.
   */
  verify: (secret: string, reference: string, nowMs: number) => Promise<ClientSecretClaims | undefined>;
  /** Returns whether a text has the form of a secret that has not expired; its signature is not checked. */
  isUnexpired: (secret: string, nowMs: number) => boolean;
};

/** Whether a text begins as client secrets do; its signature is not checked. */
export const resemblesClientSecret = (text: string): boolean => /^cs_(live|test)_/.test(text);

/** 256 bits of the HMAC are kept; RFC 2104, section 5, allows truncation. */
const macHexLength = 64;

/**
 * Creates the issuer of client secrets. A secret reads `cs_test_<expiry>_<mac>` or `cs_live_...`: a signed, expiring
 * capability for one reference, one purpose and one mode. It is not stored; any instance with the keys can verify it.
 *
 * @param keys the first signs, all verify; at least 32 characters each
 */
export function createClientSecrets(keys: readonly string[], lifetimeSeconds: number): ClientSecrets {
  const [signingKey = ''] = keys;
  const mac = async (
    key: string,
    { reference, liveMode, expiresAtSeconds }: ClientSecretClaims,
  ): Promise<string> => {
    // JSON separates the fields, whatever characters a reference contains. The purpose is signed as well, so that a second
    // one cannot accept these secrets.
    const message = JSON.stringify(['client-secret', 1, 'session', reference, liveMode, expiresAtSeconds]);
    return toHex(await hmacSha512(key, message)).slice(0, macHexLength);
  };
  return {
    lifetimeSeconds,
    async issue(claims) {
      const mode = claims.liveMode ? 'live' : 'test';
      return `cs_${mode}_${claims.expiresAtSeconds.toString(36)}_${await mac(signingKey, claims)}`;
    },
    async verify(secret, reference, nowMs) {
      const { given, ...unverified } = parseSecret(secret);
      const claims = { reference, ...unverified };
      const matches = await Promise.all(
        keys.map(async (key) => equalInConstantTime(await mac(key, claims), given)),
      );
      return matches.includes(true) && nowMs / 1000 < claims.expiresAtSeconds ? claims : undefined;
    },
    isUnexpired: (secret, nowMs) => nowMs / 1000 < parseSecret(secret).expiresAtSeconds,
  };
}

/** The parts of a secret. Without the form of one, `given` is empty and the time `NaN`, before which nothing is. */
function parseSecret(secret: string): Omit<ClientSecretClaims, 'reference'> & { given: string } {
  const match = /^cs_(live|test)_([0-9a-z]{1,8})_([0-9a-f]{64})$/.exec(secret);
  const [, mode, expiry = '', given = ''] = match ?? [];
  return { given, liveMode: mode === 'live', expiresAtSeconds: Number.parseInt(expiry, 36) };
}
