import type { PaymentInitiation } from './api/payment.ts';
import type { PaymentsClient } from './client.ts';
import { PaymentsError } from './errors.ts';
import type { LiveMode } from './guard/live-mode.ts';
import type { Log } from './guard/log.ts';
import { isSameAmount, type Order } from './order.ts';
import { isOpened, type OpenedRecord } from './payment-view.ts';
import type { Recorder } from './recorder.ts';
import type { PaymentRecord, Store } from './stores/store.ts';
import { toCheckoutError } from './upstream-error.ts';
import type { Wait } from './wait.ts';
import type { Watcher } from './watcher.ts';

export type AttemptsOptions = {
  payments: PaymentsClient;
  store: Store;
  recorder: Recorder;
  watcher: Watcher;
  wait: Wait;
  createReference: () => string;
  /** Where the service sends callbacks. */
  callbackUrl: string;
  liveMode: LiveMode;
  /** Hears of what went wrong where the shopper could be helped all the same. */
  log: Log;
};

/** How long another instance may take from writing a record to writing its account: a call with its time-out. */
const openingMs = 20_000;
const rereadMs = 500;

/**
 * Calls the service for a recorded attempt, and records the account. Gives `undefined` when the attempt had to be
 * closed, or somebody else wrote first.
 *
 * The attempt may be one that a crash left behind, so that the service may know its reference already. Its account
 * was then never recorded, and so never shown: nobody can have paid into it, and the attempt can be closed.
 *
 * @throws {CheckoutError} `service_unavailable` or `service_rejected`
 */
export async function openAttempt(
  options: AttemptsOptions,
  order: Order,
  record: PaymentRecord,
): Promise<OpenedRecord | undefined> {
  const { payments, recorder } = options;
  if (!isSameAmount(record.amount, order.amount)) return close(options, record);
  options.liveMode.refuse();
  try {
    const initiation = await payments.payments.initiate({
      reference: record.reference,
      paymentMethod: 'pay_with_transfer',
      amount: { value: record.amount.value, currency: order.amount.currency },
      expiresIn: order.expiresInSeconds,
      callbackUrl: options.callbackUrl,
      ...(order.customer && { customer: order.customer }),
      ...(order.metadata && { metadata: order.metadata }),
    });
    refuseAnotherPayment(initiation, record);
    const { id, accountNumber, accountName, bankName, expiresAt, liveMode } = initiation;
    options.liveMode.check(liveMode);
    const account = { number: accountNumber, name: accountName, bankName };
    const openedAt = new Date(payments.serviceNow()).toISOString();
    const { callbackUrl } = options;
    const opened = { paymentId: id, account, openedAt, expiresAt, liveMode, callbackUrl };
    const stored = await recorder.save({ ...record, opened });
    return isOpened(stored) ? stored : undefined;
  } catch (cause) {
    if (!(cause instanceof PaymentsError)) throw cause;
    if (cause.code !== 'reference_exists') throw toCheckoutError(cause);
    // It is most likely our own first call that made the payment; its answer is lost.
    return cause.mayBeOwn ? close(options, record) : waitForOtherInstance(options, record);
  }
}

async function close({ recorder }: AttemptsOptions, record: PaymentRecord): Promise<undefined> {
  await recorder.save({ ...record, outcome: 'replaced' });
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

/** An account that waits for another amount than the page will name must not be shown to anybody. */
function refuseAnotherPayment({ reference, amount }: PaymentInitiation, record: PaymentRecord): void {
  if (reference === record.reference && isSameAmount(amount, record.amount)) return;
  const detail = `The service made a payment of ${amount.currency} ${amount.value} with reference ${reference}, where ${record.amount.currency} ${record.amount.value} with ${record.reference} was asked for; check dialect.amountUnit.`;
  throw new PaymentsError('invalid_response', detail, {
    operation: 'payments.initiate',
    params: ['amount', 'reference'],
  });
}
