import type { PaymentView } from '../../../src/contract/index.ts';
import { sha256, toHex } from '../signing/hmac.ts';

/**
 * Returns a strong ETag over the whole view (RFC 9110, section 8.8.3). It ignores time: a view keeps its ETag, on every
 * instance, until something happens to the payment.
 */
export async function etagOf(view: PaymentView): Promise<string> {
  return `"${toHex(await sha256(JSON.stringify(view))).slice(0, 32)}"`;
}

/**
 * Whether an `If-None-Match` names this ETag, also in a list, or is `*` (RFC 9110, section 13.1.2). The hash decides: proxies that
 * compress add `W/`, `-gzip`, `;br` and others to the tag that a browser gets, and pass it on as the browser returns it.
 */
export const matchesEtag = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch !== undefined && (ifNoneMatch.trim() === '*' || ifNoneMatch.includes(etag.slice(1, -1)));
