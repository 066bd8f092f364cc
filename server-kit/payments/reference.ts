/** Without i, l, o and u: what remains cannot be misread on the phone (Crockford's base 32). */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const length = 12;

/**
 * A new reference, such as `tc_7f3k9qxm2d4w`: 60 random bits, short enough to read out to a help desk. It tells
 * nothing of the order, and is known before the service is called.
 */
export function createReference(randomBytes: (length: number) => Uint8Array = webRandomBytes): string {
  let reference = 'tc_';
  for (const byte of randomBytes(length)) reference += alphabet[byte % alphabet.length];
  return reference;
}

const webRandomBytes = (size: number): Uint8Array => crypto.getRandomValues(new Uint8Array(size));
