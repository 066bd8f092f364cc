import { effect, type ReadonlySignal, signal } from '@preact/signals';
import { createCountdown, type PaymentView, paymentOf, referenceOf } from '../core/index.ts';
import type { CheckoutModel } from './checkout-model.ts';
import { isLookedFor, isToPay } from './leads.ts';
import { mayLeave } from './leaving.ts';

/** What goes on beside the screens at a moment. */
export type Beside = {
  /** How much time there is to pay, in milliseconds; undefined where that does not count, or is not known yet. */
  readonly remainingMs?: number | undefined;
  /** Where the shopper wants to go, and has to be warned first. */
  readonly leaving?: (() => void) | undefined;
  /** How long ago the server last answered, in milliseconds, while the network is away or money is looked for. */
  readonly sinceLookMs?: number | undefined;
  /** The how many-th look the shopper has asked for was the last one; undefined where nobody has asked for that. */
  readonly answer?: number | undefined;
  /** The shopper's money has been looked for for so long that it needs another word. */
  readonly isLong?: boolean | undefined;
  /** Another account was asked for, and the server has kept this payment. */
  readonly isKept?: boolean | undefined;
  /** How soon the page goes back to the shop by itself, in seconds; undefined when it does not. */
  readonly returnInSeconds?: number | undefined;
};

/** What a shopper can do about it. */
export type LaterActions = {
  /** Calls `go`: at once where nothing speaks against it, or when the shopper has read the warning. */
  readonly leave: (go: () => void) => void;
  /** The shopper does not leave after all. */
  readonly stayHere: () => void;
  /** Looks at once, and takes note that it was asked for. */
  readonly checkAgain: () => void;
  /** The shopper does not want to be led back. */
  readonly stopReturning: () => void;
};

/** What goes on beside the screens once the account is shown. */
export type Later = LaterActions & {
  readonly [Name in keyof Beside]-?: ReadonlySignal<Beside[Name]>;
} & { readonly stop: () => void };

/** How it stands. Whoever reads it is run again when that changes. */
export const readLater = (later: Later): Beside => ({
  remainingMs: later.remainingMs.value,
  leaving: later.leaving.value,
  sinceLookMs: later.sinceLookMs.value,
  answer: later.answer.value,
  isLong: later.isLong.value,
  isKept: later.isKept.value,
  returnInSeconds: later.returnInSeconds.value,
});

const lookStepMs = 5000;
/** After that a look is not the usual minute any more, nor a slow bank's two or three. */
const longMs = 300_000;

/** Starts it; `go` leads the page to an address. */
export function createLater(model: CheckoutModel, go: (url: string) => void): Later {
  const parts = [
    countDown(model),
    measureLook(model),
    followStory(model),
    offerReturn(model, go),
    askBeforeLeaving(model),
  ] as const;
  const [time, look, story, returning, leaving] = parts;
  return {
    ...time,
    ...look,
    ...story,
    ...returning,
    ...leaving,
    stop() {
      for (const { stop } of parts) stop();
    },
  };
}

function countDown({ state, clock, refresh }: CheckoutModel) {
  const remainingMs = signal<number | undefined>(undefined);
  const countdown = createCountdown(
    clock,
    (ms) => {
      remainingMs.value = ms;
    },
    refresh,
  );
  const stopLooking = effect(() => {
    const now = state.value;
    const { serviceOffsetMs } = now;
    if (isToPay(now) && serviceOffsetMs !== undefined) {
      return countdown.correct(Date.parse(now.payment.expiresAt), serviceOffsetMs + clock.now());
    }
    countdown.stop();
    remainingMs.value = undefined;
  });
  return {
    remainingMs,
    stop() {
      stopLooking();
      countdown.stop();
    },
  };
}

function measureLook({ state, clock, refresh }: CheckoutModel) {
  const sinceLookMs = signal<number | undefined>(undefined);
  const answer = signal<number | undefined>(undefined);
  let asked = 0;
  let isAsked = false;
  let seenMs: number | undefined;
  let cancel = (): void => {};
  const stopLooking = effect(() => {
    const { isOffline, lookedAtMs } = state.value;
    if (lookedAtMs !== seenMs) {
      answer.value = isAsked ? asked : undefined;
      isAsked = false;
      seenMs = lookedAtMs;
    }
    const isShown = isOffline || isLookedFor(state.value);
    cancel();
    const tell = (): void => {
      sinceLookMs.value = isShown && lookedAtMs !== undefined ? clock.now() - lookedAtMs : undefined;
      if (isShown) cancel = clock.setTimer(tell, lookStepMs);
    };
    tell();
  });
  return {
    sinceLookMs,
    answer,
    checkAgain() {
      asked++;
      isAsked = true;
      refresh();
    },
    stop() {
      stopLooking();
      cancel();
    },
  };
}

const shownReference = (payment: PaymentView | undefined): string | undefined =>
  payment && referenceOf(payment);

/** Notes what the state of a moment does not tell. */
function followStory({ state, clock }: CheckoutModel) {
  const isLong = signal(false);
  const isKept = signal(false);
  /** Which payment's money is looked for. */
  let looking: string | undefined;
  /** For which payment another was asked. */
  let left: string | undefined;
  let cancel = (): void => {};
  const stopLooking = effect(() => {
    const now = state.value;
    const reference = shownReference(paymentOf(now));
    if (now.name === 'loading') left = shownReference(now.previous);
    isKept.value = now.name === 'expired' && left === reference;
    const sent = now.name === 'checking' && now.because === 'sent' ? now : undefined;
    const next = sent && reference;
    if (next === looking) return;
    looking = next;
    cancel();
    isLong.value = false;
    if (!sent) return;
    const tell = (): void => {
      isLong.value = true;
    };
    const restMs = (sent.saidAtMs ?? clock.now()) + longMs - clock.now();
    if (restMs > 0) cancel = clock.setTimer(tell, restMs);
    else tell();
  });
  return {
    isLong,
    isKept,
    stop() {
      stopLooking();
      cancel();
    },
  };
}

function offerReturn({ isFreeToReturn, settings, clock }: CheckoutModel, go: (url: string) => void) {
  const returnInSeconds = signal<number | undefined>(undefined);
  let cancel = (): void => {};
  const stopReturning = (): void => {
    cancel();
    returnInSeconds.value = undefined;
  };
  const stopLooking = effect(() => {
    const { returnUrl, returnAfterSeconds } = settings.value;
    stopReturning();
    if (!isFreeToReturn.value || !returnUrl || returnAfterSeconds === undefined) return;
    const count = (seconds: number): void => {
      returnInSeconds.value = seconds;
      if (seconds > 0) cancel = clock.setTimer(() => count(seconds - 1), 1000);
      else go(returnUrl);
    };
    count(returnAfterSeconds);
  });
  return {
    returnInSeconds,
    stopReturning,
    stop() {
      stopLooking();
      cancel();
    },
  };
}

function askBeforeLeaving({ state }: CheckoutModel) {
  const leaving = signal<(() => void) | undefined>(undefined);
  const stayHere = (): void => {
    leaving.value = undefined;
  };
  return {
    leaving,
    stayHere,
    leave(go: () => void) {
      const how = mayLeave(state.peek());
      if (how === 'freely') go();
      else if (how === 'warned') leaving.value = go;
    },
    stop: effect(() => {
      if (mayLeave(state.value) !== 'warned') stayHere();
    }),
  };
}
