import type { CheckoutError, PaymentView, Session } from '../../contract/index.ts';
import { isPassing, isTransient } from './back-off.ts';
import { isDecided, mayFollow } from './outcome.ts';
import {
  type Checking,
  type Connection,
  canClaimTransfer,
  type PaymentState,
  paymentOf,
  referenceOf,
  type State,
  stateOfPayment,
} from './state.ts';

export type Event =
  /** The shopper asks for an account number, for the first time or again. */
  | { readonly type: 'started' }
  /** The order has a payment that this browser knows. */
  | { readonly type: 'storedFound' }
  | { readonly type: 'sessionReceived'; readonly session: Session }
  | { readonly type: 'createFailed'; readonly error: CheckoutError }
  | { readonly type: 'viewReceived'; readonly view: PaymentView }
  /** The server answered that nothing has changed. */
  | { readonly type: 'unchanged' }
  | { readonly type: 'lookFailed'; readonly error: CheckoutError }
  /** Somebody asks to look at once. */
  | { readonly type: 'refreshed' }
  /** The shopper says that the money is on its way: now, or at a moment before, on the monotonic clock. */
  | { readonly type: 'sent'; readonly atMs?: number | undefined }
  /** The shopper takes it back. */
  | { readonly type: 'notSent' }
  | { readonly type: 'wentOffline' }
  | { readonly type: 'cameOnline' };

export type Effect =
  /** Ask for a session, after a back-off when `after` is the error of the attempt before. */
  | { readonly type: 'createSession'; readonly failures: number; readonly after?: CheckoutError }
  | { readonly type: 'watch'; readonly session: Session }
  | { readonly type: 'stopWatching' }
  | { readonly type: 'lookNow' }
  /** Keep with the session what the shopper has said, so that a reload finds it. */
  | { readonly type: 'rememberSent'; readonly isSent: boolean }
  | { readonly type: 'reportError'; readonly error: CheckoutError };

export type Step = readonly [State, readonly Effect[]];

/** The clocks when an event comes, in milliseconds: the monotonic one, and the service's where an answer has told it. */
export type Clocks = { readonly nowMs?: number | undefined; readonly serviceTimeMs?: number | undefined };

/** Attempts at making a session before the shopper is asked. */
const maxAttempts = 5;
/** A longer `Retry-After` is not waited for: the shopper is asked. */
const longestSilenceSeconds = 15;

/**
 * Returns the next state and the effects to run for it. Pure. Any view may follow any other, except those that `mayFollow` refuses: the
 * server merges, the browser shows the newest. Events that arrive too late for their state change nothing.
 */
export function transition(state: State, event: Event, { nowMs, serviceTimeMs }: Clocks = {}): Step {
  const [next, effects] = step(state, event);
  let { isOffline, checkedAtMs, serviceOffsetMs } = state;
  switch (event.type) {
    case 'wentOffline':
    case 'cameOnline':
      isOffline = event.type === 'wentOffline';
      break;
    case 'sessionReceived':
    case 'viewReceived':
    case 'unchanged':
      isOffline = false;
      checkedAtMs = nowMs;
      if (nowMs !== undefined && serviceTimeMs !== undefined) serviceOffsetMs = serviceTimeMs - nowMs;
  }
  return [{ ...next, isOffline, checkedAtMs, serviceOffsetMs }, effects];
}

function step(state: State, event: Event): Step {
  switch (event.type) {
    case 'started':
      return [
        { name: 'loading', failures: 0, previous: paymentOf(state) },
        [{ type: 'stopWatching' }, { type: 'createSession', failures: 0 }],
      ];
    case 'createFailed':
      return afterFailedCreate(state, event.error);
    case 'storedFound':
      return [state.name === 'loading' ? { ...state, isStored: true } : state, []];
    case 'sessionReceived':
      return state.name === 'loading' ? openSession(event.session) : stepPayment(state, event);
    case 'cameOnline':
      // What the network has stopped goes on by itself.
      return state.name === 'unavailable' && state.code === 'network_error'
        ? step(state, { type: 'started' })
        : [state, []];
    default:
      return stepPayment(state, event);
  }
}

/** The transitions of a payment that is shown; nothing where none is. */
function stepPayment(state: State, event: Event): Step {
  if (!('payment' in state)) return [state, []];
  switch (event.type) {
    case 'sessionReceived':
      return replaceSession(state, event.session);
    case 'viewReceived':
      return show(state, event.view);
    case 'unchanged':
      return connect(state, 'ok');
    case 'lookFailed':
      return afterFailedLook(state, event.error);
    case 'refreshed':
      return state.connection === 'refused'
        ? connect(state, 'retrying', [{ type: 'stopWatching' }, { type: 'createSession', failures: 0 }])
        : [state, [{ type: 'lookNow' }]];
    case 'sent':
      return canClaimTransfer(state)
        ? [
            { ...state, name: 'checking', reason: 'sent', claimedAtMs: event.atMs },
            [{ type: 'rememberSent', isSent: true }, { type: 'lookNow' }],
          ]
        : [state, []];
    case 'notSent':
      return isSent(state) ? forget(stateOfPayment(state.payment, state.connection)) : [state, []];
    default:
      return [state, []];
  }
}

/** Sets how fresh the payment on the screen is, where there is one. */
function connect(state: State, connection: Connection, effects: readonly Effect[] = []): Step {
  return 'payment' in state ? [{ ...state, connection }, effects] : [state, []];
}

function openSession(session: Session): Step {
  const { clientSecret: _, ...view } = session;
  return [stateOfPayment(view, 'ok'), [{ type: 'watch', session }]];
}

function afterFailedCreate(state: State, error: CheckoutError): Step {
  // Its secret could not be renewed. The account stays; that it was lost is told already.
  if (state.name !== 'loading') return connect(state, 'refused');
  const failures = state.failures + 1;
  // A page that says nothing for so long would be left; this way there is something to do.
  const isTakingLong = (error.retryAfterSeconds ?? 0) > longestSilenceSeconds;
  return isTransient(error) && failures < maxAttempts && !isTakingLong
    ? [{ ...state, failures }, [{ type: 'createSession', failures, after: error }]]
    : [{ name: 'unavailable', code: error.code, previous: state.previous }, [{ type: 'reportError', error }]];
}

/** Another session takes the place of the one that is watched. */
function replaceSession(state: State & PaymentState, session: Session): Step {
  const { clientSecret: _, ...view } = session;
  const [next, effects] = show(state, view);
  return [next, [...effects, { type: 'stopWatching' }, { type: 'watch', session }]];
}

function isSent(state: State): state is State & Checking {
  return state.name === 'checking' && state.reason === 'sent';
}

function forget(state: State): Step {
  const effect: Effect = { type: 'rememberSent', isSent: false };
  return [state, [effect]];
}

/** What a shopper has said holds until there is news, or another payment. */
function show(state: State & PaymentState, payment: PaymentView): Step {
  if (!mayFollow(state.payment, payment)) return [state, []];
  const next = stateOfPayment(payment, 'ok');
  if (!isSent(state)) return [next, []];
  const isNews =
    referenceOf(payment) !== referenceOf(state.payment) ||
    payment.chargedAmount !== state.payment.chargedAmount ||
    !(next.name === 'checking' || canClaimTransfer(next));
  const { claimedAtMs } = state;
  return isNews ? forget(next) : [{ ...next, name: 'checking', reason: 'sent', claimedAtMs }, []];
}

function afterFailedLook(state: State & PaymentState, error: CheckoutError): Step {
  // What the shopper waited for is known: that there is no news of it is no news.
  if (isDecided(state.payment.outcome)) return [state, []];
  if (isPassing(error)) return connect(state, 'retrying');
  // Told once: looking again while it is lost ends the same way.
  const isTold = state.connection === 'lost' || state.connection === 'refused';
  return connect(
    state,
    error.code === 'session_unauthorized' ? 'refused' : 'lost',
    isTold ? [] : [{ type: 'reportError', error }],
  );
}
