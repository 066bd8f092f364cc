import { notFoundStatus, type PaymentView } from '../../src/contract/index.ts';
import { sha256, toHex } from '../signing/hmac.ts';
import { isLate, type OpenedPayment, type PaymentRecord } from '../stores/payment-record.ts';
import { isNotFound } from './not-found.ts';

/** A record whose account or link is known, so that it can be shown. */
export type OpenedRecord = PaymentRecord & { opened: OpenedPayment };

export const isOpened = (record: PaymentRecord | undefined): record is OpenedRecord => record?.opened != null;

/** Returns what the shopper's browser may know of a record. Each field is listed, so that nothing else gets out. */
export function toPaymentView(record: OpenedRecord): PaymentView {
  const { reference, orderId, amount, opened, observed, outcome } = record;
  const { outcomeAt: paidAt = observed?.updatedAt } = record;
  const { account, openedAt, expiresAt, liveMode } = opened;
  const payableAt = payableAtOf(record);
  const isUnknown = isNotFound(record);
  return {
    reference,
    account: { number: account.number, name: account.name, bankName: account.bankName },
    amount: { value: amount.value, currency: amount.currency },
    chargedAmount: observed?.chargedAmount ?? 0,
    status: isUnknown ? notFoundStatus : (observed?.status ?? 'initiated'),
    // Nobody should pay into this account, or an older widget has none to show: `unclear` makes the widget keep polling.
    outcome: isUnknown || payableAt !== undefined ? 'unclear' : outcome,
    openedAt,
    expiresAt,
    liveMode,
    ...(outcome === 'paid' && { orderId }),
    ...(outcome === 'paid' && paidAt !== undefined && { paidAt }),
    ...(outcome === 'paid' && isLate(record) && { receivedLate: true }),
    ...(payableAt !== undefined && { authorizationUrl: payableAt }),
  };
}

/** Returns the page of the service on which a payment can still be made or completed. */
function payableAtOf(record: OpenedRecord): string | undefined {
  const { opened, observed, outcome } = record;
  const isWaiting = outcome === 'pending' && observed?.status !== 'charged' && !isNotFound(record);
  return isWaiting ? opened.link?.authorizationUrl : undefined;
}

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
