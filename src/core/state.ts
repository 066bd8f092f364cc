import type { CheckoutErrorCode, PaymentView, Session } from '../contract/index.ts';

export function isDecided(outcome: PaymentView['outcome']): boolean {
  return !['pending', 'expired', 'unclear'].includes(outcome);
}

/**
 * Whether the shown payment is up to date: `ok`; `retrying` while checks get no response and are repeated; `failing` while the server
 * responds that it cannot check; `lost` when repeating them cannot help; `refused` while the server does not accept the secret, and the
 * session is renewed.
 */
export type Connection = 'ok' | 'retrying' | 'failing' | 'lost' | 'refused';

export type CommonState = {
  /** The browser reports that it has no network. Only a hint: any response resets it. */
  readonly isOffline?: boolean | undefined;
  /** When the server last responded about the payment, on the monotonic clock. */
  readonly checkedAtMs?: number | undefined;
  /** The service's clock minus the monotonic clock, in milliseconds; undefined until known. */
  readonly serviceOffsetMs?: number | undefined;
};

type ShownView = PaymentView & Pick<Session, 'qrText'>;

type ShownPayment = {
  readonly payment: ShownView;
  readonly connection: Connection;
  /** How often the secret was refused, or could not be renewed, since the server last accepted one. */
  readonly refusals?: number | undefined;
};

export type StoredReference = {
  readonly reference: string;
  readonly isClaimed: boolean;
};

/** The payment is being checked: the shopper claims to have `sent` the money, or the server reports an unknown outcome (`unclear`). */
export type Checking = ShownPayment & {
  readonly name: 'checking';
  readonly reason: 'sent' | 'unclear';
  /** When the shopper claimed it, on the monotonic clock. */
  readonly claimedAtMs?: number | undefined;
};

export type PlainStateName =
  | 'awaitingTransfer'
  | 'partlyPaid'
  | 'confirming'
  | 'succeeded'
  | 'expired'
  | 'receivedLate'
  | 'failed'
  | 'reversed';

export type PaymentState<Name extends PlainStateName | 'checking' = PlainStateName | 'checking'> =
  Name extends 'checking' ? Checking : ShownPayment & { readonly name: Name };

type NoPayment = {
  readonly failures: number;
  /** The payment shown before. The shopper has asked for another one. */
  readonly previous?: PaymentView | undefined;
  /** A stored payment that cannot be checked yet. */
  readonly stored?: StoredReference | undefined;
};

/** The state of a checkout. The card shows `name` as `data-state`. */
export type State = CommonState &
  (
    | (NoPayment & { readonly name: 'loading' })
    | PaymentState
    | (NoPayment & { readonly name: 'unavailable'; readonly code: CheckoutErrorCode })
  );
export type StateName = State['name'];

export const initialState: State = { name: 'loading', failures: 0 };

export function paymentOf(state: State): PaymentView | undefined {
  return 'payment' in state ? state.payment : state.previous;
}

export function referenceOf({ paymentReference, reference }: PaymentView): string {
  return paymentReference ?? reference;
}

export function knownReference(state: State): string | undefined {
  const payment = paymentOf(state);
  if (payment) return referenceOf(payment);
  return 'stored' in state ? state.stored?.reference : undefined;
}

export function canClaimTransfer(state: State): state is State & PaymentState {
  return (
    state.name === 'awaitingTransfer' ||
    state.name === 'partlyPaid' ||
    (state.name === 'expired' && state.payment.outcome === 'expired')
  );
}

export function isPaid(state: State): state is State & PaymentState<'succeeded' | 'receivedLate'> {
  return state.name === 'succeeded' || state.name === 'receivedLate';
}

export function isClaimed(state: State): state is State & Checking {
  return state.name === 'checking' && state.reason === 'sent';
}

/** Returns the state of a payment without a transfer claim. An unknown status or outcome shows no account to pay into. */
export function stateOfPayment(payment: ShownView, connection: Connection): PaymentState {
  const name = nameFor(payment);
  const shown = { payment, connection };
  const isOffered = name === 'awaitingTransfer' || name === 'partlyPaid';
  return name && !(isOffered && connection === 'refused')
    ? { ...shown, name }
    : { ...shown, name: 'checking', reason: 'unclear' };
}

function nameFor({
  outcome,
  status,
  receivedLate,
  chargedAmount,
  amount,
}: PaymentView): PlainStateName | undefined {
  switch (outcome) {
    case 'paid':
      return receivedLate ? 'receivedLate' : 'succeeded';
    case 'expired':
    case 'replaced':
      return 'expired';
    case 'failed':
    case 'amountMismatch':
      return 'failed';
    case 'reversed':
      return 'reversed';
    case 'pending': {
      const isWaiting = status === 'initiated' || status === 'awaiting_charge';
      if (!isWaiting && status !== 'charged' && status !== 'succeeded') return undefined;
      if (isWaiting && chargedAmount === 0) return 'awaitingTransfer';
      const isPart = chargedAmount > 0 && chargedAmount < amount.value;
      return isPart && status !== 'succeeded' ? 'partlyPaid' : 'confirming';
    }
    default:
      return undefined;
  }
}
