import { CheckoutError } from '../../src/contract/index.ts';
import { PaymentsError } from '../errors/payments-error.ts';
import { toCheckoutError } from '../errors/to-checkout-error.ts';
import type { LiveMode } from '../payments/live-mode.ts';
import type { Order } from '../payments/order.ts';
import type { OpenedRecord } from '../payments/payment-view.ts';
import type { PaymentRecord } from '../stores/store.ts';
import { type CreatePaymentOptions, createAccount } from './create-account.ts';
import { createLinkPage } from './create-link.ts';
import { leaveOpening, type OpeningOptions, saveOpened, whileBeating } from './opening-lease.ts';

/** How a new attempt is to be paid: into an account that the widget shows, or on a page of the service. */
export type Way = 'account' | 'link';

export type OpenOptions = CreatePaymentOptions &
  OpeningOptions & {
    way: Way;
    liveMode: LiveMode;
    /** The failures after which the service may have made a payment that nobody will see; this one adds its own. */
    lost: PaymentsError[];
  };

/** How often one request has the service make a payment whose response does not arrive. */
const maxLost = 3;

/**
 * Calls the service for a payment that this instance has taken, and records the account, or the link. Gives `undefined` when
 * the payment had to be closed, or somebody else wrote first: the caller begins again from what is stored.
 *
 * No other instance calls the service for it. So a reference that the service knows already is that of a request of ours
 * whose response was lost. The account of that one was never recorded, and so never shown: nobody can have been asked to pay
 * into it, and the payment is closed.
 *
 * @throws {CheckoutError} `service_unavailable` or `service_rejected`; `invalid_options` as `LiveMode` does
 */
export async function openPayment(
  options: OpenOptions,
  order: Order,
  record: PaymentRecord,
): Promise<OpenedRecord | undefined> {
  const { payments, recorder, liveMode, callbackUrl, way, lost } = options;
  try {
    liveMode.refuse();
    const make = () => (way === 'link' ? createLinkPage : createAccount)(options, order, record);
    const made = await whileBeating(options, record, make);
    liveMode.check(made.liveMode);
    const openedAt = new Date(payments.serviceNow()).toISOString();
    return await saveOpened(options, record, { ...made, openedAt, callbackUrl });
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

/** Whether the service has made the payment, and what it said of the account did not arrive whole. */
function isResponseLost(cause: unknown): cause is PaymentsError {
  if (!(cause instanceof PaymentsError)) return false;
  const { code, status = 0 } = cause;
  return code === 'reference_exists' || (code === 'invalid_response' && status >= 200 && status < 300);
}

function tooManyLost(cause: PaymentsError): CheckoutError {
  if (cause.code === 'invalid_response') return toCheckoutError(cause);
  const message = 'The payments service makes payments, and its responses do not arrive; try again.';
  return new CheckoutError('service_unavailable', message, { cause, retryAfterSeconds: 3 });
}
