import { CheckoutError } from '../../../src/contract/index.ts';
import type { CallOptions } from '../../core/call.ts';
import { isRefusal, isResponseLost, PaymentsError, toCheckoutError } from '../../core/errors.ts';
import { createLink, initiatePayment } from '../../core/payment.ts';
import { closeUnseen } from '../order/next-step.ts';
import {
  findPayment,
  type Lease,
  type Opened,
  type OpeningPayment,
  type Order,
  type Payment,
  withPayment,
} from '../order/record.ts';
import type { OrderRequest } from '../order/request.ts';
import type { Stored } from '../store.ts';
import type { Engine } from './engine.ts';

/** How a payment is paid: into an account that the widget shows, or on a page of the service. */
export type PaymentKind = 'account' | 'link';

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

/** How long the service may take for the first call, and for each one after a lost response. */
const [firstCallMs, laterCallMs] = [5000, 8000];

/** A longer pause is too long for a shopper to wait: the browser retries after it. */
const hasNoLongPause = ({ retryAfterSeconds = 0 }: PaymentsError): boolean => retryAfterSeconds <= 1;

const isTimeout = (error: unknown): boolean => error instanceof PaymentsError && error.code === 'timeout';

/** A payment whose lease a request holds. `mayExist`: an earlier call for it may have created it. */
type Leased = { stored: Stored<Order>; reference: string; lease: Lease; mayExist: boolean };

/**
 * Calls the service for a payment whose lease this request holds, once more if that fails, and records the account or the page. Returns
 * the order as it is stored then, or `undefined` if it has to be read again, because the response was lost.
 *
 * A refusal of a payment that may exist closes it, whatever the refusal says: no page has shown its account. It is still watched: the
 * service may have sent the account to the shopper itself. A call without a response leaves the payment for the next request.
 *
 * @throws {CheckoutError} `service_unavailable` or `service_rejected`; `invalid_options` as `LiveMode` does; the deadline's reason
 */
export async function openPayment(
  engine: Engine,
  kind: PaymentKind,
  order: OrderRequest,
  { stored, reference, lease, ...leased }: Leased,
  openings: Openings,
): Promise<Stored<Order> | undefined> {
  const { liveMode, records, log } = engine;
  const { deadline: signal } = openings;
  let { mayExist } = leased;
  const write = (change: Change) => records.update(stored, changeOpening(reference, lease, change));
  const create = (call: CallOptions) =>
    createServicePayment(engine, kind, order, reference, { signal, ...call });
  try {
    liveMode.check();
    const timeoutMs = openings.lost > 0 || mayExist ? laterCallMs : firstCallMs;
    const opened = await create({ timeoutMs, maxRetries: 1, shouldRetry: isRetriedAtOnce }).catch((error) => {
      if (!isTimeout(error)) throw error;
      mayExist = true;
      return create({ timeoutMs: laterCallMs, maxRetries: 0 });
    });
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
    const isLost = isResponseLost(error, mayExist);
    await write(isLost ? closeUnseen : endLease(stored.storeNow, isRefused(error))).catch(
      (failure: unknown) => log({ type: 'backgroundFailed', error: failure }),
    );
    if (!isLost) throw error instanceof PaymentsError ? toCheckoutError(error) : error;
    if (++openings.lost === maxLost) throw tooManyLost(error);
    return undefined;
  }
}

/** A silent service gets more time instead. */
const isRetriedAtOnce = (error: PaymentsError): boolean => !isTimeout(error) && hasNoLongPause(error);

/** Whether the service has refused to create a payment; of one that may exist, a refusal counts as a lost response. */
const isRefused = (error: unknown): boolean => error instanceof PaymentsError && isRefusal(error);

function tooManyLost(cause: PaymentsError): CheckoutError {
  if (cause.code === 'invalid_response') return toCheckoutError(cause);
  const message = 'The payments service creates payments, but its responses do not arrive; try again.';
  return new CheckoutError('service_unavailable', message, { cause, retryAfterSeconds: 3 });
}

type Change = (opening: OpeningPayment) => Payment;

/** The next request may call the service at once. */
const endLease =
  (endsAtMs: number, isRefused: boolean): Change =>
  (opening) => ({ ...opening, lease: { endsAtMs, ...(isRefused && { isRefused }) } });

/** Changes the payment, if this request holds its lease. */
const changeOpening =
  (reference: string, { endsAtMs }: Lease, change: Change) =>
  (order: Order): Order => {
    const payment = findPayment(order, reference);
    const isHeld = payment?.state === 'opening' && payment.lease.endsAtMs === endsAtMs;
    return isHeld ? withPayment(order, change(payment)) : order;
  };

/** Creates a payment at the service: with an account of its own (interface, section 4.4), or a page to pay on (section 4.5). */
async function createServicePayment(
  { client, callbackUrl, ...engine }: Engine,
  kind: PaymentKind,
  order: OrderRequest,
  reference: string,
  call: CallOptions,
): Promise<Opened> {
  const { amount, customer, metadata, expiresInSeconds: expiresIn, returnUrl = engine.returnUrl } = order;
  const { value, currency } = amount;
  const body = {
    reference,
    amount: { value, currency },
    callbackUrl,
    ...(customer && { customer }),
    ...(metadata && { metadata }),
  };
  const {
    reference: _,
    amount: __,
    ...opened
  } = kind === 'link'
    ? await createLink(client, { ...body, returnUrl, expiresIn }, call)
    : await initiatePayment(client, { ...body, expiresIn }, call);
  return { kind, callbackUrl, ...opened } as Opened;
}

/** Crockford's base 32: without i, l, o and u, which are easily misread. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const length = 12;

/** Returns a new reference, such as `tc_7f3k9qxm2d4w`: 60 random bits, short enough to read out to a help desk. */
export function createReference(randomBytes: (length: number) => Uint8Array = webRandomBytes): string {
  let reference = 'tc_';
  for (const byte of randomBytes(length)) reference += alphabet[byte % alphabet.length];
  return reference;
}

const webRandomBytes = (size: number): Uint8Array => crypto.getRandomValues(new Uint8Array(size));
