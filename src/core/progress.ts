import type { CheckoutError, PaymentView, Session } from '../contract/index.ts';
import { isTransient } from './back-off.ts';
import { connect, type Effect, type Progress, type Step } from './machine.ts';
import {
  type Checking,
  canBeSent,
  type PaymentState,
  referenceOf,
  type State,
  stateOfPayment,
} from './state.ts';

/** The transitions of a payment that is shown. Pure, like `transition`, which calls it. */
export const progress: Progress = (state, event) => {
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
    case 'notSent':
      return isSent(state) ? forget(stateOfPayment(state.payment, state.connection)) : [state, []];
    default:
      return [state, []];
  }
};

/**
 * True when the outcome is decided. What can still change the view then is seldom, and nobody waits for it: a second transfer, a
 * reversal, another payment of the order.
 */
export function isDecided(outcome: PaymentView['outcome']): boolean {
  return !['pending', 'expired', 'unclear'].includes(outcome);
}

/** What says whose outcome a view tells. */
export type Told = Pick<PaymentView, 'outcome' | 'paymentReference'>;

/**
 * Whether the view `next` may be shown after `known`. Where another payment of the order has paid it, a view that knows nothing of that
 * one may not ask for money again: it is from a server of an older version, which answers for one payment alone. What else
 * could bring such a view, a reversal of the other payment, is shown after a reload.
 */
export function mayFollow(known: Told, next: Told): boolean {
  const isPaidElsewhere = known.outcome === 'paid' && known.paymentReference !== undefined;
  const isOfOrder =
    next.paymentReference !== undefined || next.outcome === 'paid' || next.outcome === 'reversed';
  return !isPaidElsewhere || isOfOrder;
}

/** Another session takes the place of the one that is watched. */
function replaceSession(state: State & PaymentState, session: Session): Step {
  const { clientSecret: _, ...view } = session;
  const [next, effects] = show(state, view);
  return [next, [...effects, { type: 'stopWatching' }, { type: 'watch', session }]];
}

function isSent(state: State): state is State & Checking {
  return state.name === 'checking' && state.because === 'sent';
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
    !(next.name === 'checking' || canBeSent(next));
  const { saidAtMs } = state;
  return isNews ? forget(next) : [{ ...next, name: 'checking', because: 'sent', saidAtMs }, []];
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

/** True for an error of a look after which looking again can make sense. */
export function isPassing(error: CheckoutError): boolean {
  // Networks between phone and shop answer for the server now and then (a sign-in page, a gateway's own HTML).
  return isTransient(error) || error.code === 'service_rejected' || error.code === 'invalid_response';
}
