import type { CheckoutError, PaymentView, Session } from '../contract/index.ts';
import { isTransient } from './back-off.ts';
import {
  type Connection,
  canBeSent,
  type PaymentState,
  paymentOf,
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
  /** A file of the checkout did not come, and is asked for again. */
  | { readonly type: 'stillTrying' }
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

/** What can happen once a payment is shown. In a file that is loaded then; until it is there, nothing of it happens. */
export type Progress = (state: State & PaymentState, event: Event) => Step;

/** The clocks when an event comes, in milliseconds: the monotonic one, and the service's where an answer has told it. */
export type Clocks = { readonly nowMs?: number | undefined; readonly serviceTimeMs?: number | undefined };

/** Attempts at making a session before the shopper is asked. */
const maxAttempts = 5;
/** A longer `Retry-After` is not waited for: the shopper is asked. */
const longestSilenceSeconds = 15;

/**
 * The next state and what has to be done for it. Pure. Any view may follow any other, but what `mayFollow` refuses: the server
 * merges, the browser shows the newest. Events that come too late for their state change nothing, and so do those of a shown payment that
 * come before `progress`.
 */
export function transition(
  state: State,
  event: Event,
  { nowMs, serviceTimeMs }: Clocks = {},
  progress?: Progress,
): Step {
  const [next, effects] = step(state, event, progress);
  let { isOffline, lookedAtMs, serviceOffsetMs } = state;
  switch (event.type) {
    case 'wentOffline':
    case 'cameOnline':
      isOffline = event.type === 'wentOffline';
      break;
    case 'sessionReceived':
    case 'viewReceived':
    case 'unchanged':
      isOffline = false;
      lookedAtMs = nowMs;
      if (nowMs !== undefined && serviceTimeMs !== undefined) serviceOffsetMs = serviceTimeMs - nowMs;
  }
  return [{ ...next, isOffline, lookedAtMs, serviceOffsetMs }, effects];
}

function step(state: State, event: Event, progress?: Progress): Step {
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
    case 'stillTrying':
      return state.name === 'loading'
        ? [{ ...state, failures: state.failures || 1 }, []]
        : connect(state, 'retrying');
    case 'sent':
      return canBeSent(state)
        ? [
            { ...state, name: 'checking', because: 'sent', saidAtMs: event.atMs },
            [{ type: 'rememberSent', isSent: true }, { type: 'lookNow' }],
          ]
        : [state, []];
    case 'sessionReceived':
      if (state.name === 'loading') return openSession(event.session);
      break;
    case 'lookFailed':
      // That the rest of the code is missing, say.
      if (!progress) return connect(state, 'lost', [{ type: 'reportError', error: event.error }]);
      break;
    case 'cameOnline':
      // What the network has stopped goes on by itself.
      return state.name === 'unavailable' && state.code === 'network_error'
        ? step(state, { type: 'started' })
        : [state, []];
  }
  return 'payment' in state && progress ? progress(state, event) : [state, []];
}

/** Tells how fresh the payment on the screen is, where there is one. */
export function connect(state: State, connection: Connection, effects: readonly Effect[] = []): Step {
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
  const isLong = (error.retryAfterSeconds ?? 0) > longestSilenceSeconds;
  return isTransient(error) && failures < maxAttempts && !isLong
    ? [{ ...state, failures }, [{ type: 'createSession', failures, after: error }]]
    : [{ name: 'unavailable', code: error.code, previous: state.previous }, [{ type: 'reportError', error }]];
}
