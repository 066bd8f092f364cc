import type { PaymentView } from '../../src/contract/index.ts';
import { sha256, toHex } from '../signing/hmac.ts';
import type { OpenedPayment, PaymentRecord } from '../stores/store.ts';

/** A record whose account is known, so that it can be shown. */
export type OpenedRecord = PaymentRecord & { opened: OpenedPayment };

export const isOpened = (record: PaymentRecord | undefined): record is OpenedRecord => record?.opened != null;

/** What the shopper's browser may know of a record. Named field by field: nothing else can slip through. */
export function toPaymentView(record: OpenedRecord): PaymentView {
  const { reference, amount, opened, observed, outcome } = record;
  const { outcomeAt: paidAt = observed?.updatedAt } = record;
  const { account, openedAt, expiresAt, liveMode } = opened;
  const payableAt = payableAtOf(record);
  return {
    reference,
    account: { number: account.number, name: account.name, bankName: account.bankName },
    amount: { value: amount.value, currency: amount.currency },
    chargedAmount: observed?.chargedAmount ?? 0,
    status: observed?.status ?? 'initiated',
    // Nobody can pay by a view without an account: a widget that does not know `authorizationUrl` says so, and goes on asking.
    outcome: payableAt === undefined ? outcome : 'unclear',
    openedAt,
    expiresAt,
    liveMode,
    ...(outcome === 'paid' && paidAt !== undefined && { paidAt }),
    ...(outcome === 'paid' && isLate(record) && { receivedLate: true }),
    ...(payableAt !== undefined && { authorizationUrl: payableAt }),
  };
}

/** The page of the service on which a payment is to be made, or to be completed. */
function payableAtOf({ opened, observed, outcome }: OpenedRecord): string | undefined {
  const isWaiting = outcome === 'pending' && observed?.status !== 'charged';
  return isWaiting ? opened.link?.authorizationUrl : undefined;
}

/** Whether the service confirmed what it says of the payment only after the account had expired. */
export function isLate({ observed, outcomeAt = observed?.updatedAt, opened }: OpenedRecord): boolean {
  return outcomeAt !== undefined && Date.parse(outcomeAt) > Date.parse(opened.expiresAt);
}

/**
 * A strong ETag over the whole view (RFC 9110, section 8.8.3). Time is not in it: the same view keeps its ETag for
 * as long as nothing happens to the payment, on every instance.
 */
export async function etagOf(view: PaymentView): Promise<string> {
  return `"${toHex(await sha256(JSON.stringify(view))).slice(0, 32)}"`;
}

/** Whether an `If-None-Match` names this ETag: weak comparison, lists and `*` (RFC 9110, section 13.1.2). */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.split(',').some((one) => ['*', etag].includes(one.trim().replace(/^W\//, '')));
}
