import { type CheckoutError, ownCopy, type PaymentView, type Session } from '../../contract/index.ts';
import { canKeepPolling, isServerFailure, isTransient } from './back-off.ts';
import { canFollow, isDecided } from './outcome.ts';
import {
  type Connection,
  canClaimTransfer,
  isClaimed,
  type PaymentState,
  paymentOf,
  referenceOf,
  type State,
  stateOfPayment,
} from './state.ts';

export type Event =
  /** The shopper requests an account, for the first time or again. */
  | { readonly type: 'started' }
  | { readonly type: 'storedFound'; readonly reference: string }
  /** The stored payment is not the one to pay or to show. */
  | { readonly type: 'storedDismissed' }
  | { readonly type: 'sessionReceived'; readonly session: Session }
  | { readonly type: 'createFailed'; readonly error: CheckoutError }
  | { readonly type: 'viewReceived'; readonly view: PaymentView }
  /** The server responded that the view has not changed. */
  | { readonly type: 'unchanged' }
  | { readonly type: 'checkFailed'; readonly error: CheckoutError }
  | { readonly type: 'checkRequested' }
  /** The shopper claims to have sent the money, now or earlier (on the monotonic clock). */
  | { readonly type: 'claimed'; readonly atMs?: number | undefined }
  | { readonly type: 'withdrawn' }
  | { readonly type: 'wentOffline' }
  | { readonly type: 'cameOnline' };

export type Effect =
  /** Requests a session, with a back-off when `after` is the error of the previous attempt. */
  | { readonly type: 'createSession'; readonly failures: number; readonly after?: CheckoutError }
  | { readonly type: 'watch'; readonly session: Session }
  | { readonly type: 'stopWatching' }
  | { readonly type: 'checkNow' }
  /** Stores the transfer claim, or its withdrawal, for a reload and for other tabs. */
  | { readonly type: 'storeClaim'; readonly isClaimed: boolean }
  | { readonly type: 'reportError'; readonly error: CheckoutError };

export type Step = readonly [State, readonly Effect[]];

/** The time of an event in milliseconds: on the monotonic clock, and on the service's clock where a response contained it. */
export type Clocks = { readonly nowMs?: number | undefined; readonly serviceTimeMs?: number | undefined };

type StateWithPayment = State & PaymentState;
type StateWithoutPayment = Exclude<State, PaymentState>;

const maxCreateAttempts = 5;
/** After a longer `Retry-After` the shopper decides: nobody waits that long at an unchanging screen. */
const longestRetryAfterSeconds = 15;

/**
 * Returns the next state and the effects to run. Pure. The server merges the news and the browser shows the newest view, so any view may
 * follow any other, except those that `canFollow` refuses. An event that is too late for its state changes nothing.
 */
export function transition(state: State, event: Event, clocks: Clocks = {}): Step {
  const [next, effects] = 'payment' in state ? stepPayment(state, event) : stepOpening(state, event);
  return [ownCopy({ ...next, ...commonAfter(state, event, clocks) }), effects];
}

function commonAfter(
  state: State,
  { type }: Event,
  { nowMs, serviceTimeMs }: Clocks,
): Pick<State, 'isOffline' | 'checkedAtMs' | 'serviceOffsetMs'> {
  let { isOffline, checkedAtMs, serviceOffsetMs } = state;
  switch (type) {
    case 'wentOffline':
    case 'cameOnline':
      isOffline = type === 'wentOffline';
      break;
    case 'sessionReceived':
    case 'viewReceived':
    case 'unchanged':
      isOffline = false;
      checkedAtMs = nowMs;
      if (nowMs !== undefined && serviceTimeMs !== undefined) serviceOffsetMs = serviceTimeMs - nowMs;
  }
  return { isOffline, checkedAtMs, serviceOffsetMs };
}

/** The transitions of `loading` and `unavailable`. */
function stepOpening(state: StateWithoutPayment, event: Event): Step {
  const isLoading = state.name === 'loading';
  switch (event.type) {
    case 'started':
      return start(state);
    case 'storedFound':
      return [isLoading ? { ...state, storedReference: event.reference } : state, []];
    case 'storedDismissed':
      return [isLoading ? { ...state, storedReference: undefined } : state, []];
    case 'sessionReceived':
      return isLoading ? openSession(event.session) : [state, []];
    case 'createFailed':
      return isLoading ? retryCreate(state, event.error) : [state, []];
    case 'cameOnline':
      return !isLoading && state.code === 'network_error' ? start(state) : [state, []];
    default:
      return ignore<
        | 'viewReceived'
        | 'unchanged'
        | 'checkFailed'
        | 'checkRequested'
        | 'claimed'
        | 'withdrawn'
        | 'wentOffline'
      >(state, event.type);
  }
}

/** The transitions of the states that show a payment. */
function stepPayment(state: StateWithPayment, event: Event): Step {
  switch (event.type) {
    case 'started':
      return start(state);
    case 'sessionReceived':
      return replaceSession(state, event.session);
    case 'createFailed':
      // The secret could not be renewed. The account stays on the screen, and the loss was reported before.
      return connect(state, 'refused');
    case 'viewReceived':
      return showView(state, event.view);
    case 'unchanged':
      return connect(state, 'ok');
    case 'checkFailed':
      return afterFailedCheck(state, event.error);
    case 'checkRequested':
      return state.connection === 'refused'
        ? connect(state, 'retrying', [{ type: 'stopWatching' }, { type: 'createSession', failures: 0 }])
        : [state, [{ type: 'checkNow' }]];
    case 'claimed':
      return canClaimTransfer(state)
        ? [
            { ...state, name: 'checking', reason: 'sent', claimedAtMs: event.atMs },
            [{ type: 'storeClaim', isClaimed: true }, { type: 'checkNow' }],
          ]
        : [state, []];
    case 'withdrawn':
      return isClaimed(state) ? withdraw(stateOfPayment(state.payment, state.connection)) : [state, []];
    default:
      return ignore<'storedFound' | 'storedDismissed' | 'wentOffline' | 'cameOnline'>(state, event.type);
  }
}

/** Changes nothing. The type lists the ignored events, so that the compiler finds a new one that nothing handles. */
function ignore<Type extends Event['type']>(state: State, _type: Type): Step {
  return [state, []];
}

function start(state: State): Step {
  return [
    { name: 'loading', failures: 0, previous: paymentOf(state) },
    [{ type: 'stopWatching' }, { type: 'createSession', failures: 0 }],
  ];
}

function openSession(session: Session): Step {
  const { clientSecret: _, ...view } = session;
  return [stateOfPayment(view, 'ok'), [{ type: 'watch', session }]];
}

function retryCreate(state: State & { readonly name: 'loading' }, error: CheckoutError): Step {
  const { previous, storedReference } = state;
  const failures = state.failures + 1;
  const isTooLong = (error.retryAfterSeconds ?? 0) > longestRetryAfterSeconds;
  return isTransient(error) && failures < maxCreateAttempts && !isTooLong
    ? [{ ...state, failures }, [{ type: 'createSession', failures, after: error }]]
    : [
        { name: 'unavailable', code: error.code, previous, storedReference },
        [{ type: 'reportError', error }],
      ];
}

function replaceSession(state: StateWithPayment, session: Session): Step {
  const { clientSecret: _, ...view } = session;
  const [next, effects] = showView(state, view);
  return [next, [...effects, { type: 'stopWatching' }, { type: 'watch', session }]];
}

/** Shows a view. A transfer claim holds until the view contains news, or another payment. */
function showView(state: StateWithPayment, payment: PaymentView): Step {
  if (!canFollow(state.payment, payment)) return [state, []];
  const next = stateOfPayment(payment, 'ok');
  if (!isClaimed(state)) return [next, []];
  const isNews =
    referenceOf(payment) !== referenceOf(state.payment) ||
    payment.chargedAmount !== state.payment.chargedAmount ||
    !(next.name === 'checking' || canClaimTransfer(next));
  const { claimedAtMs } = state;
  return isNews ? withdraw(next) : [{ ...next, name: 'checking', reason: 'sent', claimedAtMs }, []];
}

function afterFailedCheck(state: StateWithPayment, error: CheckoutError): Step {
  // The shopper knows the outcome: a failed check is no news.
  if (isDecided(state.payment.outcome)) return [state, []];
  if (canKeepPolling(error)) return connect(state, isServerFailure(error) ? 'failing' : 'retrying');
  const isReported = state.connection === 'lost' || state.connection === 'refused';
  return connect(
    state,
    error.code === 'session_unauthorized' ? 'refused' : 'lost',
    isReported ? [] : [{ type: 'reportError', error }],
  );
}

function connect(state: StateWithPayment, connection: Connection, effects: readonly Effect[] = []): Step {
  return [{ ...state, connection }, effects];
}

function withdraw(state: State): Step {
  const effect: Effect = { type: 'storeClaim', isClaimed: false };
  return [state, [effect]];
}
