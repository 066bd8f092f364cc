import { isCheckoutError } from '../../src/contract/index.ts';
import type { Bus } from '../buses/bus.ts';
import { PaymentsError } from '../errors/payments-error.ts';
import type { ClaimEnd, PaymentRecord, Store } from '../stores/store.ts';
import type { Log } from '../telemetry/log.ts';
import { nextCheckMs, reportableOutcomes, retryCheckMs, type WatchTimes } from './follow-up.ts';
import { mayHoldMoney } from './outcome.ts';

/** Writes payments. Nothing else does, so that no write forgets what has to follow it. */
export type Recorder = {
  /** As the store's `insert`. */
  insert: (record: PaymentRecord) => Promise<boolean>;
  /**
   * As the store's `update`, with the next look and with what the merchant has to be told, all or nothing. Then wakes
   * those who wait for the payment, on all instances, and sees to it that the merchant is told soon. Money on it reaches the
   * order's other payments too: those who wait for them are woken, and once it is paid, those that are open are replaced.
   */
  save: (record: PaymentRecord) => Promise<PaymentRecord | undefined>;
  /**
   * Detaches the payment from its order: money on it is unexpected from then on. Gives the stored record; `undefined` where it
   * may hold money, or another write has opened it, so that the caller has to decide anew.
   */
  replace: (record: PaymentRecord) => Promise<PaymentRecord | undefined>;
  /** Sets the next look where a look has changed nothing, and where it was asked for: then `claim` is that of the look. */
  reschedule: (record: PaymentRecord, claim?: number | null) => Promise<void>;
  /**
   * Schedules the next verification after one that failed, ever later. Gives up once the payment's watch time is over and
   * the service has refused this payment; an error that says nothing about the payment is never the last word.
   */
  rescheduleFailed: (record: PaymentRecord, error: unknown, claim: number | null) => Promise<void>;
  /** Sees to it that the merchant is told, where the record holds something to tell. */
  tell: (record: PaymentRecord) => void;
};

export type RecorderOptions = {
  store: Store;
  bus: Bus;
  serviceNow: () => number;
  /** The local clock. */
  now: () => number;
  times: WatchTimes;
  log: Log;
  /** Called when the store may hold effects to be run. */
  onOutboxEvents: () => void;
};

/** The next look where one clock says that the time of watching is over, and the other does not. */
const doubtfulCheckMs = 3_600_000;

/** Each lost write is somebody else's progress. After so many the claim's lease brings the next look. */
const maxTries = 8;

const endOf = (claim: number | null, result: ClaimEnd['result']): ClaimEnd | undefined =>
  claim === null ? undefined : { number: claim, result };

/** Whether the service has refused this payment. Rejected credentials and unreadable responses may pass. */
function isAboutPayment(error: unknown): boolean {
  if (!isCheckoutError(error) || error.code !== 'service_rejected') return false;
  const { cause } = error;
  if (!(cause instanceof PaymentsError)) return true;
  return cause.code !== 'authentication_failed' && cause.code !== 'invalid_response';
}

export function createRecorder(options: RecorderOptions): Recorder {
  const { store, bus, serviceNow, now, times, log, onOutboxEvents } = options;
  // One answer with a wrong date, or one wrong local clock, must not end the watch over a payment for good.
  const checkAfterMs = (record: PaymentRecord): number | null => {
    const isOverHere = nextCheckMs(record, now(), times) === null;
    return nextCheckMs(record, serviceNow(), times) ?? (isOverHere ? null : doubtfulCheckMs);
  };
  const tell: Recorder['tell'] = (record) => {
    if (reportableOutcomes(record).length > 0) onOutboxEvents();
  };
  /** Where another write comes first, it has set the next look too; but only who holds a claim can end it. */
  const checkAfter = async (
    record: PaymentRecord,
    afterMs: (record: PaymentRecord) => number | null,
    claim: ClaimEnd | undefined,
  ): Promise<void> => {
    let current: PaymentRecord | undefined = record;
    for (let tries = 0; current !== undefined && tries < maxTries; tries++) {
      const change = { checkAfterMs: afterMs(current), outcomes: reportableOutcomes(current) };
      const stored = await store.update(current, { ...change, ...(claim && { claim }) });
      if (stored !== undefined || claim === undefined) return;
      current = await store.findByReference(record.reference);
    }
  };
  const write = async (record: PaymentRecord): Promise<PaymentRecord | undefined> => {
    const change = { checkAfterMs: checkAfterMs(record), outcomes: reportableOutcomes(record) };
    const stored = await store.update(record, change);
    if (stored === undefined) return undefined;
    // Not waited for: a bus that is slow must not hold up a shopper's answer, and it never rejects.
    bus.publish(record.reference);
    tell(stored);
    return stored;
  };
  const replace: Recorder['replace'] = async (record) => {
    let current: PaymentRecord | undefined = record;
    for (let tries = 0; current !== undefined && tries < maxTries; tries++) {
      if (current.outcome === 'replaced') return current;
      const isSameAccount = current.opened?.paymentId === record.opened?.paymentId;
      if (!isSameAccount || mayHoldMoney(current)) return undefined;
      const { opening: _, ...closed } = current;
      const stored = await write({ ...closed, outcome: 'replaced' });
      if (stored !== undefined) return stored;
      current = await store.findByReference(record.reference);
    }
    return undefined;
  };
  const reachSiblings = async ({ orderId, reference, outcome }: PaymentRecord): Promise<void> => {
    for (const sibling of await store.listByOrder(orderId)) {
      if (sibling.reference === reference) continue;
      if (outcome === 'paid' && sibling.outcome === 'pending') await replace(sibling);
      bus.publish(sibling.reference);
    }
  };
  return {
    tell,
    insert: (record) => store.insert(record, { checkAfterMs: checkAfterMs(record) }),
    async save(record) {
      const stored = await write(record);
      if (stored === undefined || !mayHoldMoney(stored)) return stored;
      // What was stored counts, also where this fails: views are made of all payments of an order.
      await reachSiblings(stored).catch((error: unknown) => log({ type: 'backgroundFailed', error }));
      return stored;
    },
    replace,
    reschedule: (record, claim = null) => checkAfter(record, checkAfterMs, endOf(claim, 'answered')),
    async rescheduleFailed(record, error, claim) {
      const isOver = isAboutPayment(error) && checkAfterMs(record) === null;
      const afterMs = (current: PaymentRecord) => (isOver ? null : retryCheckMs(current, serviceNow()));
      await checkAfter(record, afterMs, endOf(claim, isOver ? 'answered' : 'failed'));
    },
  };
}
