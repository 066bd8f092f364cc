import { isCheckoutError } from '../src/contract/index.ts';
import type { Bus } from './buses/bus.ts';
import { effectsOf, nextCheckMs, retryCheckMs, type WatchTimes } from './follow-up.ts';
import type { ClaimEnd, PaymentRecord, Store } from './stores/store.ts';

/** Writes payments. Nothing else does, so that no write forgets what has to follow it. */
export type Recorder = {
  /** As the store's `insert`. */
  insert: (record: PaymentRecord) => Promise<boolean>;
  /**
   * As the store's `update`, with the next look and with what the merchant has to be told, all or nothing. Then wakes
   * those who wait for the payment, on all instances, and sees to it that the merchant is told soon.
   */
  save: (record: PaymentRecord) => Promise<PaymentRecord | undefined>;
  /** Sets the next look where a look has changed nothing, and where it was asked for: then `claim` is that of the look. */
  reschedule: (record: PaymentRecord, claim?: number | null) => Promise<void>;
  /**
   * Sets the next look where one has failed: ever later. What the service refuses is given up when the payment's time
   * of watching is over.
   */
  rescheduleFailed: (record: PaymentRecord, error: unknown, claim: number | null) => Promise<void>;
  /** Sees to it that the merchant is told, where the record holds something to tell. */
  tell: (record: PaymentRecord) => void;
};

/** From now on the payment is none of its order's: money on it is unexpected. Gives `undefined` when another write came first. */
export const replace = (recorder: Recorder, record: PaymentRecord): Promise<PaymentRecord | undefined> =>
  recorder.save({ ...record, outcome: 'replaced' });

export type RecorderOptions = {
  store: Store;
  bus: Bus;
  serviceNow: () => number;
  /** The local clock. */
  now: () => number;
  times: WatchTimes;
  /** Called when the store may hold effects to be run. */
  onEffects: () => void;
};

/** The next look where one clock says that the time of watching is over, and the other does not. */
const doubtfulCheckMs = 3_600_000;

/** Each lost write is somebody else's progress. After so many the claim's lease brings the next look. */
const maxTries = 8;

const endOf = (claim: number | null, result: ClaimEnd['result']): ClaimEnd | undefined =>
  claim === null ? undefined : { number: claim, result };

export function createRecorder(options: RecorderOptions): Recorder {
  const { store, bus, serviceNow, now, times, onEffects } = options;
  // One answer with a wrong date, or one wrong local clock, must not end the watch over a payment for good.
  const checkAfterMs = (record: PaymentRecord): number | null => {
    const isOverHere = nextCheckMs(record, now(), times) === null;
    return nextCheckMs(record, serviceNow(), times) ?? (isOverHere ? null : doubtfulCheckMs);
  };
  const tell: Recorder['tell'] = (record) => {
    if (effectsOf(record).length > 0) onEffects();
  };
  /** Where another write comes first, it has set the next look too; but only who holds a claim can end it. */
  const checkAfter = async (
    record: PaymentRecord,
    afterMs: (record: PaymentRecord) => number | null,
    claim: ClaimEnd | undefined,
  ): Promise<void> => {
    let current: PaymentRecord | undefined = record;
    for (let tries = 0; current !== undefined && tries < maxTries; tries++) {
      const change = { checkAfterMs: afterMs(current), effects: effectsOf(current) };
      const stored = await store.update(current, { ...change, ...(claim && { claim }) });
      if (stored !== undefined || claim === undefined) return;
      current = await store.findByReference(record.reference);
    }
  };
  return {
    tell,
    insert: (record) => store.insert(record, { checkAfterMs: checkAfterMs(record) }),
    async save(record) {
      const change = { checkAfterMs: checkAfterMs(record), effects: effectsOf(record) };
      const stored = await store.update(record, change);
      if (stored === undefined) return undefined;
      // Not waited for: a bus that is slow must not hold up a shopper's answer, and it never rejects.
      bus.publish(record.reference);
      tell(stored);
      return stored;
    },
    reschedule: (record, claim = null) => checkAfter(record, checkAfterMs, endOf(claim, 'answered')),
    async rescheduleFailed(record, error, claim) {
      const isRefused = isCheckoutError(error) && error.code === 'service_rejected';
      const isOver = isRefused && checkAfterMs(record) === null;
      const afterMs = (current: PaymentRecord) => (isOver ? null : retryCheckMs(current, serviceNow()));
      await checkAfter(record, afterMs, endOf(claim, isOver ? 'answered' : 'failed'));
    },
  };
}
