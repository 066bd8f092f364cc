import type { Counters } from './guard/counters.ts';
import { isSettled } from './outcome.ts';
import { isOpened } from './payment-view.ts';
import { remainingMs } from './remaining.ts';
import { createSingleFlight } from './single-flight.ts';
import type { PaymentRecord } from './stores/store.ts';
import { isClosedUnseen } from './unmatched-payment.ts';
import { type VerifyOptions, verifyAndMerge } from './verify-payment.ts';

/** Looks payments up at the service, once for all who ask. */
export type Watcher = {
  /**
   * The record of a reference after a look at the service. At most one look a reference is under way, and looks are
   * spaced: asked too early, it gives what the last look gave, be it an error. Where the budget of looks is used up, it
   * gives what is recorded.
   *
   * @throws {CheckoutError} `service_unavailable`, `service_rejected` or `internal_error` when the look failed
   */
  look: (reference: string) => Promise<PaymentRecord | undefined>;
  /** The same, but with a look that begins now, spaced or not: for what must not be decided on what was true before. */
  lookAfresh: (reference: string) => Promise<PaymentRecord | undefined>;
  /** How long until the next look is due, in milliseconds; 0 when it is. */
  msUntilDue: (reference: string) => number;
};

export type WatcherOptions = VerifyOptions & {
  now: () => number;
  /** The least time between the starts of two looks at one payment. */
  lookIntervalMs: number;
  /** Looks, and those that fail, are counted here. */
  counters: Counters;
  /** How many looks all instances may make in a second. Those that decide something are made in any case. */
  looksPerSecond: number;
};

/** What is settled may still be reversed. */
const settledIntervalMs = 60_000;

type LastLook = { at: number; intervalMs: number; error: unknown };

export function createWatcher(options: WatcherOptions): Watcher {
  const { store, now, lookIntervalMs, counters } = options;
  const { share, untilIdle } = createSingleFlight<PaymentRecord | undefined>();
  const permitted = createSingleFlight<PaymentRecord | undefined>();
  const lastLooks = new Map<string, LastLook>();
  let sweptAt = now();
  // Those who only wait leave a quarter of each second to payments that callbacks tell of, however many they are.
  const looksForWaiting = options.looksPerSecond - Math.floor(options.looksPerSecond / 4);

  const msUntilDue = (reference: string): number => {
    const last = lastLooks.get(reference);
    return last === undefined ? 0 : remainingMs(last.at, last.intervalMs, now());
  };

  const remember = (reference: string): LastLook => {
    const last = { at: now(), intervalMs: lookIntervalMs, error: undefined };
    sweep();
    lastLooks.set(reference, last);
    return last;
  };
  /** Forgets what is due, once an interval: each time would take time in proportion to all who wait. */
  const sweep = (): void => {
    if (Math.abs(now() - sweptAt) < lookIntervalMs) return;
    sweptAt = now();
    for (const known of lastLooks.keys()) if (msUntilDue(known) === 0) lastLooks.delete(known);
  };

  const lookNow = async (reference: string): Promise<PaymentRecord | undefined> => {
    const record = await store.findByReference(reference);
    if (record === undefined || (!isOpened(record) && !isClosedUnseen(record))) return record;
    const last = remember(reference);
    counters.looks++;
    try {
      const looked = await verifyAndMerge(options, record);
      if (isSettled(looked)) last.intervalMs = settledIntervalMs;
      options.recorder.tell(looked);
      return looked;
    } catch (error) {
      last.error = error;
      counters.looksFailed++;
      throw error;
    }
  };

  const lookIfPermitted = async (reference: string): Promise<PaymentRecord | undefined> => {
    if (await store.takePermit(looksForWaiting)) return share(reference, () => lookNow(reference));
    remember(reference);
    return store.findByReference(reference);
  };

  return {
    msUntilDue,
    async look(reference) {
      if (msUntilDue(reference) === 0) return permitted.share(reference, () => lookIfPermitted(reference));
      await untilIdle(reference);
      const error = lastLooks.get(reference)?.error;
      if (error !== undefined) throw error;
      return store.findByReference(reference);
    },
    async lookAfresh(reference) {
      await untilIdle(reference);
      return share(reference, () => lookNow(reference));
    },
  };
}
