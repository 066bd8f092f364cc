import {
  type Account,
  type Money,
  notFoundStatus,
  type Outcome,
  type PaymentView,
} from '../../src/contract/index.ts';
import type { CallOptions } from './call.ts';
import type { PaymentsClient } from './client.ts';
import {
  type CheckoutLinkRequest,
  type Payment,
  type PaymentInitiationRequest,
  paymentFees,
} from './endpoints.ts';
import { isTransient, PaymentsError } from './errors.ts';
import { type Dialect, defaultDialect } from './options.ts';

/**
 * A payment as the service has created it. Store it, as JSON, with your order before a shopper sees it: no later response of the service
 * repeats the account. A link has a page of the service to pay on instead of an account, and no id until somebody opens that page.
 */
export type OpenedPayment = {
  /** Your id of the payment at the service. */
  reference: string;
  /** In minor units. */
  amount: Money;
  /** ISO 8601 in UTC, on the service's clock. */
  openedAt: string;
  expiresAt: string;
  /** False in test mode. */
  liveMode: boolean;
} & (
  | { paymentId: string; account: Account }
  | { paymentId: null; authorizationUrl: string; isModeAssumed?: true }
);

/** What `openPayment` takes. `expiresIn` in seconds. */
export type OpenPaymentRequest = Omit<PaymentInitiationRequest, 'paymentMethod'>;

/** How many payments one call may have the service create without receiving the response. */
const maxLost = 3;

/**
 * Opens a payment for an order of your own, and returns what to store of it. After a create whose outcome is not known, nothing returns
 * the account: that payment is left alone, and another one is opened with `-2` or `-3` after the reference.
 *
 * Call it once for each reference, and show the account only after the returned payment is stored: a second call opens a second payment.
 *
 * @example
 * const opened = await openPayment(client, { reference: 'order_1', amount: { value: 1_250_000, currency: 'NGN' } });
 * await orders.update('order_1', { opened });
 *
 * @throws {PaymentsError} as `payments.initiate`; `invalid_response` for an account of another amount, or one that has expired
 */
export const openPayment = (client: PaymentsClient, request: OpenPaymentRequest, of?: CallOptions) =>
  createUnderNewReferences(request.reference, (reference) => initiate(client, { ...request, reference }, of));

/** As `openPayment`, with a page of the service to pay on (interface, section 4.5). A link is open for `expiresIn` seconds at most. */
export const openLink = (
  client: PaymentsClient,
  request: CheckoutLinkRequest & { expiresIn?: number },
  of?: CallOptions,
) =>
  createUnderNewReferences(request.reference, (reference) =>
    createLink(client, { ...request, reference }, of),
  );

async function createUnderNewReferences(
  reference: string,
  create: (reference: string) => Promise<OpenedPayment>,
) {
  for (let count = 1; ; count++) {
    try {
      return await create(count === 1 ? reference : `${reference}-${count}`);
    } catch (error) {
      if (!mayExist(error) || count === maxLost) throw error;
    }
  }
}

/** Whether the service may have created the payment, and will never return its account: it refuses the reference from now on. */
export const mayExist = (error: unknown): boolean =>
  error instanceof PaymentsError &&
  (error.code === 'reference_exists' || (error.mayBeDone && !isTransient(error) && error.code !== 'aborted'));

/** Initiates a payment (interface, section 4.4), and checks that its account can be shown. */
export async function initiate(
  client: PaymentsClient,
  request: OpenPaymentRequest,
  of?: CallOptions,
): Promise<OpenedPayment> {
  const created = await client.payments.initiate({ ...request, paymentMethod: 'pay_with_transfer' }, of);
  refuseAnotherPayment('payments.initiate', created, request);
  const { id: paymentId, accountNumber: number, accountName: name, bankName, liveMode } = created;
  const expiresAt = checkExpiry(client, 'payments.initiate', created.expiresAt);
  return {
    ...openedNow(client, request),
    expiresAt,
    liveMode,
    paymentId,
    account: { number, name, bankName },
  };
}

/** Creates a checkout link (interface, section 4.5). */
export async function createLink(
  client: PaymentsClient,
  { expiresIn = 1800, ...request }: CheckoutLinkRequest & { expiresIn?: number },
  of?: CallOptions,
): Promise<OpenedPayment> {
  const created = await client.checkout.create(request, of);
  refuseAnotherPayment('checkout.create', created, request);
  const { authorizationUrl, liveMode } = created;
  const expiresAt = created.expiresAt ?? new Date(client.serviceNow() + expiresIn * 1000).toISOString();
  return {
    ...openedNow(client, request),
    expiresAt: checkExpiry(client, 'checkout.create', expiresAt),
    liveMode: liveMode ?? client.canBeLive,
    ...(liveMode == null && { isModeAssumed: true }),
    paymentId: null,
    authorizationUrl,
  };
}

const openedNow = (
  { serviceNow }: PaymentsClient,
  { reference, amount }: { reference: string; amount: Money },
) => ({
  reference,
  amount: { value: amount.value, currency: amount.currency },
  openedAt: new Date(serviceNow()).toISOString(),
});

/** The largest difference between the service's clock and ours that is accepted. */
const maxSkewMs = 5 * 60_000;

/**
 * Returns when the account or the link expires, but never a moment before now: the payment would then be polled too seldom. Refuses a
 * moment that is long past on the service's clock and on ours, because one of them may be wrong.
 */
function checkExpiry(
  { serviceNow, clockOffsetMs }: PaymentsClient,
  operation: string,
  expiresAt: string,
): string {
  const nowMs = Math.min(serviceNow(), serviceNow() - (clockOffsetMs() ?? 0));
  const expiresAtMs = Date.parse(expiresAt);
  if (expiresAtMs + maxSkewMs >= nowMs) return new Date(Math.max(expiresAtMs, nowMs)).toISOString();
  const message = `${operation} returned expiresAt ${expiresAt}, which is in the past, so nobody could pay into it. Ask the service.`;
  throw new PaymentsError('invalid_response', message, { operation, params: ['expiresAt'] });
}

/** Refuses an account or a page for another reference or amount: it must not be shown to anybody. */
function refuseAnotherPayment(
  operation: string,
  created: { reference: string; amount?: Money | null | undefined },
  { reference, amount }: { reference: string; amount: Money },
): void {
  const { value, currency } = created.amount ?? amount;
  if (created.reference === reference && value === amount.value && currency === amount.currency) return;
  const message = `The service created a payment of ${currency} ${value} with reference ${created.reference}, but ${amount.currency} ${amount.value} with reference ${reference} was requested; check dialect.amountUnit.`;
  throw new PaymentsError('invalid_response', message, { operation, params: ['amount', 'reference'] });
}

/** Nodes of the service may differ by seconds. */
const knownWithinMs = 10_000;

/** Whether the payment is so new that a node of the service may not know it yet. */
export const mayBeUnknownYet = ({ openedAt }: Pick<OpenedPayment, 'openedAt'>, serviceNow: number): boolean =>
  serviceNow - Date.parse(openedAt) < knownWithinMs;

/** What shows that a response is about the payment that was opened. A link takes any id. */
export type PaymentIdentity = Pick<OpenedPayment, 'reference' | 'paymentId' | 'amount' | 'liveMode'>;

const isSamePayment = (opened: PaymentIdentity, payment: Payment): boolean =>
  payment.reference === opened.reference &&
  (opened.paymentId === null || payment.id === opened.paymentId) &&
  payment.currency === opened.amount.currency &&
  payment.liveMode === opened.liveMode;

/**
 * Whether the service has confirmed that the payment is paid: its status is `succeeded`, at least the amount was charged, and reference,
 * id, currency and mode are those of the payment that was opened. Nothing else is evidence: not a callback, and not `charged`.
 *
 * @param payment what `payments.verify` has returned
 * @param dialect `client.dialect`, where it is not the default
 */
export function isPaid(
  opened: PaymentIdentity,
  payment: Payment,
  dialect: Dialect = defaultDialect,
): boolean {
  const { status, expectedAmount } = payment;
  const chargedAmount = grossAmount(payment, dialect);
  // `succeeded` without an amount may be a part.
  if (chargedAmount === null || !isSamePayment(opened, payment)) return false;
  return isWhole({ status, chargedAmount, expectedAmount }, opened.amount);
}

/** Whether what the service says of a payment confirms at least what the order costs, and what the service expects. */
export const isWhole = (
  observed: Pick<Payment, 'status' | 'expectedAmount'> & { chargedAmount: number },
  amount: Money,
): boolean =>
  observed.status === 'succeeded' &&
  observed.chargedAmount >= Math.max(observed.expectedAmount, amount.value);

/** The statuses in which a payment without a charge holds no money. An unknown status may mean anything. */
export const emptyStatuses: readonly string[] = [
  'initiated',
  'awaiting_charge',
  'expired',
  'failed',
  'reversed',
];

/** Whether the service says that money is on the payment, confirmed or not: it must not be cancelled, replaced or forgotten. */
export const holdsMoney = ({ status, chargedAmount }: Pick<Payment, 'status' | 'chargedAmount'>): boolean =>
  status !== 'reversed' && ((chargedAmount ?? 0) > 0 || !emptyStatuses.includes(status));

/** Returns what the shopper sent, in minor units, whichever way the service counts its fees; `null` if no amount is named. */
export function grossAmount(payment: Payment, dialect: Dialect): number | null {
  const { chargedAmount, status } = payment;
  const isGross = dialect.chargedAmountBasis === 'gross' || chargedAmount === null || chargedAmount <= 0;
  // The amount of a reversal decides nothing.
  if (isGross || status === 'reversed') return chargedAmount;
  return paymentFees.reduce((sum, fee) => sum + (payment[fee] ?? 0), chargedAmount);
}

/** An opened payment as a shop has stored it, with its id of the order, for the receipt of a paid payment. */
export type StoredOpenedPayment = OpenedPayment & { orderId?: string };

/**
 * Returns what a page may show of a payment, as the widget reads it.
 *
 * @param payment what `payments.verify` has returned; `undefined` if nobody has asked yet; `null` if the service does not know the
 *   payment any more (`not_found`): the page then says that nobody should pay
 * @param dialect `client.dialect`, where it is not the default
 */
export function toPaymentView(
  opened: StoredOpenedPayment,
  payment?: Payment | null,
  dialect: Dialect = defaultDialect,
): PaymentView {
  // A response about another payment says nothing about this one.
  const known = payment && isSamePayment(opened, payment) ? payment : undefined;
  const chargedAmount = known ? grossAmount(known, dialect) : 0;
  const status = payment === null ? notFoundStatus : (known?.status ?? 'initiated');
  const isUnclear = payment === null || (known?.status === 'succeeded' && chargedAmount === null);
  const outcome =
    known && isPaid(opened, known, dialect) ? 'paid' : isUnclear ? 'unclear' : outcomeOf(status);
  const paidAt = outcome === 'paid' ? known?.updatedAt : undefined;
  return viewOf(opened, { status, outcome, chargedAmount: chargedAmount ?? 0, paidAt });
}

/** Returns the outcome of a payment that is not paid. */
export function outcomeOf(status: string): Outcome {
  if (status === 'succeeded') return 'amountMismatch';
  return status === 'expired' || status === 'failed' || status === 'reversed' ? status : 'pending';
}

/** What a view says of a payment besides how it was opened. `paidAt`: when the service confirmed it. */
type ViewedState = Pick<PaymentView, 'status' | 'outcome' | 'chargedAmount'> & {
  paidAt?: string | undefined;
};

/**
 * Returns the view of a payment: the one place that makes one. Each field is listed, so that nothing else gets out. While a link can be
 * paid, its outcome is `unclear`, so that older widgets, which have no account to show, keep polling.
 */
export function viewOf(opened: Omit<StoredOpenedPayment, 'paymentId'>, state: ViewedState): PaymentView {
  const { reference, amount, openedAt, expiresAt, liveMode, orderId } = opened;
  const { status, outcome, chargedAmount, paidAt } = state;
  const { number, name, bankName } = ('account' in opened && (opened.account as Account)) || noAccount;
  const isPayable = 'authorizationUrl' in opened && outcome === 'pending' && status !== 'charged';
  return {
    reference,
    account: { number, name, bankName },
    amount: { value: amount.value, currency: amount.currency },
    chargedAmount,
    status,
    outcome: isPayable ? 'unclear' : outcome,
    openedAt,
    expiresAt,
    liveMode,
    ...(isPayable && { authorizationUrl: opened.authorizationUrl as string }),
    ...(paidAt !== undefined && { paidAt, ...(orderId !== undefined && { orderId }) }),
    ...(paidAt !== undefined && Date.parse(paidAt) > Date.parse(expiresAt) && { receivedLate: true }),
  };
}

const noAccount: Account = { number: '', name: '', bankName: '' };
