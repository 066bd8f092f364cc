import type { PaymentView, Session } from '../contract/index.ts';
import type { Emit } from './events.ts';
import { type Effect, type Event, transition } from './machine.ts';
import { createSessionEffects, type ResponseTimes, type SessionOptions } from './session-effects.ts';
import { canClaimTransfer, initialState, isPaid, paymentOf, referenceOf, type State } from './state.ts';
import { reportPaid } from './storage.ts';

export type ControllerOptions = SessionOptions & {
  readonly session?: Session | undefined;
  /** Emits events to the page. Errors that it throws are reported, and ignored otherwise. */
  readonly emit?: Emit | undefined;
  readonly onState: (state: State) => void;
};

export function createController(options: ControllerOptions) {
  const { environment } = options;
  let state: State = initialState;
  let isStopped = false;

  const send = (event: Event, times?: ResponseTimes): void => {
    // A callback of the page may have stopped the checkout.
    if (isStopped) return;
    const previous = state;
    const nowMs = times?.arrivedAtMs ?? environment.now();
    const [next, effects] = transition(previous, event, { nowMs, serviceTimeMs: times?.serviceTimeMs });
    state = next;
    guard(() => options.onState(next));
    notify(next, previous);
    for (const effect of effects) if (!isStopped) run(effect);
  };

  /** An error of the page or of the screen must not end polling. */
  const guard = <T>(act: () => T): T | undefined => {
    try {
      return act();
    } catch (error) {
      environment.report(error);
      return undefined;
    }
  };

  const emit: Emit = (name, detail) => !isStopped && (guard(() => options.emit?.(name, detail)) ?? true);

  const notify = createStateNotifier(emit, environment);
  const session = createSessionEffects(options, { send, payment: () => paymentOf(state) as PaymentView });

  const run = (effect: Effect): void => {
    switch (effect.type) {
      case 'createSession':
        return void session.create(effect);
      case 'watch':
        return void session.watch(effect);
      case 'stopWatching':
        return session.stop();
      case 'checkNow':
        return session.checkNow();
      case 'storeClaim':
        return session.storeClaim(effect.isClaimed);
      case 'reportError':
        if (emit('error', { error: effect.error })) environment.report(effect.error);
        return;
      default:
        return effect satisfies never;
    }
  };

  send(options.session ? { type: 'sessionReceived', session: options.session } : { type: 'started' });

  return {
    restart: (): void => send({ type: 'started' }),
    refresh: (): void => send({ type: 'checkRequested' }),
    claimTransfer(): void {
      if (canClaimTransfer(state) && emit('sent', { payment: state.payment })) send({ type: 'claimed' });
    },
    withdrawClaim: (): void => send({ type: 'withdrawn' }),
    stop(): void {
      isStopped = true;
      session.stop();
    },
  };
}

/** The states that have an event of their name. */
const statesWithEvent = ['partlyPaid', 'succeeded', 'expired', 'receivedLate', 'failed', 'reversed'] as const;

/** Emits the events of a state change: each outcome once per payment, and "paid" once per session. */
function createStateNotifier(
  emit: Emit,
  environment: SessionOptions['environment'],
): (next: State, previous: State) => void {
  const emitted = new Set<string>();
  const emitOnce = (keys: readonly string[], emitEvent: () => void): void => {
    const isKnown = keys.some((key) => emitted.has(key));
    for (const key of keys) emitted.add(key);
    if (!isKnown) emitEvent();
  };
  return (next, previous) => {
    const payment = paymentOf(next);
    if ('payment' in next) emitOnce(['ready'], () => emit('ready', { payment: next.payment }));
    if (next.name !== previous.name) emit('statusChange', { state: next.name, payment });
    const name = statesWithEvent.find((state) => state === next.name);
    if (!payment || !name) return;
    if (isPaid(next)) {
      const references = [payment.reference, referenceOf(payment)];
      const keys = references.map((reference) => `paid ${reference}`);
      return emitOnce(keys, () => emit(next.name, { payment, isFirst: reportPaid(environment, references) }));
    }
    const part = name === 'partlyPaid' ? payment.chargedAmount : '';
    emitOnce([`${name} ${part} ${referenceOf(payment)}`], () => emit(name, { payment }));
  };
}
