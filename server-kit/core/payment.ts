import type { Account, Money, Outcome, PaymentView } from '../../src/contract/index.ts';
import { notFoundStatus } from '../../src/contract/index.ts';
import type { CallOptions } from './call.ts';
import type { PaymentsClient } from './client.ts';
import type { CheckoutLinkRequest, Payment, PaymentInitiationRequest } from './endpoints.ts';
import { isResponseLost, PaymentsError } from './errors.ts';

/**
 * A payment as the service created it. Store it as JSON with your order before a shopper sees it: no later response repeats the account.
 * A link has a page of the service instead of an account, and no id until somebody opens that page.
 */
export type OpenedPayment = {
  /** Your id of the payment at the service. */
  reference: string;
  /** In minor units. */
  amount: Money;
  /** ISO 8601 in UTC, on the service's clock. */
  openedAt: string;
  expiresAt: string;
  liveMode: boolean;
} & (
  | { paymentId: string; account: Account }
  | { paymentId: null; authorizationUrl: string; isModeAssumed?: true }
);

/** In minor units; `expiresIn` in seconds. */
export type OpenLinkRequest = Omit<CheckoutLinkRequest, 'amount'> & { amount: Money; expiresIn?: number };
export type OpenPaymentRequest = Omit<OpenLinkRequest, 'returnUrl'>;

/** A call may lose the responses to this many payments. */
const maxLost = 3;
/** A silent service gets more time, for the same reference. */
const [firstMs, laterMs] = [5000, 8000];

/**
 * Opens a payment for an order of your own, and returns what to store of it. If a response is lost, nothing returns the account, so another
 * payment is opened with `-2` or `-3` after the reference. Call it once for each reference.
 */
export const openPayment = (client: PaymentsClient, request: OpenPaymentRequest, signal?: AbortSignal) =>
  openOnce(request, (reference, of) => initiatePayment(client, { ...request, reference }, { ...of, signal }));

/** As `openPayment`, with a page of the service to pay on (interface, section 4.5). */
export const openLink = (client: PaymentsClient, request: OpenLinkRequest, signal?: AbortSignal) =>
  openOnce(request, (reference, of) => createLink(client, { ...request, reference }, { ...of, signal }));

type Create<T> = (reference: string, of: CallOptions) => Promise<T>;

async function openOnce<T>({ reference }: { reference: string }, create: Create<T>): Promise<T> {
  const isTimeout = (error: unknown) => error instanceof PaymentsError && error.code === 'timeout';
  const first = { timeoutMs: firstMs, maxRetries: 1, shouldRetry: (error: unknown) => !isTimeout(error) };
  for (let count = 1; ; count++) {
    const name = count === 1 ? reference : `${reference}-${count}`;
    let mayExist = false;
    try {
      return await create(name, first).catch((error: unknown) => {
        if (!isTimeout(error)) throw error;
        mayExist = true;
        return create(name, { timeoutMs: laterMs, maxRetries: 0 });
      });
    } catch (error) {
      if (!isResponseLost(error, mayExist) || count === maxLost) throw error;
    }
  }
}

/** Initiates a payment (interface, section 4.4), once, and checks that its account can be shown. */
export async function initiatePayment(client: PaymentsClient, request: OpenPaymentRequest, of?: CallOptions) {
  // The client refuses other currencies.
  const body = { ...request, paymentMethod: 'pay_with_transfer' } as PaymentInitiationRequest;
  const created = await client.payments.initiate(body, of);
  const { id: paymentId, accountNumber: number, accountName: name, bankName, liveMode, expiresAt } = created;
  const opened = openedNow(client, 'payments.initiate', request, created, expiresAt);
  return { ...opened, liveMode, paymentId, account: { number, name, bankName } };
}

/** Creates a checkout link (interface, section 4.5), once. It is open for `expiresIn` seconds if the service does not say how long. */
export async function createLink(client: PaymentsClient, link: OpenLinkRequest, of?: CallOptions) {
  const { expiresIn = 1800, ...request } = link;
  const created = await client.checkout.create(request as CheckoutLinkRequest, of);
  const { authorizationUrl, liveMode } = created;
  const expiresAt = created.expiresAt ?? new Date(client.serviceNow() + expiresIn * 1000).toISOString();
  return {
    ...openedNow(client, 'checkout.create', request, created, expiresAt),
    liveMode: liveMode ?? client.canBeLive,
    ...(liveMode == null && { isModeAssumed: true as const }),
    paymentId: null,
    authorizationUrl,
  };
}

const maxSkewMs = 5 * 60_000;
/** Refuses another reference or amount, and an expiry that is past by the service's clock and ours: nobody may see that account. */
function openedNow(
  { serviceNow, clockOffsetMs }: PaymentsClient,
  operation: string,
  { reference, amount }: { reference: string; amount: Money },
  created: { reference: string; amount?: Money | null | undefined },
  expiresAt: string,
) {
  const invalid = (message: string, params: readonly string[]): PaymentsError =>
    new PaymentsError('invalid_response', message, { operation, params });
  const { value, currency } = created.amount ?? amount;
  if (created.reference !== reference || value !== amount.value || currency !== amount.currency) {
    const message = `The service created a payment of ${currency} ${value} with reference ${created.reference}, but ${amount.currency} ${amount.value} with reference ${reference} was requested; check dialect.amountUnit.`;
    throw invalid(message, ['amount', 'reference']);
  }
  const nowMs = Math.min(serviceNow(), serviceNow() - (clockOffsetMs() ?? 0));
  const expiresAtMs = Date.parse(expiresAt);
  if (expiresAtMs + maxSkewMs < nowMs) {
    const message = `${operation} returned expiresAt ${expiresAt}, which is in the past, so nobody could pay into it. Ask the service.`;
    throw invalid(message, ['expiresAt']);
  }
  return {
    reference,
    amount: { value, currency },
    openedAt: new Date(serviceNow()).toISOString(),
    // Never a moment before now: the payment would be polled too seldom.
    expiresAt: new Date(Math.max(expiresAtMs, nowMs)).toISOString(),
  };
}

/** Whether the service may not know the payment yet: a node lags behind, or nobody has opened the link. */
export const mayBeUnknownYet = ({ paymentId, openedAt }: Dated, serviceNow: number): boolean =>
  paymentId === null || serviceNow - Date.parse(openedAt) < 10_000;
type Dated = Pick<OpenedPayment, 'paymentId' | 'openedAt'>;

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
 */
export const isPaid = (opened: PaymentIdentity, payment: Payment): boolean =>
  isSamePayment(opened, payment) && isWhole(payment, opened.amount);

type Charged = Pick<Payment, 'status' | 'chargedAmount' | 'expectedAmount'>;

/** Whether the service confirms at least what the order costs, and what the service expects. `null` may be a part. */
export const isWhole = ({ status, chargedAmount, expectedAmount }: Charged, { value }: Money): boolean =>
  status === 'succeeded' && chargedAmount !== null && chargedAmount >= Math.max(expectedAmount, value);

/** Whether the payment has money, confirmed or not: do not cancel, replace or forget it. */
export const holdsMoney = ({ status, chargedAmount }: Pick<Payment, 'status' | 'chargedAmount'>): boolean =>
  status !== 'reversed' && ((chargedAmount ?? 0) > 0 || status === 'charged' || status === 'succeeded');

/** An opened payment as a shop has stored it, with its id of the order, for the receipt. */
export type StoredPayment = OpenedPayment & { orderId?: string };

/** Returns what a page may show of a payment: `undefined` before the first verification, `null` if the service no longer knows it. */
export function toPaymentView(opened: StoredPayment, payment?: Payment | null): PaymentView {
  // A response about another payment says nothing about this one.
  const known = payment && isSamePayment(opened, payment) ? payment : undefined;
  const chargedAmount = known ? known.chargedAmount : 0;
  const isConfirmed = known !== undefined && isPaid(opened, known);
  const status = payment === null ? notFoundStatus : (known?.status ?? 'initiated');
  const unpaid = chargedAmount === null && status === 'succeeded' ? 'pending' : outcomeOf(status);
  return viewOf(opened, {
    status,
    outcome: isConfirmed ? 'paid' : payment === null ? 'unclear' : unpaid,
    chargedAmount: chargedAmount ?? 0,
    paidAt: isConfirmed ? known.updatedAt : undefined,
  });
}

export function outcomeOf(status: string): Outcome {
  if (status === 'succeeded') return 'amountMismatch';
  return status === 'expired' || status === 'failed' || status === 'reversed' ? status : 'pending';
}

type Viewed = Omit<StoredPayment, 'paymentId'> & { account?: Account; authorizationUrl?: string };
type ViewedState = Pick<PaymentView, 'status' | 'outcome' | 'chargedAmount' | 'paidAt'>;

/** Returns the view of a payment, field by field, so that nothing else gets out. While a link can be paid, its outcome is `unclear`. */
export function viewOf(opened: Viewed, state: ViewedState): PaymentView {
  const { reference, amount, openedAt, expiresAt, liveMode, orderId, authorizationUrl } = opened;
  const { number, name, bankName } = opened.account ?? { number: '', name: '', bankName: '' };
  const { status, outcome, chargedAmount, paidAt } = state;
  const payableAt = outcome === 'pending' && status !== 'charged' ? authorizationUrl : undefined;
  return {
    reference,
    account: { number, name, bankName },
    amount: { value: amount.value, currency: amount.currency },
    chargedAmount,
    status,
    outcome: payableAt === undefined ? outcome : 'unclear',
    openedAt,
    expiresAt,
    liveMode,
    ...(payableAt !== undefined && { authorizationUrl: payableAt }),
    ...(paidAt !== undefined && { paidAt, ...(orderId !== undefined && { orderId }) }),
    ...(paidAt !== undefined && Date.parse(paidAt) > Date.parse(expiresAt) && { receivedLate: true }),
  };
}
