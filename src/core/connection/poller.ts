import { createActivity } from './activity.ts';
import { type CheckOptions, createCheck } from './check-payment.ts';
import { observePage } from './page-lifecycle.ts';
import { createSchedule } from './schedule.ts';
import { wait } from './wait.ts';

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
 * Polls a payment until the signal is aborted, by long poll, with one request at a time, and rarely some time after it has expired or is
 * decided. After an error that polling cannot resolve, it checks only for `checkNow` and events of the page. A hidden page does not poll,
 * and checks when it is shown.
 */
export function pollPayment(options: PollOptions): Poller {
  const { environment, signal } = options;
  const activity = createActivity(signal);
  const schedule = createSchedule(environment);
  const check = createCheck(options, { activity, schedule });
  let isHidden = environment.isHidden();

  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      const waitMs = isHidden ? Number.POSITIVE_INFINITY : schedule.waitMs();
      const ms = Number.isFinite(waitMs) ? waitMs : undefined;
      if (waitMs <= 0) await check();
      else await activity.run('waiting', (cancelled) => wait(environment, cancelled, ms));
    }
    stopObserving();
  };

  const stopObserving = observePage(environment, (event) => {
    isHidden = event === 'hidden' || environment.isHidden();
    // When the network is back, open requests are dead.
    const isCheckDue = event === 'online' || (event === 'wake' && activity.kind() !== 'immediate');
    if (isCheckDue && !isHidden) schedule.request();
    if (isCheckDue || isHidden) activity.cancel();
  });
  return {
    checkNow() {
      if (activity.kind() === 'immediate') return;
      schedule.requestByHand();
      activity.cancel();
    },
    done: run(),
  };
}
