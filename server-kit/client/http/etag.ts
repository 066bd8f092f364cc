import type { PaymentView } from '../../../src/contract/index.ts';
import { sha256, toHex } from '../signing/hmac.ts';

/**
 * Returns a strong ETag over the whole view (RFC 9110, section 8.8.3). It ignores time: a view keeps its ETag, on every
 * instance, until something happens to the payment.
 */
export async function etagOf(view: PaymentView): Promise<string> {
  return `"${toHex(await sha256(JSON.stringify(view))).slice(0, 32)}"`;
}

/** Whether an `If-None-Match` names this ETag: weak comparison, lists and `*` (RFC 9110, section 13.1.2). */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.split(',').some((one) => ['*', etag].includes(one.trim().replace(/^W\//, '')));
}
