import { CheckoutError } from '../src/contract/index.ts';
import { type AttemptsOptions, openAttempt, type Way } from './open-attempt.ts';
import { isSameAmount, type Order } from './order.ts';
import { mayHoldMoney } from './outcome.ts';
import { isOpened, type OpenedRecord } from './payment-view.ts';
import { replace } from './recorder.ts';
import type { PaymentRecord } from './stores/store.ts';
import { abortAfter, raceAbort } from './wait.ts';

export type Attempt = {
  record: OpenedRecord;
  /** False when the order had this payment already. */
  created: boolean;
};

/** Enough for a crash, a changed cart and a lost race one after the other; more would be a fault of the store. */
const maxSteps = 8;

/** How long a shopper whose account is known waits in all for the service to confirm what is known. */
const patienceMs = 4000;

/** `patience` aborts when it is over. */
type Options = AttemptsOptions & { patience: AbortSignal; way: Way };

/**
 * Gives the order's payment: the paid one, the open one, or a new one. A new one is made only when there is none,
 * or when a look that was made for this very decision shows that the latest holds no money, and has expired,
 * failed, or asks for another amount than the order costs now, and that no earlier one holds money. Those that ask for
 * another amount are replaced then, expired or not: late money must not pay the order at an old price. In which `way` a new
 * one is paid is the caller's choice; one that is open stays what it is, because money may be on its way to it.
 *
 * Several instances may do this at once. Each step reads the order's attempts, and every write is a compare-and-set:
 * who comes second starts again from what the first has written.
 *
 * @throws {CheckoutError} `service_unavailable`, `service_rejected`, `internal_error`; `invalid_options` as `LiveMode` does
 */
export async function attemptForOrder(options: AttemptsOptions, order: Order, way: Way): Promise<Attempt> {
  const { signal: patience, cancel } = abortAfter(options.wait, patienceMs);
  try {
    for (let step = 0; step < maxSteps; step++) {
      const attempt = await takeStep({ ...options, patience, way }, order);
      if (attempt !== undefined) return attempt;
    }
  } finally {
    cancel();
  }
  throw new CheckoutError(
    'internal_error',
    `No payment could be settled on for order ${order.orderId}; try again.`,
  );
}

/** One step towards the order's payment; `undefined` when the next one has to begin from what is stored by then. */
async function takeStep(options: Options, order: Order): Promise<Attempt | undefined> {
  const { store, recorder, watcher } = options;
  const attempts = await store.listByOrder(order.orderId);
  const latest = attempts.at(-1);
  const insertNext = async (after: number): Promise<Attempt | undefined> => {
    const earlier = await lookAtEarlier(options, attempts.slice(0, -1));
    const funded = earlier.find(mayHoldMoney);
    if (funded !== undefined) return { record: funded, created: false };
    // Late money on them would pay the order at a price that is not its price any more.
    const outdated = earlier.filter(({ amount }) => !isSameAmount(amount, order.amount));
    const closed = await Promise.all(outdated.map((record) => replace(recorder, record)));
    if (!closed.includes(undefined)) await recorder.insert(newRecord(options, order, after + 1));
    return undefined;
  };
  if (latest === undefined) return insertNext(0);
  const paid = await findPaid(options, attempts);
  if (paid !== undefined) return { record: paid, created: false };
  if (latest.outcome === 'replaced') return insertNext(latest.attempt);
  if (!isOpened(latest)) {
    const opened = await openAttempt(options, order, latest, options.way);
    return opened && { record: opened, created: true };
  }
  const known = await currentRecord(options, order, latest);
  // Where the budget of looks was used up, an account that is past its time may be recorded as open still.
  const isDecided = mayHoldMoney(known) || Date.parse(known.opened.expiresAt) > options.payments.serviceNow();
  if (isDecided && isRightFor(known, order)) return { record: known, created: false };
  const current = await watcher.lookAfresh(latest.reference);
  if (!isOpened(current)) return undefined;
  if (isRightFor(current, order)) return { record: current, created: false };
  if (isOver(current) && isSameAmount(current.amount, order.amount)) return insertNext(current.attempt);
  await replace(recorder, current);
  return undefined;
}

/** Whether this attempt is the one to pay: it holds money, or is open and asks for what the order costs. */
function isRightFor(record: OpenedRecord, order: Order): boolean {
  return mayHoldMoney(record) || (!isOver(record) && isSameAmount(record.amount, order.amount));
}

const isOver = ({ outcome }: PaymentRecord): boolean => outcome === 'expired' || outcome === 'failed';

/**
 * The attempt that has paid the order. Earlier ones are looked at too, because money that was late may have landed
 * on them; an open attempt after the paid one is closed, so that nobody pays a second time.
 */
async function findPaid(
  options: Options,
  attempts: readonly PaymentRecord[],
): Promise<OpenedRecord | undefined> {
  const isPaid = (record: PaymentRecord | undefined): record is OpenedRecord =>
    isOpened(record) && record.outcome === 'paid';
  // What was replaced pays no order any more, and a shopper who changes the cart a lot leaves a lot of it.
  const mayPay = (record: PaymentRecord): boolean =>
    isOpened(record) && record.outcome !== 'paid' && record.outcome !== 'replaced';
  const latest = attempts.at(-1);
  const earlier = await Promise.all(
    attempts
      .slice(0, -1)
      .map((record) => (mayPay(record) ? lookPatiently(options, record.reference) : record)),
  );
  const paid = [...earlier, latest].find(isPaid);
  const isOpen = latest?.outcome === 'pending' && !mayHoldMoney(latest);
  if (paid !== undefined && isOpen) await replace(options.recorder, latest);
  return paid;
}

/**
 * The earlier attempts after a look for this very decision: money may have come on one since, such as late money that the
 * service is about to confirm. What a changed order has replaced is not the order's any more.
 */
async function lookAtEarlier(
  { watcher }: Options,
  earlier: readonly PaymentRecord[],
): Promise<OpenedRecord[]> {
  const own = earlier.filter((record) => isOpened(record) && record.outcome !== 'replaced');
  // All of them end before the answer does: no look goes on for a decision that was given up.
  const looks = await Promise.allSettled(own.map(({ reference }) => watcher.lookAfresh(reference)));
  const looked = looks.map((look) => {
    if (look.status === 'rejected') throw look.reason;
    return look.value;
  });
  return looked.filter(isOpened);
}

function newRecord(
  { payments, createReference }: AttemptsOptions,
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
    createdAt: new Date(payments.serviceNow()).toISOString(),
    version: 1,
  };
}

/**
 * The latest attempt after a look at the service, because what we recorded may be behind. When the service cannot be
 * reached, or takes long, an attempt that is still open and asks for the right amount is good as it is.
 */
async function currentRecord(options: Options, order: Order, latest: OpenedRecord): Promise<OpenedRecord> {
  const isOpen = Date.parse(latest.opened.expiresAt) > options.payments.serviceNow();
  const looked =
    isOpen && isSameAmount(latest.amount, order.amount)
      ? await lookPatiently(options, latest.reference)
      : await options.watcher.look(latest.reference);
  return isOpened(looked) ? looked : latest;
}

/** The record after a look; `undefined` when the look failed, or took longer than a shopper should wait. */
async function lookPatiently(
  { watcher, patience, log }: Options,
  reference: string,
): Promise<PaymentRecord | undefined> {
  try {
    return await raceAbort(watcher.look(reference), patience);
  } catch (error) {
    if (error !== patience.reason) log({ type: 'lookFailed', reference, error });
    return undefined;
  }
}
