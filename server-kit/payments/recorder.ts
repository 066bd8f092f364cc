import { isCheckoutError } from '../../src/contract/index.ts';
import type { Bus } from '../buses/bus.ts';
import { PaymentsError } from '../errors/payments-error.ts';
import type { PaymentRecord } from '../stores/payment-record.ts';
import type { ClaimEnd, Store } from '../stores/store.ts';
import type { Log } from '../telemetry/log.ts';
import { nextCheckMs, reportableOutcomes, retryCheckMs, type WatchTimes } from './follow-up.ts';
import { mayHoldMoney } from './outcome.ts';

/** The only writer of payments, so that no write forgets its follow-up. */
export type Recorder = {
  /** Inserts a record, as the store's `insert`. */
  insert: (record: PaymentRecord) => Promise<boolean>;
  /**
   * Updates a record, as the store's `update`, together with the time of its next verification and its outbox events. Then
   * wakes the waiters of the payment on all instances, and delivers the events soon. If money is on the payment, the waiters
   * of the order's other payments are woken too; if the payment is paid, the other open payments are replaced.
   */
  save: (record: PaymentRecord) => Promise<PaymentRecord | undefined>;
  /**
   * Detaches the payment from its order; money received on it later is unexpected. Returns the stored record; `undefined` if
   * the payment may hold money, or another write has opened it, so that the caller must decide again.
   */
  replace: (record: PaymentRecord) => Promise<PaymentRecord | undefined>;
  /** Replaces an open payment if one of these payments has paid its order. Returns the record as stored then. */
  replaceIfPaidBy: (payments: readonly PaymentRecord[], record: PaymentRecord) => Promise<PaymentRecord>;
  /** Schedules the next verification after one that changed nothing, or that a callback requested (`claim`). */
  reschedule: (record: PaymentRecord, claim?: number | null) => Promise<void>;
  /**
   * Schedules the next verification after one that failed, with growing pauses. Gives up only if the payment's watch time is
   * over and the service has refused this payment; any other error may pass.
   */
  rescheduleFailed: (record: PaymentRecord, error: unknown, claim: number | null) => Promise<void>;
  /** Delivers the outbox events of a record soon, if it has any. */
  deliverSoon: (record: PaymentRecord) => void;
};

export type RecorderOptions = {
  store: Store;
  bus: Bus;
  serviceNow: () => number;
  /** The local clock. */
  now: () => number;
  times: WatchTimes;
  log: Log;
  /** Called when the store may hold undelivered events. */
  onOutboxEvents: () => void;
};

/** The pause where the two clocks disagree on whether the watch time is over. */
const doubtfulCheckMs = 3_600_000;

/** Each lost write is another instance's progress. After this many, the claim's lease brings the next verification. */
const maxTries = 8;

const endOf = (claim: number | null, result: ClaimEnd['result']): ClaimEnd | undefined =>
  claim === null ? undefined : { number: claim, result };

/** Whether the service has refused this payment. Rejected credentials and unreadable responses are temporary. */
function isAboutPayment(error: unknown): boolean {
  if (!isCheckoutError(error) || error.code !== 'service_rejected') return false;
  const { cause } = error;
  if (!(cause instanceof PaymentsError)) return true;
  return cause.code !== 'authentication_failed' && cause.code !== 'invalid_response';
}

export function createRecorder(options: RecorderOptions): Recorder {
  const { store, bus, log, serviceNow } = options;
  const checkAfterMs = createCheckTimes(options);
  const deliverSoon: Recorder['deliverSoon'] = (record) => {
    if (reportableOutcomes(record).length > 0) options.onOutboxEvents();
  };
  const write: Write = async (record) => {
    const change = { checkAfterMs: checkAfterMs(record), outcomes: reportableOutcomes(record) };
    const stored = await store.update(record, change);
    if (stored === undefined) return undefined;
    // Not awaited: a slow bus must not delay a shopper's response, and `publish` never rejects.
    bus.publish(record.reference);
    deliverSoon(stored);
    return stored;
  };
  const { replace, replaceIfPaidBy } = createReplace(store, write);
  const updateSiblings = async (record: PaymentRecord): Promise<void> => {
    for (const sibling of await store.listByOrder(record.orderId)) {
      if (sibling.reference === record.reference) continue;
      await replaceIfPaidBy([record], sibling);
      bus.publish(sibling.reference);
    }
  };
  return {
    ...{ deliverSoon, replace, replaceIfPaidBy },
    insert: (record) => store.insert(record, { checkAfterMs: checkAfterMs(record) }),
    async save(record) {
      const stored = await write(record);
      if (stored === undefined || !mayHoldMoney(stored)) return stored;
      // The write counts even if this fails: a view is computed from all payments of its order.
      await updateSiblings(stored).catch((error: unknown) => log({ type: 'backgroundFailed', error }));
      return stored;
    },
    reschedule: (record, claim = null) => reschedule(store, record, checkAfterMs, endOf(claim, 'verified')),
    async rescheduleFailed(record, error, claim) {
      const isOver = isAboutPayment(error) && checkAfterMs(record) === null;
      const afterMs = (current: PaymentRecord) => (isOver ? null : retryCheckMs(current, serviceNow()));
      await reschedule(store, record, afterMs, endOf(claim, isOver ? 'verified' : 'failed'));
    },
  };
}

type CheckTimes = (record: PaymentRecord) => number | null;
type Write = (record: PaymentRecord) => Promise<PaymentRecord | undefined>;

/** One response with a wrong date, or a wrong local clock, must not stop the verifications of a payment for good. */
const createCheckTimes =
  ({ serviceNow, now, times }: RecorderOptions): CheckTimes =>
  (record) => {
    const isOverHere = nextCheckMs(record, now(), times) === null;
    return nextCheckMs(record, serviceNow(), times) ?? (isOverHere ? null : doubtfulCheckMs);
  };

/** If another write comes first, it has scheduled the next verification; only the claimant can end a claim. */
async function reschedule(
  store: Store,
  record: PaymentRecord,
  afterMs: CheckTimes,
  claim: ClaimEnd | undefined,
): Promise<void> {
  let current: PaymentRecord | undefined = record;
  for (let tries = 0; current !== undefined && tries < maxTries; tries++) {
    const change = { checkAfterMs: afterMs(current), outcomes: reportableOutcomes(current) };
    const stored = await store.update(current, { ...change, ...(claim && { claim }) });
    if (stored !== undefined || claim === undefined) return;
    current = await store.findByReference(record.reference);
  }
}

function createReplace(store: Store, write: Write): Pick<Recorder, 'replace' | 'replaceIfPaidBy'> {
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
  return {
    replace,
    async replaceIfPaidBy(payments, record) {
      const isOrderPaid = payments.some(({ outcome }) => outcome === 'paid');
      return (record.outcome === 'pending' && isOrderPaid && (await replace(record))) || record;
    },
  };
}
