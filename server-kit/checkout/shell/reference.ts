/** Crockford's base 32: without i, l, o and u, which are easily misread. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const length = 12;

/**
 * Returns a new reference, such as `tc_7f3k9qxm2d4w`: 60 random bits, short enough to read out to a help desk. It reveals
 * nothing about the order, and exists before the service is called.
 */
export function createReference(randomBytes: (length: number) => Uint8Array = webRandomBytes): string {
  let reference = 'tc_';
  for (const byte of randomBytes(length)) reference += alphabet[byte % alphabet.length];
  return reference;
}

/** Returns whether a text has the form of a reference that `createReference` returns. */
export const isReference = (text: string): boolean => /^tc_[0-9a-hjkmnp-tv-z]{12}$/.test(text);

const webRandomBytes = (size: number): Uint8Array => crypto.getRandomValues(new Uint8Array(size));
