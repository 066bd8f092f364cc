import { CheckoutError } from '../../src/contract/index.ts';
import { PaymentsError } from '../errors/payments-error.ts';
import { toCheckoutError } from '../errors/to-checkout-error.ts';
import type { LiveMode } from '../payments/live-mode.ts';
import type { Order } from '../payments/order.ts';
import type { OpenedRecord } from '../payments/payment-view.ts';
import type { PaymentRecord } from '../stores/payment-record.ts';
import { createAccount } from './create-account.ts';
import { createLink } from './create-link.ts';
import type { CreationOptions } from './creation.ts';
import { leaveOpening, type OpeningOptions, saveOpened, whileBeating } from './opening-lease.ts';

/** How a payment is paid: into an account that the widget shows, or on a page of the service. */
export type PaymentKind = 'account' | 'link';

export type OpenOptions = CreationOptions &
  OpeningOptions & {
    kind: PaymentKind;
    liveMode: LiveMode;
    /** The failures after which the service may have created a payment that nobody sees. A failure is added here. */
    lost: PaymentsError[];
  };

/** How many payments one request may have the service create without receiving the response. */
const maxLost = 3;

/**
 * Calls the service for a payment that this instance has taken, and records the account or the link. Returns `undefined` if
 * the payment had to be closed, or another write came first: the caller starts again from what is stored.
 *
 * No other instance calls the service for this payment. If the service already knows the reference, then it is from a
 * request of ours whose response was lost. That account was never recorded and never shown, so nobody can have paid into
 * it, and the payment is closed.
 *
 * @throws {CheckoutError} `service_unavailable` or `service_rejected`; `invalid_options` as `LiveMode` does
 */
export async function openPayment(
  options: OpenOptions,
  order: Order,
  record: PaymentRecord,
): Promise<OpenedRecord | undefined> {
  const { payments, recorder, liveMode, callbackUrl, kind, lost } = options;
  try {
    liveMode.refuse();
    const create = () => (kind === 'link' ? createLink : createAccount)(options, order, record);
    const created = await whileBeating(options, record, create);
    liveMode.check(created.liveMode);
    const openedAt = new Date(payments.serviceNow()).toISOString();
    return await saveOpened(options, record, { ...created, openedAt, callbackUrl });
  } catch (cause) {
    if (!isResponseLost(cause)) {
      await leaveOpening(options, record);
      throw cause instanceof PaymentsError ? toCheckoutError(cause) : cause;
    }
    await recorder.replace(record);
    lost.push(cause);
    if (lost.length === maxLost) throw tooManyLost(cause);
    return undefined;
  }
}

/** Whether the service has created the payment, and its response did not arrive intact. */
function isResponseLost(cause: unknown): cause is PaymentsError {
  if (!(cause instanceof PaymentsError)) return false;
  const { code, status = 0 } = cause;
  return code === 'reference_exists' || (code === 'invalid_response' && status >= 200 && status < 300);
}

function tooManyLost(cause: PaymentsError): CheckoutError {
  if (cause.code === 'invalid_response') return toCheckoutError(cause);
  const message = 'The payments service creates payments, but its responses do not arrive; try again.';
  return new CheckoutError('service_unavailable', message, { cause, retryAfterSeconds: 3 });
}
