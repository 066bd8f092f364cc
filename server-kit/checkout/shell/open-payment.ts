import { CheckoutError } from '../../../src/contract/index.ts';
import { PaymentsError } from '../../client/errors/payments-error.ts';
import { closeUnseen } from '../order/next-step.ts';
import { findPayment, type OpeningPayment, type Order, type Payment, withPayment } from '../order/order.ts';
import type { OrderRequest } from '../order/order-request.ts';
import type { Store, Stored } from '../ports/store.ts';
import type { Log } from '../telemetry/log.ts';
import { type CreationOptions, type CreationRequest, createPayment } from './create-payment.ts';
import type { LiveMode } from './live-mode.ts';
import type { Records } from './records.ts';
import { toCheckoutError } from './to-checkout-error.ts';

export type OpenPaymentOptions = CreationOptions & {
  store: Store;
  records: Records;
  liveMode: LiveMode;
  log: Log;
};

/** What one request for a session has opened so far. */
export type Openings = {
  /** How many payments the service may have created without its response arriving. */
  lost: number;
  /** The reference of the payment that was opened. */
  opened: string | undefined;
};

/** How many payments one request may have the service create without receiving the response. */
const maxLost = 3;

/**
 * Calls the service for a payment whose lease this request holds, and records the account or the page. Returns the order as it is stored
 * then, or `undefined` if it has to be read again, because the response was lost or another write has taken the payment meanwhile.
 *
 * If the service already knows the reference, then it is from a request of ours whose response was lost. That account was never
 * recorded and never shown, so nobody can have paid into it, and the payment is closed.
 *
 * @throws {CheckoutError} `service_unavailable` or `service_rejected`; `invalid_options` as `LiveMode` does; the deadline's reason
 */
export async function openPayment(
  options: OpenPaymentOptions,
  order: OrderRequest,
  stored: Stored<Order>,
  request: Omit<CreationRequest, 'isPatient'>,
  openings: Openings,
): Promise<Stored<Order> | undefined> {
  const change = (to: Change) => changeOpening(options, stored, request.reference, to);
  try {
    options.liveMode.refuse();
    const opened = await createPayment(options, order, { ...request, isPatient: openings.lost > 0 });
    options.liveMode.check(opened.liveMode);
    openings.opened = request.reference;
    return await change(({ reference, amount, createdAt }) => ({
      ...{ state: 'open', reference, amount, createdAt, opened },
      ...{ observed: null, missingSince: null },
    }));
  } catch (error) {
    const isLost = isResponseLost(error);
    await change(isLost ? closeUnseen : endLease(stored.storeNow)).catch((failure: unknown) =>
      options.log({ type: 'backgroundFailed', error: failure }),
    );
    if (!isLost) throw error instanceof PaymentsError ? toCheckoutError(error) : error;
    if (++openings.lost === maxLost) throw tooManyLost(error);
    return undefined;
  }
}

function tooManyLost(cause: PaymentsError): CheckoutError {
  if (cause.code === 'invalid_response') return toCheckoutError(cause);
  const message = 'The payments service creates payments, but its responses do not arrive; try again.';
  return new CheckoutError('service_unavailable', message, { cause, retryAfterSeconds: 3 });
}

type Change = (opening: OpeningPayment) => Payment;

/** The next request may call the service at once. */
const endLease =
  (storeNow: number): Change =>
  (opening) => ({ ...opening, lease: { ...opening.lease, endsAtMs: storeNow } });

/** Each lost write is another instance's progress; this many in a row are a fault of the store. */
const maxSaves = 8;

/** Changes the payment while this request holds its lease. Returns `undefined` if it does not. */
async function changeOpening(
  { store, records }: OpenPaymentOptions,
  taken: Stored<Order>,
  reference: string,
  change: Change,
): Promise<Stored<Order> | undefined> {
  const lease = leaseOf(taken.record, reference);
  let current: Stored<Order | null> = taken;
  for (let saves = 0; saves < maxSaves; saves++) {
    const order = current.record;
    const opening = order === null ? undefined : findPayment(order, reference);
    if (order === null || opening?.state !== 'opening') return undefined;
    if (opening.lease.by !== lease?.by || opening.lease.endsAtMs !== lease.endsAtMs) return undefined;
    const saved = await records.saveOrder(current, withPayment(order, change(opening)));
    if (saved !== undefined) return saved;
    current = await store.orders.read(order.orderId);
  }
  throw new CheckoutError('internal_error', `The store did not take the new state of ${reference}.`);
}

const leaseOf = (order: Order, reference: string): OpeningPayment['lease'] | undefined => {
  const payment = findPayment(order, reference);
  return payment?.state === 'opening' ? payment.lease : undefined;
};

/** Whether the service has created the payment, and its response did not arrive intact. */
function isResponseLost(error: unknown): error is PaymentsError {
  if (!(error instanceof PaymentsError)) return false;
  const { code, status = 0 } = error;
  return code === 'reference_exists' || (code === 'invalid_response' && status >= 200 && status < 300);
}
