import { CheckoutError } from '../../src/contract/index.ts';
import { abortAfter, raceAbort, type Wait } from '../async/wait.ts';
import type { PaymentsError } from '../errors/payments-error.ts';
import type { LiveMode } from '../payments/live-mode.ts';
import { isSameAmount, type Order } from '../payments/order.ts';
import { decidingPayment } from '../payments/order-view.ts';
import { mayHoldMoney } from '../payments/outcome.ts';
import { isOpened, type OpenedRecord } from '../payments/payment-view.ts';
import type { PaymentRecord } from '../stores/store.ts';
import type { Verifier } from '../verification/verifier.ts';
import { verifyEarlier, verifyEarlierNow, verifyPatiently } from '../verification/verify-order.ts';
import type { CreatePaymentOptions } from './create-account.ts';
import { openPayment, type Way } from './open-payment.ts';
import { type OpeningOptions, takeOpening, waitUntilAbandoned } from './opening-lease.ts';

export type Attempt = {
  record: OpenedRecord;
  /** All payments of the order, as they are known now. */
  records: readonly PaymentRecord[];
  /** False when the order had this payment already. */
  created: boolean;
};

export type GetOrCreateOptions = Omit<CreatePaymentOptions, 'deadline' | 'lost'> &
  OpeningOptions & {
    verifier: Verifier;
    liveMode: LiveMode;
    createReference: () => string;
  };

/** Enough for a crash, a changed cart and a lost race one after the other; more would be a fault of the store. */
const maxSteps = 8;

/** How long a shopper whose account is known waits in all for the service to confirm what is known. */
const patienceMs = 4000;

/** After this the shopper is told that there is no account now; a request to the service may take as long. */
const deadlineMs = 12_000;

/** `patience` and `deadline` abort when they are over. */
type Options = GetOrCreateOptions & {
  patience: AbortSignal;
  deadline: AbortSignal;
  lost: PaymentsError[];
  way: Way;
};

/**
 * Gets the order's payment: the one that has paid it or may hold its money, the open one, or a new one. A new one is created
 * only when there is none, or when a verification that was made for this very decision shows that none of the order's
 * payments holds money, and that the latest has expired, failed, or asks for another amount than the order costs now. Those
 * that ask for another amount are replaced then, expired or not: late money must not pay the order at an old price. In which
 * `way` a new one is paid is the caller's choice; one that is open stays what it is, because money may be on its way to it.
 *
 * Several instances may do this at once. Each step reads the order's payments, and every write is a compare-and-set: the
 * second to write starts again from what the first has written.
 *
 * @throws {CheckoutError} `service_unavailable`, within 15 seconds; `service_rejected`, `internal_error`; `invalid_options`
 *   as `LiveMode` does
 */
export async function getOrCreatePayment(
  options: GetOrCreateOptions,
  order: Order,
  way: Way,
): Promise<Attempt> {
  const patience = abortAfter(options.wait, patienceMs);
  const deadline = abortAfter(options.wait, deadlineMs);
  const signals = { patience: patience.signal, deadline: deadline.signal };
  try {
    for (let step = 0, lost: PaymentsError[] = []; step < maxSteps; step++) {
      if (signals.deadline.aborted) throw tookTooLong();
      const found = await takeStep({ ...options, ...signals, lost, way }, order);
      if (found !== undefined) return await withOrder(options, order, found);
    }
  } catch (error) {
    throw error === signals.deadline.reason ? tookTooLong() : error;
  } finally {
    patience.cancel();
    deadline.cancel();
  }
  throw new CheckoutError(
    'internal_error',
    `No payment could be settled on for order ${order.orderId}; try again.`,
  );
}

const tookTooLong = (): CheckoutError =>
  new CheckoutError('service_unavailable', 'The payment takes longer than usual; try again.', {
    retryAfterSeconds: 3,
  });

/**
 * The same for a shopper who waits, whatever the store or the service does meanwhile.
 *
 * @throws {CheckoutError} `service_unavailable` after 14 seconds; the work goes on, for whoever asks next
 */
export async function settleInTime<T>(wait: Wait, work: Promise<T>): Promise<T> {
  const limit = abortAfter(wait, deadlineMs + 2000);
  try {
    return await raceAbort(work, limit.signal);
  } catch (error) {
    throw error === limit.signal.reason ? tookTooLong() : error;
  } finally {
    limit.cancel();
  }
}

type Found = Pick<Attempt, 'record' | 'created'>;

/** The order's payments as they are stored by now: money may have come on another one since, which then decides. */
async function withOrder({ store }: GetOrCreateOptions, order: Order, found: Found): Promise<Attempt> {
  const records = await store.listByOrder(order.orderId);
  const deciding = decidingPayment(records);
  const isAnother = deciding !== undefined && deciding.reference !== found.record.reference;
  return isAnother ? { record: deciding, created: false, records } : { ...found, records };
}

/** One step towards the order's payment; `undefined` when the next one has to begin from what is stored by then. */
async function takeStep(options: Options, order: Order): Promise<Found | undefined> {
  const stored = await options.store.listByOrder(order.orderId);
  options.liveMode.checkRecords(stored);
  const records = await verifyEarlier(options, stored);
  const latest = records.at(-1);
  const deciding = decidingPayment(records);
  if (deciding !== undefined && deciding.reference !== latest?.reference) {
    if (deciding.outcome === 'paid' && latest?.outcome === 'pending') await options.recorder.replace(latest);
    return { record: deciding, created: false };
  }
  if (latest === undefined || latest.outcome === 'replaced') return createNext(options, order, records);
  if (isOpened(latest)) return keepOpened(options, order, records, latest);
  return openStored(options, order, records, latest);
}

/** The latest payment where it is the one to pay still, or the next one in its place. */
async function keepOpened(
  options: Options,
  order: Order,
  records: readonly PaymentRecord[],
  latest: OpenedRecord,
): Promise<Found | undefined> {
  const { payments, verifier, recorder, deadline } = options;
  const known = await currentRecord(options, order, latest);
  // Where the budget of looks was used up, an account that is past its time may be recorded as open still.
  const isDecided = mayHoldMoney(known) || Date.parse(known.opened.expiresAt) > payments.serviceNow();
  if (isDecided && isRightFor(known, order)) return { record: known, created: false };
  const current = await verifier.verifyNow(latest.reference, deadline);
  if (!isOpened(current)) return undefined;
  if (isRightFor(current, order)) return { record: current, created: false };
  if (isOver(current) && isSameAmount(current.amount, order.amount))
    return createNext(options, order, records);
  await recorder.replace(current);
  return undefined;
}

/** Whether this payment is the one to pay: it holds money, or is open and asks for what the order costs. */
function isRightFor(record: OpenedRecord, order: Order): boolean {
  return mayHoldMoney(record) || (!isOver(record) && isSameAmount(record.amount, order.amount));
}

const isOver = ({ outcome }: PaymentRecord): boolean => outcome === 'expired' || outcome === 'failed';

/** Opens a payment that a request before has recorded, and whose account is not known. */
async function openStored(
  options: Options,
  order: Order,
  records: readonly PaymentRecord[],
  latest: PaymentRecord,
): Promise<Found | undefined> {
  // Also where the price has changed: two requests at two prices would close each other's payments for ever.
  const abandoned = await waitUntilAbandoned(options, latest, options.deadline);
  if (abandoned === undefined) return undefined;
  if (!isSameAmount(latest.amount, order.amount)) {
    await options.recorder.replace(abandoned);
    return undefined;
  }
  // Money may have come on an earlier payment since this one was recorded.
  const deciding = decidingPayment(await verifyEarlierNow(options, records));
  if (deciding !== undefined) return { record: deciding, created: false };
  const taken = await takeOpening(options, abandoned);
  return taken && open(options, order, taken);
}

/** Creates the order's next payment, unless one of those before holds money. */
async function createNext(
  options: Options,
  order: Order,
  records: readonly PaymentRecord[],
): Promise<Found | undefined> {
  const current = await verifyEarlierNow(options, records);
  const deciding = decidingPayment(current);
  if (deciding !== undefined) return { record: deciding, created: false };
  // Late money on them would pay the order at a price that is not its price any more.
  for (const outdated of current.slice(0, -1).filter(isOpened)) {
    if (isSameAmount(outdated.amount, order.amount)) continue;
    if ((await options.recorder.replace(outdated)) === undefined) return undefined;
  }
  const next = newRecord(options, order, (current.at(-1)?.attempt ?? 0) + 1);
  return (await options.recorder.insert(next)) ? open(options, order, next) : undefined;
}

async function open(options: Options, order: Order, taken: PaymentRecord): Promise<Found | undefined> {
  const record = await openPayment(options, order, taken);
  return record && { record, created: true };
}

function newRecord(
  { payments, createReference, instanceId }: GetOrCreateOptions,
  order: Order,
  attempt: number,
): PaymentRecord {
  return {
    reference: createReference(),
    orderId: order.orderId,
    attempt,
    amount: order.amount,
    opened: null,
    observed: null,
    outcome: 'pending',
    opening: { by: instanceId, beats: 0 },
    createdAt: new Date(payments.serviceNow()).toISOString(),
    version: 1,
  };
}

/**
 * The latest payment after a verification, because what we recorded may be behind. When the service cannot be reached, or
 * takes long, a payment that is still open and asks for the right amount is good as it is.
 */
async function currentRecord(options: Options, order: Order, latest: OpenedRecord): Promise<OpenedRecord> {
  const isOpen = Date.parse(latest.opened.expiresAt) > options.payments.serviceNow();
  const verified =
    isOpen && isSameAmount(latest.amount, order.amount)
      ? await verifyPatiently(options, latest.reference)
      : await options.verifier.verify(latest.reference);
  return isOpened(verified) ? verified : latest;
}
