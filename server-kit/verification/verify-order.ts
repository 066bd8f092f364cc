import { raceAbort } from '../async/wait.ts';
import { countsForOrder } from '../payments/order-view.ts';
import type { PaymentRecord } from '../stores/payment-record.ts';
import type { Log } from '../telemetry/log.ts';
import type { Verifier } from './verifier.ts';

type Options = {
  verifier: Verifier;
  /** Aborts when a shopper whose account is known has waited long enough. */
  patience: AbortSignal;
  /** Aborts when any shopper has waited long enough. */
  deadline: AbortSignal;
  log: Log;
};

/** Whether a held request for one payment of the order also verifies this one. */
export const isVerifiedWith = (requested: string, record: PaymentRecord): boolean =>
  record.reference === requested || countsForOrder(record);

/**
 * Returns the order's payments after a verification of those that `isVerifiedWith` names. A failure counts only for the
 * requested payment; the others are verified again later.
 *
 * @throws {CheckoutError} if the requested payment cannot be verified
 */
export function verifyOrder(
  verifier: Verifier,
  records: readonly PaymentRecord[],
  requested: string,
): Promise<PaymentRecord[]> {
  return Promise.all(
    records.map(async (record) => {
      const { reference } = record;
      if (!isVerifiedWith(requested, record)) return record;
      const verification = verifier.verify(reference);
      const verified = await (reference === requested ? verification : verification.catch(() => undefined));
      return verified ?? record;
    }),
  );
}

/** Returns the order's payments after a verification of the earlier ones, as far as the service responds in time. */
export function verifyEarlier(options: Options, records: readonly PaymentRecord[]): Promise<PaymentRecord[]> {
  return Promise.all(
    records.map(async (record, index) => {
      const verified =
        mayPayLate(record, index, records) && (await verifyPatiently(options, record.reference));
      return verified || record;
    }),
  );
}

/**
 * Returns the order's payments after an immediate verification of the earlier ones, for a decision.
 *
 * @throws {CheckoutError} if one of them cannot be verified
 */
export async function verifyEarlierNow(
  { verifier, deadline }: Pick<Options, 'verifier' | 'deadline'>,
  records: readonly PaymentRecord[],
): Promise<PaymentRecord[]> {
  // All end before this does, so that none continues for a decision that was given up.
  const settled = await Promise.allSettled(
    records.map((record, index) =>
      mayPayLate(record, index, records) ? verifier.verifyNow(record.reference, deadline) : record,
    ),
  );
  return settled.map((verified, index) => {
    if (verified.status === 'rejected') throw verified.reason;
    return verified.value ?? (records[index] as PaymentRecord);
  });
}

/** Whether late money may have arrived on this payment, which is not the latest of its order. */
const mayPayLate = (record: PaymentRecord, index: number, records: readonly PaymentRecord[]): boolean =>
  index < records.length - 1 && countsForOrder(record) && record.outcome !== 'paid';

/** Returns the record after a verification; `undefined` if that failed, or took longer than a shopper should wait. */
export async function verifyPatiently(
  { verifier, patience, log }: Pick<Options, 'verifier' | 'patience' | 'log'>,
  reference: string,
): Promise<PaymentRecord | undefined> {
  try {
    return await raceAbort(verifier.verify(reference), patience);
  } catch (error) {
    if (error !== patience.reason) log({ type: 'verificationFailed', reference, error });
    return undefined;
  }
}
