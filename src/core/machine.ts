import { CheckoutError, type PaymentPreference, type PaymentView, type Session } from '../contract/index.ts';
import { canRetry, isServerFailure, isTransient } from './back-off.ts';
import {
  type CommonState,
  type Connection,
  canClaimTransfer,
  isClaimed,
  isDecided,
  type PaymentState,
  paymentOf,
  referenceOf,
  type State,
  type StoredReference,
  stateOfPayment,
} from './state.ts';

export type Event =
  | { readonly type: 'started' }
  | { readonly type: 'storedFound'; readonly stored: StoredReference }
  /** `etag` is that of the session's view; undefined where the page has passed the session. */
  | { readonly type: 'sessionReceived'; readonly session: Session; readonly etag?: string | undefined }
  | {
      readonly type: 'createFailed';
      readonly error: CheckoutError;
      readonly stored?: StoredReference | undefined;
    }
  | { readonly type: 'viewReceived'; readonly view: PaymentView }
  | { readonly type: 'unchanged' }
  | { readonly type: 'checkFailed'; readonly error: CheckoutError }
  | { readonly type: 'checkRequested' }
  /** The shopper claims to have sent the money; `atMs` is when, on the monotonic clock, if earlier. */
  | { readonly type: 'claimed'; readonly atMs?: number | undefined }
  | { readonly type: 'withdrawn' }
  | { readonly type: 'wentOffline' }
  | { readonly type: 'cameOnline' };

export type Effect =
  /** Requests a session, with a back-off when `after` is the error of the previous attempt. */
  | {
      readonly type: 'createSession';
      readonly preference?: PaymentPreference | undefined;
      readonly failures: number;
      readonly after?: CheckoutError | undefined;
    }
  | { readonly type: 'watch'; readonly session: Session; readonly etag: string | undefined }
  | { readonly type: 'stopWatching' }
  | { readonly type: 'checkNow' }
  | { readonly type: 'storeClaim'; readonly isClaimed: boolean }
  | { readonly type: 'reportError'; readonly error: CheckoutError };

export type Step = readonly [State, readonly Effect[]];

/** The time of an event in milliseconds: on the monotonic clock, and on the service's clock where a response contained it. */
export type Clocks = { readonly nowMs?: number | undefined; readonly serviceTimeMs?: number | undefined };

type SessionReceived = Event & { readonly type: 'sessionReceived' };
type StateWithPayment = State & PaymentState;
type StateWithoutPayment = Exclude<State, PaymentState>;

/** Beyond these, a repeated request no longer counts as loading. */
const maxLoadingFailures = 4;
const longestLoadingRetryAfterSeconds = 15;

/** Returns the next state and the effects to run. Pure. An event that is too late for its state changes nothing. */
export function transition(state: State, event: Event, clocks: Clocks = {}): Step {
  const [next, effects] = 'payment' in state ? stepPayment(state, event, clocks) : stepOpening(state, event);
  return [{ ...next, ...commonAfter(state, event, clocks) }, effects];
}

function commonAfter(state: State, { type }: Event, { nowMs, serviceTimeMs }: Clocks): CommonState {
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

function stepOpening(state: StateWithoutPayment, event: Event): Step {
  switch (event.type) {
    case 'started':
      return start(state);
    case 'storedFound':
      return [{ ...state, stored: event.stored }, []];
    case 'sessionReceived':
      return openSession(event);
    case 'createFailed':
      return afterFailedCreate(state, event);
    default:
      return [state, []];
  }
}

function stepPayment(state: StateWithPayment, event: Event, { nowMs }: Clocks): Step {
  switch (event.type) {
    case 'started':
      return start(state);
    case 'sessionReceived':
      // Another order never takes the place of this one.
      return event.session.reference === state.payment.reference
        ? replaceSession(state, event)
        : renewAgain(state, anotherPayment());
    case 'createFailed':
      return renewAgain(state, event.error);
    case 'viewReceived':
      return showView(state, event.view);
    case 'unchanged':
      return connect({ ...state, refusals: undefined }, 'ok');
    case 'checkFailed':
      return afterFailedCheck(state, event.error);
    case 'checkRequested':
      return state.connection === 'refused' ? [state, renewalOf(state)] : [state, [{ type: 'checkNow' }]];
    case 'claimed':
      return canClaimTransfer(state)
        ? [
            { ...state, name: 'checking', reason: 'sent', claimedAtMs: event.atMs ?? nowMs },
            [{ type: 'storeClaim', isClaimed: true }, { type: 'checkNow' }],
          ]
        : [state, []];
    case 'withdrawn':
      return isClaimed(state) ? withdraw(stateOfPayment(state.payment, state.connection)) : [state, []];
    default:
      return [state, []];
  }
}

function start(state: State): Step {
  const previous = paymentOf(state);
  const effects = [{ type: 'stopWatching' }, createSession({ previous, failures: 0 })] as const;
  return [{ name: 'loading', failures: 0, previous }, effects];
}

const createSession = (
  { previous, failures }: { readonly previous?: PaymentView | undefined; readonly failures: number },
  after?: CheckoutError,
): Effect => ({ type: 'createSession', preference: previous && 'new', failures, after });

function openSession({ session, etag }: SessionReceived): Step {
  const { clientSecret: _, ...view } = session;
  return [stateOfPayment(view, 'ok'), [{ type: 'watch', session, etag }]];
}

/** Repeats the request while that can help. After a long wait, the screen shows that it is still trying. */
function afterFailedCreate(
  state: StateWithoutPayment,
  { error, stored }: Event & { readonly type: 'createFailed' },
): Step {
  const { previous, name } = state;
  const failures = state.failures + 1;
  const isRetrying = canRetry(error);
  const effects = isRetrying ? [createSession({ previous, failures }, error)] : [];
  const isTooLong = (error.retryAfterSeconds ?? 0) > longestLoadingRetryAfterSeconds;
  const isLoading = name === 'loading' && isTransient(error) && failures <= maxLoadingFailures;
  if (isLoading && !isTooLong && !stored) return [{ ...state, failures, stored }, effects];
  const unavailable = { name: 'unavailable', code: error.code, failures, previous, stored } as const;
  const isNews = name === 'loading' || !isRetrying;
  return [unavailable, isNews ? [{ type: 'reportError', error }, ...effects] : effects];
}

function replaceSession(state: StateWithPayment, { session, etag }: SessionReceived): Step {
  const { clientSecret: _, ...view } = session;
  const { refusals } = state;
  const [next, effects] = showView(state, view);
  return [
    { ...next, refusals } as State,
    [...effects, { type: 'stopWatching' }, { type: 'watch', session, etag }],
  ];
}

function renewAgain(state: StateWithPayment, error: CheckoutError): Step {
  const { refusals = 0 } = state;
  const report: readonly Effect[] = refusals === 1 ? [{ type: 'reportError', error }] : [];
  return [{ ...state, refusals: refusals + 1 }, [...report, ...renewalOf(state, error)]];
}

/** Replaces the session by one of the same payment. Finds only: a refused secret must not lead to another account. */
const renewalOf = ({ refusals = 0 }: StateWithPayment, after?: CheckoutError): readonly Effect[] => [
  { type: 'stopWatching' },
  { type: 'createSession', preference: 'existing', failures: refusals, after },
];

const anotherPayment = (): CheckoutError =>
  new CheckoutError('session_unknown', 'The server returned a session for another payment.');

/** Shows a view. A transfer claim holds until the view changes, or is of another payment. */
function showView(state: StateWithPayment, view: PaymentView): Step {
  const payment = withQrText(view, state.payment);
  const next = stateOfPayment(payment, 'ok');
  if (!isClaimed(state)) return [next, []];
  const isNews =
    referenceOf(payment) !== referenceOf(state.payment) ||
    payment.chargedAmount !== state.payment.chargedAmount ||
    !(next.name === 'checking' || canClaimTransfer(next));
  const { claimedAtMs } = state;
  return isNews ? withdraw(next) : [{ ...next, name: 'checking', reason: 'sent', claimedAtMs }, []];
}

/** Only sessions have the code's text. It holds for this account, until a part of the amount has come. */
function withQrText(view: PaymentView, { qrText, account, chargedAmount }: StateWithPayment['payment']) {
  const isSame = view.account.number === account.number && view.chargedAmount === chargedAmount;
  return isSame && qrText !== undefined ? { qrText, ...view } : view;
}

function afterFailedCheck(state: StateWithPayment, error: CheckoutError): Step {
  // The shopper knows the outcome, so a failed check is not shown.
  if (isDecided(state.payment.outcome)) return [state, []];
  if (canRetry(error)) return connect(state, isServerFailure(error) ? 'failing' : 'retrying');
  if (error.code === 'session_unauthorized') return refuse(state, error);
  return connect(state, 'lost', state.connection === 'lost' ? [] : [{ type: 'reportError', error }]);
}

/** Renews the session at once, and with a back-off where that did not help before. The account is hidden until then. */
function refuse(state: StateWithPayment, error: CheckoutError): Step {
  const { refusals = 0 } = state;
  const [refused] = connect(state, 'refused');
  return [
    { ...refused, refusals: refusals + 1 } as State,
    renewalOf(state, refusals > 0 ? error : undefined),
  ];
}

function connect(state: StateWithPayment, connection: Connection, effects: readonly Effect[] = []): Step {
  const { payment, refusals } = state;
  const shown = isClaimed(state) ? { ...state, connection } : stateOfPayment(payment, connection);
  return [{ ...shown, refusals }, effects];
}

function withdraw(state: State): Step {
  const effect: Effect = { type: 'storeClaim', isClaimed: false };
  return [state, [effect]];
}
