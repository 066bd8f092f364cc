import { equalInConstantTime, hmacSha512, toHex } from '../signing/hmac.ts';

/** What a client secret is good for. There is one purpose so far; a second one must not accept the first's secrets. */
type Purpose = 'session';

export type ClientSecretClaims = {
  reference: string;
  liveMode: boolean;
  /** UNIX seconds; from then on the secret is refused. */
  expiresAtSeconds: number;
};

/** Makes and checks the secrets that let a shopper's browser read one payment. */
export type ClientSecrets = {
  /** The same claims always give the same secret, so that asking again does not multiply secrets. */
  issue: (claims: ClientSecretClaims) => Promise<string>;
  /**
   * Whether `secret` was made for this reference with any of the keys, and when it ends; `undefined` where it was
   * not, or has ended. Needs no look at the store, so that an unknown reference takes as long as a known one.
   */
  verify: (secret: string, reference: string, nowMs: number) => Promise<ClientSecretClaims | undefined>;
};

/** The longest time after expiry in which something can still happen that a shopper wants to see: 37 days. */
export const secretLifetimeSeconds = 37 * 24 * 3600;

/** 256 bits of the HMAC are kept; RFC 2104, section 5, allows to truncate. */
const macHexLength = 64;

/**
 * A secret reads `cs_test_<expiry>_<mac>` or `cs_live_...`: a signed, expiring capability for one reference, one
 * purpose and one mode. Nothing is stored for it, and any instance with the keys can check it.
 *
 * @param keys the first signs, all verify; at least 32 characters each
 */
export function createClientSecrets(keys: readonly string[], purpose: Purpose = 'session'): ClientSecrets {
  const [signingKey = ''] = keys;
  const mac = async (
    key: string,
    { reference, liveMode, expiresAtSeconds }: ClientSecretClaims,
  ): Promise<string> => {
    // JSON keeps the fields apart, whatever a reference holds.
    const message = JSON.stringify(['client-secret', 1, purpose, reference, liveMode, expiresAtSeconds]);
    return toHex(await hmacSha512(key, message)).slice(0, macHexLength);
  };
  return {
    async issue(claims) {
      const mode = claims.liveMode ? 'live' : 'test';
      return `cs_${mode}_${claims.expiresAtSeconds.toString(36)}_${await mac(signingKey, claims)}`;
    },
    async verify(secret, reference, nowMs) {
      const match = /^cs_(live|test)_([0-9a-z]{1,8})_([0-9a-f]{64})$/.exec(secret);
      const [, mode, expiry = '', given = ''] = match ?? [];
      const claims = {
        reference,
        liveMode: mode === 'live',
        expiresAtSeconds: Number.parseInt(expiry || '0', 36),
      };
      const expected = await Promise.all(keys.map((key) => mac(key, claims)));
      const matches = expected.filter((one) => equalInConstantTime(one, given)).length;
      return matches > 0 && nowMs / 1000 < claims.expiresAtSeconds ? claims : undefined;
    },
  };
}
