import type { CheckoutError, PaymentView, Session } from '../contract/index.ts';
import { createCountdown } from './countdown.ts';
import {
  type Effect,
  type Event,
  initialState,
  paymentOf,
  type State,
  type StateName,
  transition,
} from './machine.ts';
import { createSessionWork, type SessionWorkOptions } from './session-work.ts';
import { unreachable } from './unreachable.ts';

/** What the merchant's page may want to hear. What these throw is reported, and stops nothing. */
export type CheckoutEvents = {
  /** Called when the checkout enters another state, with the payment where there is one. */
  readonly onStateChange?: ((state: StateName, view: PaymentView | undefined) => void) | undefined;
  /** Called once when the payment is seen paid. For the page only: goods are handed out by the server's `onPaid`. */
  readonly onSucceeded?: ((view: PaymentView) => void) | undefined;
  /** Called once for each error that ends something, with what a developer needs to know. */
  readonly onError?: ((error: CheckoutError) => void) | undefined;
};

export type ControllerOptions = SessionWorkOptions &
  CheckoutEvents & {
    /** A session made by the server: nothing is posted. */
    readonly session?: Session | undefined;
    readonly onState: (state: State) => void;
    /** Milliseconds left to pay, by the service's clock. Not called while that is not known. */
    readonly onRemaining: (remainingMs: number) => void;
  };

export type Controller = {
  /** Asks for an account number anew: the server decides whether it is the same one. */
  readonly restart: () => void;
  /** Looks at the payment at once. */
  readonly refresh: () => void;
  /** Ends everything: no timer, listener or request is left. */
  readonly stop: () => void;
};

/** Runs the machine: performs its effects in the environment and feeds it what comes back. Starts at once. */
export function createController(options: ControllerOptions): Controller {
  const { environment } = options;
  let state: State = initialState;
  let isStopped = false;

  const send = (event: Event, serviceTimeMs?: number): void => {
    const [next, effects] = transition(state, event);
    const hasNewName = next.name !== state.name;
    state = next;
    options.onState(state);
    if (state.name === 'awaitingTransfer') {
      countdown.correct(Date.parse(state.payment.expiresAt), serviceTimeMs);
    } else {
      countdown.stop();
    }
    if (hasNewName) tell(() => options.onStateChange?.(state.name, paymentOf(state)));
    // A callback of the page may have stopped everything by now.
    for (const effect of effects) if (!isStopped) perform(effect);
  };

  const work = createSessionWork(options, send);
  const countdown = createCountdown(environment, options.onRemaining, work.lookNow);

  const tell = (callback: () => void): void => {
    try {
      callback();
    } catch (error) {
      environment.report(error);
    }
  };

  const perform = (effect: Effect): void => {
    switch (effect.type) {
      case 'createSession':
        return void work.create(effect);
      case 'watch':
        return void work.watch(effect.session, effect.session);
      case 'stopWatching':
        return work.stop();
      case 'announcePaid':
        return tell(() => options.onSucceeded?.(effect.payment));
      case 'reportError':
        return tell(() => (options.onError ?? environment.report)(effect.error));
      default:
        return unreachable(effect);
    }
  };

  send(options.session ? { type: 'sessionReceived', session: options.session } : { type: 'started' });

  return {
    restart: () => send({ type: 'started' }),
    refresh: work.lookNow,
    stop() {
      isStopped = true;
      work.stop();
      countdown.stop();
    },
  };
}
