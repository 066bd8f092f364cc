import { type CheckoutError, maxWaitSeconds, type PaymentView } from '../contract/index.ts';
import { backOffMs, canRetry } from './back-off.ts';
import { type Environment, pause } from './environment.ts';
import type { CheckoutResponse } from './http.ts';
import { isDecided } from './state.ts';

/** Browsers open six connections to a server over HTTP/1.1, and the page needs some of them. */
const maxHeld = 2;
/** A press counts as a viewer for this long: some apps' web views always report the page as hidden. */
const pressMs = 60_000;
const manualIntervalMs = 10_000;
/** A faster response was not held: polling again at once would overload the server. */
const minHeldMs = 1000;
/** The delay where the server neither holds responses nor sets a delay. */
const plainDelayMs = 3000;
/** The delay once the payment has expired or is decided, where the server does not hold responses: changes are rare. */
const rareDelayMs = 15_000;
const lateDelayMs = 60_000;
/** How long polls stay frequent after the payment was first seen expired or decided. */
const lateWatchMs = 600_000;
const sleepCheckMs = 5000;
/** A timer this late was delayed by more than a busy page. */
const sleptMs = 10_000;

export type ViewResponse = CheckoutResponse<PaymentView | undefined>;

export type RetrieveOptions = {
  readonly etag: string | undefined;
  readonly waitSeconds: number;
  readonly signal: AbortSignal;
};

export type PollOptions = {
  readonly environment: Environment;
  readonly retrieve: (options: RetrieveOptions) => Promise<ViewResponse>;
  readonly etag: string | undefined;
  readonly onResponse: (response: ViewResponse) => PaymentView['outcome'];
  readonly onError: (error: CheckoutError) => void;
  readonly signal: AbortSignal;
};

/**
 * Polls a payment by long poll, with one request at a time. After an error that polling cannot resolve, it checks only for `checkNow` and
 * events of the page. A hidden page does not poll, and checks when it is shown.
 */
export function pollPayment(options: PollOptions) {
  const { environment, signal } = options;
  const { now } = environment;
  const check = createCheck(options);
  let isHidden = environment.isHidden();
  let pressedUntilMs = 0;
  let interrupt = (): void => {};

  const canContinue = (): boolean => !isHidden || now() < pressedUntilMs;

  const checkSoon = (): void => {
    check.request();
    interrupt();
  };

  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      const interruption = new AbortController();
      interrupt = () => interruption.abort();
      const interrupted = AbortSignal.any([signal, interruption.signal]);
      const waitMs = canContinue() ? check.waitMs() : Number.POSITIVE_INFINITY;
      if (waitMs > 0) await pause(environment, interrupted, waitMs);
      else await check.run(interrupted, checkSoon);
    }
    stopObserving();
  };

  const stopObserving = environment.observe([...pageEvents, 'click'], (type) => {
    if (type === 'click') {
      pressedUntilMs = now() + pressMs;
      return;
    }
    isHidden = type === 'pagehide' || type === 'freeze' || environment.isHidden();
    // Somebody has just left, whatever they pressed before.
    if (isHidden) pressedUntilMs = 0;
    if (isHidden) interrupt();
    // When the network is back, open requests are dead.
    else if (type === 'online' || !check.isImmediate()) checkSoon();
  });

  return {
    /** Checks the payment at once. While the server asks for a pause, at most one check in ten seconds is sent. */
    checkNow(): void {
      if (check.isImmediate()) return;
      check.allowByHand();
      checkSoon();
    },
    done: run(),
  };
}

function createCheck(options: PollOptions) {
  const { environment, onResponse, onError } = options;
  const { now, held } = environment;
  const delay = createDelay(options);
  let { etag } = options;
  let isRequested = false;
  let isImmediate = false;
  let beganAtMs = 0;
  let nextAtMs = now();
  let notBeforeMs = 0;

  const retrieve = async (signal: AbortSignal): Promise<void> => {
    const isHeld = !isImmediate && held.count < maxHeld;
    if (isHeld) held.count += 1;
    try {
      const waitSeconds = isHeld ? maxWaitSeconds : 0;
      const response = await options.retrieve({ etag, waitSeconds, signal });
      if (signal.aborted) return;
      // A view without an ETag has none, not that of the view before.
      etag = response.etag ?? (response.value ? undefined : etag);
      const isNextHeld = isImmediate && etag !== undefined && held.count < maxHeld;
      const timing = { elapsedMs: now() - beganAtMs, isNextHeld };
      nextAtMs = now() + delay.afterResponse(response, onResponse(response), timing);
    } finally {
      if (isHeld) held.count -= 1;
    }
  };

  return {
    request(): void {
      isRequested = true;
    },
    allowByHand(): void {
      notBeforeMs = Math.min(notBeforeMs, beganAtMs + manualIntervalMs);
    },
    isImmediate: (): boolean => isImmediate,
    waitMs: (): number => Math.max(notBeforeMs, isRequested ? 0 : nextAtMs) - now(),
    async run(signal: AbortSignal, onWake: () => void): Promise<void> {
      isImmediate = isRequested || etag === undefined;
      isRequested = false;
      beganAtMs = now();
      const stopDetecting = detectSleep(environment, onWake);
      try {
        await retrieve(signal);
      } catch (cause) {
        if (signal.aborted) return;
        const error = cause as CheckoutError;
        nextAtMs = now() + delay.afterError(error);
        if (error.retryAfterSeconds !== undefined) notBeforeMs = nextAtMs;
        onError(error);
      } finally {
        stopDetecting();
        isImmediate = false;
      }
    },
  };
}

const pageEvents = ['visibilitychange', 'pageshow', 'resume', 'pagehide', 'freeze', 'online'];

type Timing = {
  readonly elapsedMs: number;
  /** This response was not held, and the next one will be. */
  readonly isNextHeld: boolean;
};

function createDelay({ environment: { now, random } }: PollOptions) {
  let failures = 0;
  let rare: { readonly outcome: PaymentView['outcome']; readonly sinceMs: number } | undefined;
  return {
    afterResponse(response: ViewResponse, outcome: PaymentView['outcome'], timing: Timing): number {
      failures = 0;
      const isRare = outcome === 'expired' || isDecided(outcome);
      if (!isRare) rare = undefined;
      else if (rare?.outcome !== outcome) rare = { outcome, sinceMs: now() };
      const isLate = rare !== undefined && now() - rare.sinceMs >= lateWatchMs;
      if (isLate) return Math.max(lateDelayMs, response.nextPollMs ?? 0);
      return delayMs(response, timing, isRare);
    },
    afterError(error: CheckoutError): number {
      failures += 1;
      return canRetry(error) ? backOffMs(failures, random, error) : Number.POSITIVE_INFINITY;
    },
  };
}

/** No pause while the server holds responses: a fast one was not held, unless it has news. */
function delayMs(response: ViewResponse, { elapsedMs, isNextHeld }: Timing, isRare: boolean): number {
  // A shopper who returns from the bank app must not miss a change one second later.
  if (isNextHeld) return 0;
  const { value, nextPollMs = isRare ? rareDelayMs : 0 } = response;
  if (elapsedMs >= minHeldMs) return nextPollMs;
  if (value !== undefined) return Math.max(nextPollMs, minHeldMs);
  return nextPollMs || (isRare ? rareDelayMs : plainDelayMs);
}

/** Calls `onWake` after the device has slept: many devices do not notify the page, and open requests are dead then. */
function detectSleep({ now, date, setTimer }: Environment, onWake: () => void): () => void {
  let cancel = (): void => {};
  const startTimer = (): void => {
    const [startMs, startDateMs] = [now(), date()];
    cancel = setTimer(() => {
      startTimer();
      if (Math.max(now() - startMs, date() - startDateMs) > sleepCheckMs + sleptMs) onWake();
    }, sleepCheckMs);
  };
  startTimer();
  return () => cancel();
}
