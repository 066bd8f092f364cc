import type { CheckoutError, PaymentView, Session } from '../contract/index.ts';
import { isTransient } from './back-off.ts';
import {
  type Checking,
  type Connection,
  canBeSent,
  type PaymentState,
  paymentOf,
  type State,
  stateOfPayment,
} from './state.ts';
import { unreachable } from './unreachable.ts';

/** When the answer came, on the monotonic clock; now when left out. */
type Answered = { readonly atMs?: number | undefined };

export type Event =
  /** The shopper asks for an account number, for the first time or again. */
  | { readonly type: 'started' }
  | (Answered & { readonly type: 'sessionReceived'; readonly session: Session })
  | { readonly type: 'createFailed'; readonly error: CheckoutError }
  | (Answered & { readonly type: 'viewReceived'; readonly view: PaymentView })
  /** The server answered that nothing has changed. */
  | (Answered & { readonly type: 'unchanged' })
  | { readonly type: 'lookFailed'; readonly error: CheckoutError }
  /** A file of the checkout did not come, and is asked for again. */
  | { readonly type: 'stillTrying' }
  /** Somebody asks to look at once. */
  | { readonly type: 'refreshed' }
  /** The shopper says that the money is on its way, now or before a reload. */
  | { readonly type: 'sent' }
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

type Step = readonly [State, readonly Effect[]];

/** Attempts at making a session before the shopper is asked. */
const maxAttempts = 5;
/** A longer `Retry-After` is not waited for: the shopper is asked. */
const longestSilenceSeconds = 15;

/** True when nothing that can still happen to the payment would help the shopper on this page. */
export function isFinal(outcome: PaymentView['outcome']): boolean {
  return !['pending', 'expired', 'unclear'].includes(outcome);
}

/**
 * The next state and what has to be done for it. Pure. Any view may follow any other: the server merges, the browser
 * shows the newest. Events that come too late for their state change nothing. `nowMs` is the monotonic clock.
 */
export function transition(state: State, event: Event, nowMs?: number): Step {
  const [next, effects] = step(state, event);
  const { isOffline, lookedAtMs } = state;
  switch (event.type) {
    case 'wentOffline':
    case 'cameOnline':
      return [{ ...next, isOffline: event.type === 'wentOffline', lookedAtMs }, effects];
    case 'sessionReceived':
    case 'viewReceived':
    case 'unchanged':
      return [{ ...next, isOffline: false, lookedAtMs: event.atMs ?? nowMs }, effects];
    default:
      return [{ ...next, isOffline, lookedAtMs }, effects];
  }
}

function step(state: State, event: Event): Step {
  switch (event.type) {
    case 'started':
      return [
        { name: 'loading', failures: 0, previous: paymentOf(state) },
        [{ type: 'stopWatching' }, { type: 'createSession', failures: 0 }],
      ];
    case 'sessionReceived':
      return openSession(state, event.session);
    case 'createFailed':
      return afterFailedCreate(state, event.error);
    case 'viewReceived':
      return 'payment' in state ? show(state, event.view) : [state, []];
    case 'unchanged':
      return connect(state, 'ok');
    case 'lookFailed':
      return 'payment' in state ? afterFailedLook(state, event.error) : [state, []];
    case 'stillTrying':
      return state.name === 'loading'
        ? [{ ...state, failures: state.failures || 1 }, []]
        : connect(state, 'retrying');
    case 'refreshed':
      return 'payment' in state && state.connection === 'refused'
        ? connect(state, 'retrying', [{ type: 'stopWatching' }, { type: 'createSession', failures: 0 }])
        : [state, [{ type: 'lookNow' }]];
    case 'sent':
      return canBeSent(state)
        ? [
            { ...state, name: 'checking', because: 'sent' },
            [{ type: 'rememberSent', isSent: true }, { type: 'lookNow' }],
          ]
        : [state, []];
    case 'notSent':
      return isSent(state) ? forget(stateOfPayment(state.payment, state.connection)) : [state, []];
    case 'cameOnline':
      // What the network has stopped goes on by itself.
      return state.name === 'unavailable' && state.code === 'network_error'
        ? step(state, { type: 'started' })
        : [state, []];
    case 'wentOffline':
      return [state, []];
    default:
      return unreachable(event);
  }
}

function connect(state: State, connection: Connection, effects: readonly Effect[] = []): Step {
  return 'payment' in state ? [{ ...state, connection }, effects] : [state, effects];
}

function isSent(state: State): state is State & Checking {
  return state.name === 'checking' && state.because === 'sent';
}

const forget = (state: State, effects: readonly Effect[] = []): Step => [
  state,
  [...effects, { type: 'rememberSent', isSent: false }],
];

function openSession(state: State, session: Session): Step {
  if (state.name === 'unavailable') return [state, []];
  const { clientSecret: _, ...view } = session;
  const [next, effects] = show(state, view);
  const watch: Effect = { type: 'watch', session };
  // A session that comes while a payment is shown takes the place of the one that is watched.
  return [next, [...effects, ...('payment' in state ? [{ type: 'stopWatching' } as const] : []), watch]];
}

/** What a shopper has said holds until there is news, or another payment. */
function show(state: State, payment: PaymentView): Step {
  const next = stateOfPayment(payment, 'ok');
  if (!isSent(state)) return [next, []];
  const { reference, chargedAmount } = state.payment;
  const isNews =
    payment.reference !== reference ||
    payment.chargedAmount !== chargedAmount ||
    !(next.name === 'checking' || canBeSent(next));
  return isNews ? forget(next) : [{ ...next, name: 'checking', because: 'sent' }, []];
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

function afterFailedLook(state: State & PaymentState, error: CheckoutError): Step {
  if (isPassing(error)) return connect(state, 'retrying');
  // Told once: looking again while it is lost ends the same way.
  const isTold = state.connection === 'lost' || state.connection === 'refused';
  return connect(
    state,
    error.code === 'session_unauthorized' ? 'refused' : 'lost',
    isTold ? [] : [{ type: 'reportError', error }],
  );
}

/** True for an error of a look after which looking again can make sense. */
export function isPassing(error: CheckoutError): boolean {
  // Networks between phone and shop answer for the server now and then (a sign-in page, a gateway's own HTML).
  return isTransient(error) || error.code === 'service_rejected' || error.code === 'invalid_response';
}
