import { hmacSha512, toHex } from '../signing/hmac.ts';

/**
 * A key as it is counted. Hashed, so that it fits wherever it is kept, however long it is and whatever it holds, and
 * so that whoever looks at the counts does not read shoppers' addresses.
 */
export async function hashKey(key: string): Promise<string> {
  return toHex(await hmacSha512('transfer_checkout', key)).slice(0, 32);
}
