import type { CheckoutError, CheckoutErrorCode, Outcome, PaymentView, Session } from '../contract/index.ts';
import { unreachable } from './unreachable.ts';

/**
 * Whether the view on the screen can be trusted to be fresh: `ok`; `retrying` while looks fail and are repeated;
 * `lost` when the server will not answer this browser any more.
 */
export type Connection = 'ok' | 'retrying' | 'lost';

/** The states in which there is a payment to show. */
export type PaymentStateName = 'awaitingTransfer' | 'confirming' | 'succeeded' | 'expired' | 'failed';

/** A state that shows a payment; one member of the union a name. */
export type PaymentState<Name extends PaymentStateName> = Name extends unknown
  ? { readonly name: Name; readonly payment: PaymentView; readonly connection: Connection }
  : never;

/** The whole of what a checkout can be. `name` is what the page shows as `data-state`. */
export type State =
  | {
      readonly name: 'loading';
      /** How often making the session has failed so far. */
      readonly failures: number;
      /** The payment that was on the screen before: its reference must not get lost. */
      readonly previous?: PaymentView | undefined;
    }
  | PaymentState<PaymentStateName>
  | {
      readonly name: 'unavailable';
      readonly code: CheckoutErrorCode;
      readonly previous?: PaymentView | undefined;
    };
export type StateName = State['name'];

export type Event =
  /** The shopper asks for an account number, for the first time or again. */
  | { readonly type: 'started' }
  | { readonly type: 'sessionReceived'; readonly session: Session }
  | { readonly type: 'createFailed'; readonly error: CheckoutError }
  | { readonly type: 'viewReceived'; readonly view: PaymentView }
  /** The server answered that nothing has changed. */
  | { readonly type: 'unchanged' }
  | { readonly type: 'lookFailed'; readonly error: CheckoutError };

export type Effect =
  /** Ask for a session, after a back-off when `after` is the error of the attempt before. */
  | { readonly type: 'createSession'; readonly failures: number; readonly after?: CheckoutError }
  | { readonly type: 'watch'; readonly session: Session }
  | { readonly type: 'stopWatching' }
  | { readonly type: 'announcePaid'; readonly payment: PaymentView }
  | { readonly type: 'reportError'; readonly error: CheckoutError };

/** Attempts at making a session before the shopper is asked. */
const maxAttempts = 5;

const transientCodes: ReadonlySet<CheckoutErrorCode> = new Set([
  'network_error',
  'rate_limited',
  'internal_error',
  'service_unavailable',
]);

/** Where every checkout begins. */
export const initialState: State = { name: 'loading', failures: 0 };

/** True when nothing that can still happen to the payment would help the shopper on this page. */
export function isFinal(outcome: Outcome): boolean {
  return outcome !== 'pending' && outcome !== 'expired';
}

/** The payment on the screen, or the one that was there before. */
export function paymentOf(state: State): PaymentView | undefined {
  return 'payment' in state ? state.payment : state.previous;
}

/**
 * The next state and what has to be done for it. Pure. Any view may follow any other: the server merges, the browser
 * shows the newest. Events that come too late for their state change nothing.
 */
export function transition(state: State, event: Event): readonly [State, readonly Effect[]] {
  switch (event.type) {
    case 'started':
      return [
        { name: 'loading', failures: 0, previous: paymentOf(state) },
        [{ type: 'stopWatching' }, { type: 'createSession', failures: 0 }],
      ];
    case 'sessionReceived':
      return state.name === 'loading' ? openSession(state, event.session) : [state, []];
    case 'createFailed':
      return state.name === 'loading' ? afterFailedCreate(state, event.error) : [state, []];
    case 'viewReceived':
      return 'payment' in state ? show(state, event.view) : [state, []];
    case 'unchanged':
      return 'payment' in state ? [{ ...state, connection: 'ok' }, []] : [state, []];
    case 'lookFailed':
      return 'payment' in state ? afterFailedLook(state, event.error) : [state, []];
    default:
      return unreachable(event);
  }
}

function openSession(state: State, session: Session): readonly [State, readonly Effect[]] {
  const { clientSecret: _, ...view } = session;
  const [next, effects] = show(state, view);
  return [next, [...effects, { type: 'watch', session }]];
}

function show(state: State, payment: PaymentView): readonly [State, readonly Effect[]] {
  const name = stateNameFor(payment);
  const isNews = name === 'succeeded' && state.name !== 'succeeded';
  return [{ name, payment, connection: 'ok' }, isNews ? [{ type: 'announcePaid', payment }] : []];
}

/** Only the outcome `paid` is success: a status alone says nothing about the amount. */
function stateNameFor({ outcome, status }: PaymentView): PaymentStateName {
  switch (outcome) {
    case 'paid':
      return 'succeeded';
    case 'expired':
    case 'replaced':
      return 'expired';
    case 'failed':
    case 'reversed':
    case 'amountMismatch':
      return 'failed';
    case 'pending':
      return status === 'charged' || status === 'succeeded' ? 'confirming' : 'awaitingTransfer';
    default:
      return unreachable(outcome);
  }
}

function afterFailedCreate(
  state: Extract<State, { name: 'loading' }>,
  error: CheckoutError,
): readonly [State, readonly Effect[]] {
  const failures = state.failures + 1;
  return transientCodes.has(error.code) && failures < maxAttempts
    ? [{ ...state, failures }, [{ type: 'createSession', failures, after: error }]]
    : [{ name: 'unavailable', code: error.code, previous: state.previous }, [{ type: 'reportError', error }]];
}

function afterFailedLook(
  state: PaymentState<PaymentStateName>,
  error: CheckoutError,
): readonly [State, readonly Effect[]] {
  return isPassing(error)
    ? [{ ...state, connection: 'retrying' }, []]
    : [
        { ...state, connection: 'lost' },
        // Told once: looking again while it is lost ends the same way.
        state.connection === 'lost' ? [] : [{ type: 'reportError', error }],
      ];
}

/** True for an error of a look after which looking again can make sense. */
export function isPassing({ code }: CheckoutError): boolean {
  // Networks between phone and shop answer for the server now and then (a sign-in page, a gateway's own HTML).
  return transientCodes.has(code) || code === 'service_rejected' || code === 'invalid_response';
}
