import { type CheckOptions, createCheck } from './check-payment.ts';
import { observePage } from './page-lifecycle.ts';
import { createSchedule } from './schedule.ts';
import { linkAbort, wait } from './wait.ts';

export type PollOptions = CheckOptions & { readonly signal: AbortSignal };

export type Poller = {
  /**
   * Checks the payment at once, with an immediate response. Several calls make one check. While the server asks for a pause, at most one
   * check in ten seconds is sent.
   */
  readonly checkNow: () => void;
  /** Resolves when the poller has stopped. */
  readonly done: Promise<void>;
};

/**
 * Polls a payment until the signal is aborted, by long poll, with one request at a time, and less often once it has been expired or
 * decided for a while. After an error that polling cannot resolve, it checks only for `checkNow` and events of the page. A hidden page
 * does not poll, and checks when it is shown.
 */
export function pollPayment(options: PollOptions): Poller {
  const { environment, signal } = options;
  const schedule = createSchedule(environment);
  const check = createCheck(options, schedule);
  let isHidden = environment.isHidden();
  let isImmediate = false;
  let cancel = (): void => {};

  /** Waits or checks; `cancel` ends it. */
  const next = async (cancelled: AbortSignal): Promise<void> => {
    const waitMs = isHidden ? Number.POSITIVE_INFINITY : schedule.waitMs();
    if (waitMs > 0) return wait(environment, cancelled, Number.isFinite(waitMs) ? waitMs : undefined);
    isImmediate = check.begin();
    await check.run(isImmediate, cancelled, () => {
      schedule.request();
      cancel();
    });
    isImmediate = false;
  };

  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      const { controller, release } = linkAbort(signal);
      cancel = () => controller.abort();
      await next(controller.signal);
      release();
    }
    stopObserving();
  };

  const stopObserving = observePage(environment, (event) => {
    isHidden = event === 'hidden' || environment.isHidden();
    // When the network is back, open requests are dead.
    const isCheckDue = event === 'online' || (event === 'wake' && !isImmediate);
    if (isCheckDue && !isHidden) schedule.request();
    if (isCheckDue || isHidden) cancel();
  });
  return {
    checkNow() {
      if (isImmediate) return;
      schedule.requestByHand();
      cancel();
    },
    done: run(),
  };
}
