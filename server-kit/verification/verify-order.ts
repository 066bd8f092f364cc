import { raceAbort } from '../async/wait.ts';
import { isOpened } from '../payments/payment-view.ts';
import type { PaymentRecord } from '../stores/store.ts';
import type { Log } from '../telemetry/log.ts';
import type { Verifier } from './verifier.ts';

type Options = {
  verifier: Verifier;
  /** Aborts when a shopper whose account is known has waited long enough. */
  patience: AbortSignal;
  /** Aborts when any shopper has. */
  deadline: AbortSignal;
  log: Log;
};

/** Whether late money may have come on this payment, which is not the order's latest. */
const mayPayLate = (record: PaymentRecord, index: number, records: readonly PaymentRecord[]): boolean =>
  // What was replaced pays no order any more, and a shopper who changes the cart a lot leaves a lot of it.
  index < records.length - 1 &&
  isOpened(record) &&
  record.outcome !== 'paid' &&
  record.outcome !== 'replaced';

/** The order's payments, those before the latest verified where the service responds in time. */
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
 * The order's payments, those before the latest verified for this very decision.
 *
 * @throws {CheckoutError} where one of them cannot be verified
 */
export async function verifyEarlierNow(
  { verifier, deadline }: Pick<Options, 'verifier' | 'deadline'>,
  records: readonly PaymentRecord[],
): Promise<PaymentRecord[]> {
  // All of them end before the response does: nothing goes on for a decision that was given up.
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

/** The record after a verification; `undefined` when that failed, or took longer than a shopper should wait. */
export async function verifyPatiently(
  { verifier, patience, log }: Options,
  reference: string,
): Promise<PaymentRecord | undefined> {
  try {
    return await raceAbort(verifier.verify(reference), patience);
  } catch (error) {
    if (error !== patience.reason) log({ type: 'verificationFailed', reference, error });
    return undefined;
  }
}
