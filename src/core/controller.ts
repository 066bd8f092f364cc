import type { Session } from '../contract/index.ts';
import { type CheckoutEventName, checkoutEventNames, type Emit } from './machine/events.ts';
import { type Effect, type Event, transition } from './machine/machine.ts';
import { canClaimTransfer, initialState, paymentOf, referenceOf, type State } from './machine/state.ts';
import { createSessionWork, type SessionWorkOptions } from './session-work.ts';

export type ControllerOptions = SessionWorkOptions & {
  /** A session made by the server: nothing is posted. */
  readonly session?: Session | undefined;
  /** Tells the page. What it throws is reported, and stops nothing. */
  readonly emit?: Emit | undefined;
  readonly onState: (state: State) => void;
};

export type Controller = {
  /** Asks for an account number anew: the server decides whether it is the same one. */
  readonly restart: () => void;
  /** Looks at the payment at once; where the server takes the secret no more, asks for another one. */
  readonly refresh: () => void;
  /** The shopper says that the money is sent. */
  readonly claimTransfer: () => void;
  /** The shopper takes that back. */
  readonly withdrawClaim: () => void;
  /** Ends everything: no timer, listener or request is left. */
  readonly stop: () => void;
};

/** Runs the machine: performs its effects in the environment and feeds it what comes back. Starts at once. */
export function createController(options: ControllerOptions): Controller {
  const { environment } = options;
  let state: State = initialState;
  let isStopped = false;

  const send = (event: Event, serviceTimeMs?: number, nowMs = environment.now()): void => {
    // A callback of the page may have stopped everything.
    if (isStopped) return;
    const before = state;
    const [next, effects] = transition(before, event, { nowMs, serviceTimeMs });
    state = next;
    options.onState(next);
    tellOf(next, before);
    for (const effect of effects) if (!isStopped) perform(effect);
  };

  const emit: Emit = (name, detail) => {
    if (isStopped) return false;
    try {
      return options.emit?.(name, detail) ?? true;
    } catch (error) {
      environment.report(error);
      return true;
    }
  };

  const tellOf = createTeller(emit);
  const work = createSessionWork(options, send);

  const perform = (effect: Effect): void => {
    switch (effect.type) {
      case 'createSession':
        return void work.create(effect);
      case 'watch':
        return void work.watch(effect.session);
      case 'stopWatching':
        return work.stop();
      case 'lookNow':
        return work.lookNow();
      case 'rememberSent':
        return work.rememberSent(effect.isSent);
      case 'reportError':
        if (emit('error', { error: effect.error })) environment.report(effect.error);
        return;
      default:
        return effect satisfies never;
    }
  };

  send(options.session ? { type: 'sessionReceived', session: options.session } : { type: 'started' });

  return {
    restart: () => send({ type: 'started' }),
    refresh: () => send({ type: 'refreshed' }),
    claimTransfer() {
      if (canClaimTransfer(state) && emit('sent', { payment: state.payment })) send({ type: 'sent' });
    },
    withdrawClaim: () => send({ type: 'notSent' }),
    stop() {
      isStopped = true;
      work.stop();
    },
  };
}

/**
 * Tells the page of another state: of each outcome once for a payment, because a screen may come back; that the order is paid once for
 * a session, whichever of the order's payments its view describes.
 */
function createTeller(emit: Emit): (now: State, before: State) => void {
  const isTold = new Set<string>();
  const tellOnce = (news: readonly string[], tell: () => void): void => {
    const isKnown = news.some((one) => isTold.has(one));
    for (const one of news) isTold.add(one);
    if (!isKnown) tell();
  };
  return (now, before) => {
    const payment = paymentOf(now);
    if ('payment' in now) tellOnce(['ready'], () => emit('ready', { payment: now.payment }));
    if (now.name !== before.name) emit('statusChange', { state: now.name, payment });
    if (!payment || !isEvent(now.name)) return;
    const name = now.name;
    // Each part that arrives is news.
    const part = name === 'partlyPaid' ? payment.chargedAmount : '';
    const isPaid = name === 'succeeded' || name === 'receivedLate';
    const news = isPaid
      ? [`paid ${payment.reference}`, `paid ${referenceOf(payment)}`]
      : [`${name} ${part} ${referenceOf(payment)}`];
    tellOnce(news, () => emit(name, { payment }));
  };
}

const isEvent = (name: State['name']): name is State['name'] & CheckoutEventName =>
  checkoutEventNames.includes(name as CheckoutEventName);
