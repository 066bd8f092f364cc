import { PaymentsError } from './errors.ts';
import type { LiveMode } from './guard/live-mode.ts';
import type { Log } from './guard/log.ts';
import { type MakeOptions, makeAccount } from './make-account.ts';
import { makeLink } from './make-link.ts';
import { isSameAmount, type Order } from './order.ts';
import { isOpened, type OpenedRecord } from './payment-view.ts';
import { type Recorder, replace } from './recorder.ts';
import type { OpenedPayment, PaymentRecord, Store } from './stores/store.ts';
import { toCheckoutError } from './upstream-error.ts';
import type { Wait } from './wait.ts';
import type { Watcher } from './watcher.ts';

export type AttemptsOptions = MakeOptions & {
  store: Store;
  recorder: Recorder;
  watcher: Watcher;
  wait: Wait;
  createReference: () => string;
  liveMode: LiveMode;
  /** Hears of what went wrong where the shopper could be helped all the same. */
  log: Log;
};

/** How a new attempt is to be paid: into an account that the widget shows, or on a page of the service. */
export type Way = 'account' | 'link';

/** How long another instance may take from writing a record to writing its account: a call with its time-out. */
const openingMs = 20_000;
const rereadMs = 500;

/**
 * Calls the service for a recorded attempt, and records the account, or the link. Gives `undefined` when the attempt had to be
 * closed, or somebody else wrote first.
 *
 * The attempt may be one that a crash left behind, so that the service may know its reference already, made in whichever
 * way. Its account, or link, was then never recorded, and so never shown: nobody can have paid by it, and the attempt can
 * be closed.
 *
 * @throws {CheckoutError} `service_unavailable` or `service_rejected`; `invalid_options` as `LiveMode` does
 */
export async function openAttempt(
  options: AttemptsOptions,
  order: Order,
  record: PaymentRecord,
  way: Way,
): Promise<OpenedRecord | undefined> {
  const { payments, liveMode, callbackUrl } = options;
  if (!isSameAmount(record.amount, order.amount)) return close(options, record);
  liveMode.refuse();
  try {
    const made = await (way === 'link' ? makeLink : makeAccount)(options, order, record);
    liveMode.check(made.liveMode);
    const openedAt = new Date(payments.serviceNow()).toISOString();
    return await saveOpened(options, record, { ...made, openedAt, callbackUrl });
  } catch (cause) {
    if (!(cause instanceof PaymentsError)) throw cause;
    if (cause.code !== 'reference_exists') throw toCheckoutError(cause);
    // It is most likely our own first call that made the payment; its answer is lost.
    return cause.mayBeOwn ? close(options, record) : waitForOtherInstance(options, record);
  }
}

/** Each lost write is somebody else's; so many in a row are a fault of the store. */
const maxSaves = 8;

/**
 * Where another write comes first, it may have left the attempt as it is: the service may call back about a payment
 * before its answer, with the account, is here.
 */
async function saveOpened(
  { store, recorder }: AttemptsOptions,
  record: PaymentRecord,
  opened: OpenedPayment,
): Promise<OpenedRecord | undefined> {
  let current: PaymentRecord | undefined = record;
  for (let saves = 0; saves < maxSaves; saves++) {
    if (current?.outcome !== 'pending' || isOpened(current)) return undefined;
    const stored = await recorder.save({ ...current, opened });
    if (isOpened(stored)) return stored;
    current = await store.findByReference(record.reference);
  }
  return undefined;
}

async function close({ recorder }: AttemptsOptions, record: PaymentRecord): Promise<undefined> {
  await replace(recorder, record);
}

/**
 * The service knows the reference, and the record is young: another instance may be about to write the account.
 * Closing the attempt now would make the two close each other's for ever. Its age is measured by two instances' clocks,
 * so that it alone must not decide how long a shopper waits.
 */
async function waitForOtherInstance(options: AttemptsOptions, record: PaymentRecord): Promise<undefined> {
  const { store, wait, payments } = options;
  const isYoung = (): boolean => payments.serviceNow() - Date.parse(record.createdAt) < openingMs;
  for (let waitedMs = 0; waitedMs < openingMs && isYoung(); waitedMs += rereadMs) {
    await wait(rereadMs);
    const current = await store.findByReference(record.reference);
    if (current?.version !== record.version) return;
  }
  await close(options, record);
}
