import { CheckoutError } from '../../../src/contract/index.ts';
import type { Wait } from '../../client/async/wait.ts';
import { isResponseLost, PaymentsError } from '../../client/errors/payments-error.ts';
import { toCheckoutError } from '../../client/errors/to-checkout-error.ts';
import { closeUnseen } from '../order/next-step.ts';
import {
  findPayment,
  type Lease,
  type OpeningPayment,
  type Order,
  type Payment,
  withPayment,
} from '../order/order.ts';
import type { OrderRequest } from '../order/order-request.ts';
import type { Store, Stored } from '../ports/store.ts';
import type { Log } from '../telemetry/log.ts';
import { type CreationOptions, createServicePayment, type PaymentKind } from './create-service-payment.ts';
import { hedge } from './hedge.ts';
import type { LiveMode } from './live-mode.ts';
import type { Records } from './records.ts';

export type OpenPaymentOptions = CreationOptions & {
  wait: Wait;
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
  /** Aborts when the shopper must get a response. */
  deadline: AbortSignal;
};

/** How many payments one request may have the service create without receiving the response. */
const maxLost = 3;

/** Short enough that a second request can succeed before the shopper gives up. */
const silenceMs = 1500;

/** A longer pause is too long for a shopper to wait: the browser retries after it. */
const hasNoLongPause = ({ retryAfterSeconds = 0 }: PaymentsError): boolean => retryAfterSeconds <= 1;

/**
 * Calls the service for a payment whose lease this request holds, again while the service is silent, and records the account or the
 * page. Returns the order as it is stored then, or `undefined` if it has to be read again, because the response was lost.
 *
 * If the service already knows the reference, then it is from a request of ours whose response was lost. No page has shown
 * that account, so the payment is closed. It is still watched: the service may have sent the account to the shopper itself.
 *
 * @throws {CheckoutError} `service_unavailable` or `service_rejected`; `invalid_options` as `LiveMode` does; the deadline's reason
 */
export async function openPayment(
  options: OpenPaymentOptions,
  kind: PaymentKind,
  order: OrderRequest,
  { stored, reference, lease }: { stored: Stored<Order>; reference: string; lease: Lease },
  openings: Openings,
): Promise<Stored<Order> | undefined> {
  const { wait, liveMode, records, log } = options;
  const { deadline, lost } = openings;
  const write = (change: Change) => records.update(stored, changeOpening(reference, lease, change));
  try {
    liveMode.check();
    const opened = await hedge(
      (signal) =>
        createServicePayment(options, kind, order, reference, { signal, shouldRetry: hasNoLongPause }),
      // After a lost response, the service may only be slow, and is waited for until the deadline.
      { wait, deadline, afterMs: silenceMs, graceMs: lost > 0 ? null : silenceMs },
    );
    liveMode.check(opened);
    openings.opened = reference;
    return await write(({ lease: _, state: __, ...common }) => ({
      state: 'open',
      observed: null,
      missingSince: null,
      opened,
      ...common,
    }));
  } catch (error) {
    const isLost = isResponseLost(error);
    await write(isLost ? closeUnseen : endLease(stored.storeNow)).catch((failure: unknown) =>
      log({ type: 'backgroundFailed', error: failure }),
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

/** Changes the payment, if this request holds its lease. */
const changeOpening =
  (reference: string, { by, endsAtMs }: Lease, change: Change) =>
  (order: Order): Order => {
    const payment = findPayment(order, reference);
    const isHeld =
      payment?.state === 'opening' && payment.lease.by === by && payment.lease.endsAtMs === endsAtMs;
    return isHeld ? withPayment(order, change(payment)) : order;
  };
