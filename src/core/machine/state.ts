import type { CheckoutErrorCode, PaymentView } from '../../contract/index.ts';

/**
 * Whether the view on the screen can be trusted to be fresh: `ok`; `retrying` while looks fail, or a file does not come,
 * and it is tried again; `lost` when looking again as before cannot help; `refused` when the server takes the secret no more.
 */
export type Connection = 'ok' | 'retrying' | 'lost' | 'refused';

/** What is true of any screen, beside its name. */
export type Marks = {
  /** The browser believes that it has no network. A hint: any answer takes it away. */
  readonly isOffline?: boolean | undefined;
  /** When the server last answered about the payment, on the monotonic clock of the environment. */
  readonly checkedAtMs?: number | undefined;
  /** How far the service's clock is ahead of the monotonic clock, in milliseconds; undefined until it is known. */
  readonly serviceOffsetMs?: number | undefined;
};

type ShownPayment = { readonly payment: PaymentView; readonly connection: Connection };

/**
 * Money is being looked for: the shopper says that it is `sent`, or the server says something that this widget does not
 * know (`unclear`), and nobody should pay until that has passed.
 */
export type Checking = ShownPayment & {
  readonly name: 'checking';
  readonly reason: 'sent' | 'unclear';
  /** When the shopper has said so, on the monotonic clock, where that was before this page or in another tab. */
  readonly claimedAtMs?: number | undefined;
};

/** The states in which there is a payment to show, other than `checking`. */
export type PlainStateName =
  | 'awaitingTransfer'
  | 'partlyPaid'
  | 'confirming'
  | 'succeeded'
  | 'expired'
  | 'receivedLate'
  | 'failed'
  | 'reversed';

/** A state that shows a payment; one member of the union a name. */
export type PaymentState<Name extends PlainStateName | 'checking' = PlainStateName | 'checking'> =
  Name extends 'checking' ? Checking : ShownPayment & { readonly name: Name };

/** The whole of what a checkout can be. `name` is what the page shows as `data-state`. */
export type State = Marks &
  (
    | {
        readonly name: 'loading';
        /** How often making the session has failed so far. */
        readonly failures: number;
        /** This browser knows a payment of the order, and looks it up first. */
        readonly isStored?: boolean | undefined;
        /** The payment that was on the screen before: its reference must not get lost. */
        readonly previous?: PaymentView | undefined;
      }
    | PaymentState
    | {
        readonly name: 'unavailable';
        readonly code: CheckoutErrorCode;
        readonly previous?: PaymentView | undefined;
      }
  );
export type StateName = State['name'];

/** Where every checkout begins. */
export const initialState: State = { name: 'loading', failures: 0 };

/** The payment on the screen, or the one that was there before. */
export function paymentOf(state: State): PaymentView | undefined {
  return 'payment' in state ? state.payment : state.previous;
}

/** The reference of the payment that a view describes: what a shopper is shown, and gives to the shop. */
export function referenceOf({ paymentReference, reference }: PaymentView): string {
  return paymentReference ?? reference;
}

/** True where the shopper may say that the money is sent. */
export function canClaimTransfer(state: State): state is State & PaymentState {
  return (
    state.name === 'awaitingTransfer' ||
    state.name === 'partlyPaid' ||
    (state.name === 'expired' && state.payment.outcome === 'expired')
  );
}

/**
 * The state in which a payment is shown as long as the shopper has said nothing. Only the outcome `paid` is success: a
 * status alone says nothing about the amount. A word that is not known shows no account to pay into.
 */
export function stateOfPayment(payment: PaymentView, connection: Connection): PaymentState {
  const name = nameFor(payment);
  const shown = { payment, connection };
  return name ? { ...shown, name } : { ...shown, name: 'checking', reason: 'unclear' };
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
