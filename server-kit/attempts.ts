import { CheckoutError } from '../src/contract/index.ts';
import type { PaymentInitiation } from './api/payment.ts';
import type { PaymentsClient } from './client.ts';
import { PaymentsError } from './errors.ts';
import { isSameAmount, type Order } from './order.ts';
import { mayHoldMoney } from './outcome.ts';
import { isOpened, type OpenedRecord } from './payment-view.ts';
import type { PaymentRecord, Store } from './stores/store.ts';
import { toCheckoutError } from './upstream-error.ts';
import type { Watcher } from './watcher.ts';

export type AttemptsOptions = {
  payments: PaymentsClient;
  store: Store;
  watcher: Watcher;
  createReference: () => string;
};

export type Attempt = {
  record: OpenedRecord;
  /** False when the order had this payment already. */
  created: boolean;
};

/** Enough for a crash, a changed cart and a lost race one after the other; more would be a fault of the store. */
const maxSteps = 8;

/**
 * Gives the order's payment: the open one, the paid one, or a new one. A new one is made only when there is none,
 * or when the latest can hold no money: it has expired or failed empty, or asks for another amount than the order
 * costs now.
 *
 * Several instances may do this at once. Each step reads the latest record, and every write is a compare-and-set:
 * who comes second starts again from what the first has written.
 *
 * @throws {CheckoutError} `service_unavailable`, `service_rejected` or `internal_error`
 */
export async function attemptForOrder(options: AttemptsOptions, order: Order): Promise<Attempt> {
  const { store } = options;
  for (let step = 0; step < maxSteps; step++) {
    const latest = await store.findLatestByOrder(order.orderId);
    if (latest === undefined) {
      await store.insert(newRecord(options, order, 1));
      continue;
    }
    if (latest.outcome === 'replaced') {
      await store.insert(newRecord(options, order, latest.attempt + 1));
      continue;
    }
    if (!isOpened(latest)) {
      const opened = await openAttempt(options, order, latest);
      if (opened !== undefined) return { record: opened, created: true };
      continue;
    }
    const current = await currentRecord(options, order, latest);
    if (!isOver(current) && (isSameAmount(current.amount, order.amount) || mayHoldMoney(current))) {
      return { record: current, created: false };
    }
    if (!isOver(current)) await store.update({ ...current, outcome: 'replaced' });
    else await store.insert(newRecord(options, order, current.attempt + 1));
  }
  throw new CheckoutError(
    'internal_error',
    `No payment could be settled on for order ${order.orderId}; try again.`,
  );
}

/** Expired or failed without any money on it: its order may be paid anew, on another account. */
function isOver(record: PaymentRecord): boolean {
  return (record.outcome === 'expired' || record.outcome === 'failed') && !mayHoldMoney(record);
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
 * The latest attempt after a look at the service, because what we recorded may be behind. When the service cannot
 * be reached, an attempt that is still open and asks for the right amount is good as it is; nothing is replaced
 * without having looked.
 */
async function currentRecord(
  options: AttemptsOptions,
  order: Order,
  latest: OpenedRecord,
): Promise<OpenedRecord> {
  try {
    const looked = await options.watcher.look(latest.reference);
    return isOpened(looked) ? looked : latest;
  } catch (error) {
    const isOpen = Date.parse(latest.opened.expiresAt) > options.payments.serviceNow();
    if (isOpen && isSameAmount(latest.amount, order.amount)) return latest;
    throw error;
  }
}

/**
 * Calls the service for a recorded attempt, and records the account. Gives `undefined` when the attempt had to be
 * closed, or somebody else wrote first.
 *
 * The attempt may be one that a crash left behind, so that the service may know its reference already. Its account
 * was then never recorded, and so never shown: nobody can have paid into it, and the attempt can be closed.
 */
async function openAttempt(
  options: AttemptsOptions,
  order: Order,
  record: PaymentRecord,
): Promise<OpenedRecord | undefined> {
  const { payments, store } = options;
  const close = async (): Promise<undefined> => void (await store.update({ ...record, outcome: 'replaced' }));
  if (!isSameAmount(record.amount, order.amount)) return close();
  try {
    const initiation = await payments.payments.initiate({
      reference: record.reference,
      paymentMethod: 'pay_with_transfer',
      amount: { value: record.amount.value, currency: order.amount.currency },
      expiresIn: order.expiresInSeconds,
      ...(order.customer && { customer: order.customer }),
      ...(order.metadata && { metadata: order.metadata }),
    });
    refuseAnotherPayment(initiation, record);
    const { id, accountNumber, accountName, bankName, expiresAt, liveMode } = initiation;
    const account = { number: accountNumber, name: accountName, bankName };
    const opened = { paymentId: id, account, expiresAt, liveMode };
    const stored = await store.update({ ...record, opened });
    return isOpened(stored) ? stored : undefined;
  } catch (cause) {
    if (cause instanceof PaymentsError && cause.code === 'reference_exists') return close();
    throw cause instanceof PaymentsError ? toCheckoutError(cause) : cause;
  }
}

/** An account that waits for another amount than the page will name must not be shown to anybody. */
function refuseAnotherPayment({ reference, amount }: PaymentInitiation, record: PaymentRecord): void {
  if (reference === record.reference && isSameAmount(amount, record.amount)) return;
  const detail = `The service made a payment of ${amount.currency} ${amount.value} with reference ${reference}, where ${record.amount.currency} ${record.amount.value} with ${record.reference} was asked for; check dialect.amountUnit.`;
  throw new CheckoutError(
    'service_rejected',
    'The payments service refused; the log of the server says why.',
    {
      cause: new PaymentsError('invalid_response', detail, {
        operation: 'payments.initiate',
        params: ['amount', 'reference'],
      }),
    },
  );
}
