import type { CheckoutModel } from './checkout-model.ts';
import { effect, type ReadonlySignal, signal } from './signal.ts';

/** What goes on beside the screens once the account is shown. */
export type Later = {
  /** How long ago the server last answered, in milliseconds, while the network is away. */
  readonly sinceLookMs: ReadonlySignal<number | undefined>;
  /** How soon the page goes back to the shop by itself, in seconds; undefined when it does not. */
  readonly returnInSeconds: ReadonlySignal<number | undefined>;
  /** The shopper wants to stay. */
  readonly stay: () => void;
  readonly stop: () => void;
};

const offlineStepMs = 5000;

/** Starts it; `go` leads the page to an address. */
export function createLater(model: CheckoutModel, go: (url: string) => void): Later {
  const sinceLookMs = signal<number | undefined>(undefined);
  const returnInSeconds = signal<number | undefined>(undefined);
  let cancelOffline = (): void => {};
  let cancelReturn = (): void => {};

  const stay = (): void => {
    cancelReturn();
    returnInSeconds.value = undefined;
  };

  const stopOffline = effect(() => {
    const { isOffline, lookedAtMs } = model.state.value;
    cancelOffline();
    const tell = (): void => {
      sinceLookMs.value = isOffline && lookedAtMs !== undefined ? model.clock.now() - lookedAtMs : undefined;
      if (isOffline) cancelOffline = model.clock.setTimer(tell, offlineStepMs);
    };
    tell();
  });

  const stopReturning = effect(() => {
    const isFree = model.mayReturn.value;
    const { returnUrl, returnAfterSeconds } = model.settings.value;
    stay();
    if (!isFree || !returnUrl || returnAfterSeconds === undefined) return;
    const count = (seconds: number): void => {
      returnInSeconds.value = seconds;
      if (seconds > 0) cancelReturn = model.clock.setTimer(() => count(seconds - 1), 1000);
      else go(returnUrl);
    };
    count(returnAfterSeconds);
  });

  return {
    sinceLookMs,
    returnInSeconds,
    stay,
    stop() {
      stopOffline();
      stopReturning();
      cancelOffline();
      cancelReturn();
    },
  };
}
