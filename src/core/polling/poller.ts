import type { PaymentOutcome } from '../machine/outcome.ts';
import { observePage } from '../page/page-lifecycle.ts';
import { wait } from '../page/wait.ts';
import { createActivity } from './activity.ts';
import { type CheckOptions, createCheck, isOlder, outcomeAfter, type ViewResponse } from './check-payment.ts';
import { createSchedule } from './schedule.ts';
import { parseSharedResponse } from './shared-response.ts';
import { createTabGroup } from './tab-group.ts';

export type PollOptions = CheckOptions & {
  /** The name by which the tabs of the site share this payment. */
  readonly name: string;
  readonly reference: string;
  /** The known outcome of the payment. */
  readonly view: PaymentOutcome;
  readonly etag: string | undefined;
  /** Receives the responses to this tab, and those that other tabs share. */
  readonly onResponse: (response: ViewResponse) => void;
  readonly signal: AbortSignal;
};

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
 * Polls a payment until the signal is aborted, by long poll, and rarely some time after it has expired or is decided. After an error
 * that polling cannot resolve, it checks only for `checkNow` and events of the page.
 *
 * One tab of the site polls, with one request at a time; the others receive its responses, and poll themselves after one and a half waits
 * of silence. A hidden page does not poll, and checks when it is shown.
 */
export function pollPayment(options: PollOptions): Poller {
  const { environment, signal } = options;
  const activity = createActivity(signal);
  // Without an ETag this browser does not know the service's clock yet.
  const isFirstRequested = options.etag === undefined;
  const schedule = createSchedule(environment, isFirstRequested);
  const known = { view: options.view, etag: options.etag, serviceTimeMs: 0 };
  let isHidden = environment.isHidden();

  const onResponse = (response: ViewResponse): void => {
    known.etag = response.etag ?? known.etag;
    known.view = outcomeAfter(known.view, response);
    known.serviceTimeMs = response.serviceTimeMs ?? known.serviceTimeMs;
    options.onResponse(response);
  };

  /** ETags of views that this tab has missed. Each is polled for once, because the server's processes may disagree. */
  const missed = new Set<string | undefined>();

  const onMessage = (message: unknown): void => {
    const shared = parseSharedResponse(message, options.reference);
    // Ignore responses older than the last one.
    if (!shared || isOlder(shared.response, known)) return;
    const { value, etag = known.etag } = shared.response;
    if (value || etag === known.etag) {
      schedule.heard(shared.quietMs);
      onResponse(shared.response);
    } else {
      if (missed.has(etag)) return;
      missed.add(etag);
      schedule.request();
    }
    if (!tabs.isLeader() && activity.kind() !== 'immediate') activity.cancel();
  };

  const tabs = createTabGroup(environment, options.name, onMessage, () => {
    if (activity.kind() === 'waiting') activity.cancel();
  });
  const check = createCheck(options, { activity, schedule, known, onResponse, share: tabs.share });

  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      if (isHidden) tabs.leave();
      else tabs.join();
      const waitMs = isHidden ? Number.POSITIVE_INFINITY : schedule.waitMs(tabs.isLeader());
      const ms = Number.isFinite(waitMs) ? waitMs : undefined;
      if (waitMs <= 0) await check();
      else await activity.run('waiting', (cancelled) => wait(environment, cancelled, ms));
    }
  };

  const stopObserving = observePage(environment, (event) => {
    isHidden = event === 'hidden' || environment.isHidden();
    // When the network is back, open requests are dead.
    const isCheckDue = event === 'online' || (event === 'wake' && activity.kind() !== 'immediate');
    if (isCheckDue && !isHidden) schedule.request();
    if (isCheckDue || isHidden) activity.cancel();
  });
  const done = run().finally(() => {
    stopObserving();
    tabs.leave();
  });
  return {
    checkNow() {
      if (activity.kind() === 'immediate') return;
      schedule.requestByHand();
      activity.cancel();
    },
    done,
  };
}
