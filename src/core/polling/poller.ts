import { type CheckoutError, maxWaitSeconds, type PaymentView } from '../../contract/index.ts';
import { isDecided, mayFollow, type Told } from '../machine/outcome.ts';
import type { Environment } from '../page/environment.ts';
import { observePage } from '../page/page-life.ts';
import { follow, pause } from '../page/pause.ts';
import { noticeSleep } from '../page/sleep.ts';
import type { Look } from '../session/retrieve-view.ts';
import type { Answer } from '../session/session-client.ts';
import { createPace, seldomPollMs } from './pace.ts';
import { createSchedule, heldMs } from './schedule.ts';
import { readShared, toShared } from './shared-response.ts';
import { createTabs } from './tabs.ts';

export type WatchOptions = {
  readonly environment: Environment;
  /** Where the payment is asked for: the name that all tabs give to it. */
  readonly address: string;
  readonly reference: string;
  readonly retrieve: (look: Look) => Promise<Answer<PaymentView | undefined>>;
  /** What is known of the payment already. */
  readonly view: Told;
  readonly etag: string | undefined;
  /** How long to go on looking often after the payment was first seen expired or decided, in milliseconds. */
  readonly lateWatchMs: number;
  /** Gets the answers to this tab and those that other tabs tell of. */
  readonly onAnswer: (answer: Answer<PaymentView | undefined>) => void;
  readonly onError: (error: CheckoutError) => void;
  readonly signal: AbortSignal;
};

export type Watch = {
  /**
   * Looks at once, because somebody wants to know, and does not let the server hold the answer. Several calls make one
   * look. Where the server has asked us to stay away, every ten seconds at most.
   */
  readonly lookNow: () => void;
  /** Resolves when the watch is over. */
  readonly done: Promise<void>;
};

/**
 * Follows one payment by long poll until the signal is aborted. After an error that looking again cannot mend, only `lookNow` and the
 * page's own events make another look. Once the outcome is decided it looks seldom, and lets the server hold nothing. One request at a time, in one of all tabs: the others hear of the answers, and ask by themselves
 * when they hear nothing for one and a half waits. Nothing is asked while the page is hidden; coming back is a reason
 * to look now.
 */
export function watchPayment(options: WatchOptions): Watch {
  const { environment, signal } = options;
  const task = createTask(signal);
  // Without an ETag this browser does not know the service's clock yet.
  const isUrgent = options.etag === undefined;
  const schedule = createSchedule(environment, isUrgent, isDecided(options.view.outcome) ? seldomPollMs : 0);
  const known = { view: options.view, etag: options.etag, serviceTimeMs: 0 };
  let isAway = environment.isHidden();

  const take = (answer: Answer<PaymentView | undefined>): void => {
    known.etag = answer.etag ?? known.etag;
    known.view = viewAfter(known.view, answer);
    known.serviceTimeMs = answer.serviceTimeMs ?? known.serviceTimeMs;
    options.onAnswer(answer);
  };

  const hear = (message: unknown): void => {
    const heard = readShared(message, options.reference);
    // Word from before what this tab has seen is no news.
    if (!heard || (heard.answer.serviceTimeMs ?? known.serviceTimeMs) < known.serviceTimeMs) return;
    schedule.heard(heard.quietMs);
    take(heard.answer);
    if (!tabs.isLeader() && task.does() !== 'fresh') task.cut();
  };

  const tabs = createTabs(environment, options.address, hear, () => {
    if (task.does() === 'rest') task.cut();
  });

  const look = createLook(options, { task, schedule, known, take, tell: tabs.tell });

  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      if (isAway) tabs.leave();
      else tabs.join();
      const waitMs = isAway ? Number.POSITIVE_INFINITY : schedule.waitMs(tabs.isLeader());
      if (waitMs <= 0) await look();
      else {
        const ms = Number.isFinite(waitMs) ? waitMs : undefined;
        await task.run('rest', (cut) => pause(environment, cut, ms));
      }
    }
  };

  const stop = observePage(environment, (event) => {
    isAway = event === 'hidden' || environment.isHidden();
    // A network that is back, or another, has lost what was on the wire.
    const isWanted = event === 'online' || (event === 'wake' && task.does() !== 'fresh');
    if (isWanted && !isAway) schedule.hurry();
    if (isWanted || isAway) task.cut();
  });
  const done = run().finally(() => {
    stop();
    tabs.leave();
  });
  return {
    lookNow() {
      if (task.does() === 'fresh') return;
      schedule.hurryByHand();
      task.cut();
    },
    done,
  };
}

/** What is known of the payment after an answer. */
function viewAfter(known: Told, { value }: Answer<PaymentView | undefined>): Told {
  return value && mayFollow(known, value) ? value : known;
}

/** A fresh look is not held by the server: it ends soon, and is as good as the one that is wished for. */
type Doing = 'rest' | 'held' | 'fresh';

/** The one thing that a watch does at a time, until it is done or cut short. */
type Task = {
  readonly run: (doing: Doing, work: (cut: AbortSignal) => Promise<void>) => Promise<void>;
  readonly cut: () => void;
  readonly does: () => Doing | undefined;
};

function createTask(signal: AbortSignal): Task {
  let current: { readonly cut: () => void; readonly doing: Doing } | undefined;
  return {
    async run(doing, work) {
      const { controller, release } = follow(signal);
      current = { cut: () => controller.abort(), doing };
      await work(controller.signal);
      current = undefined;
      release();
    },
    cut: () => current?.cut(),
    does: () => current?.doing,
  };
}

type LookTools = {
  readonly task: Task;
  readonly schedule: ReturnType<typeof createSchedule>;
  readonly known: { readonly view: Told; readonly etag: string | undefined };
  readonly take: (answer: Answer<PaymentView | undefined>) => void;
  readonly tell: (message: unknown) => void;
};

/** One look at the server, and when the next one is due after it. */
function createLook(options: WatchOptions, { task, schedule, known, take, tell }: LookTools) {
  const { environment } = options;
  const pace = createPace(environment, options.lateWatchMs);

  const ask = async (waitSeconds: number, cut: AbortSignal): Promise<void> => {
    const askedAt = environment.now();
    const { etag } = known;
    try {
      const answer = await options.retrieve({ etag, waitSeconds, signal: cut });
      if (cut.aborted) return;
      const { outcome } = viewAfter(known.view, answer);
      const isNextHeld = waitSeconds === 0 && (answer.etag ?? etag) !== undefined;
      const delayMs = pace.afterAnswer(answer, outcome, {
        elapsedMs: environment.now() - askedAt,
        isNextHeld,
      });
      schedule.end(delayMs, false);
      tell(toShared(answer, (delayMs ?? 0) + heldMs));
      take(answer);
    } catch (cause) {
      if (cut.aborted) return;
      const error = cause as CheckoutError;
      schedule.end(pace.afterError(error), error.retryAfterSeconds !== undefined);
      options.onError(error);
    }
  };

  return (): Promise<void> => {
    const isFresh = schedule.begin() || known.etag === undefined || isDecided(known.view.outcome);
    const waitSeconds = isFresh ? 0 : maxWaitSeconds;
    return task.run(waitSeconds > 0 ? 'held' : 'fresh', async (cut) => {
      const stop = noticeSleep(environment, () => {
        schedule.hurry();
        task.cut();
      });
      await ask(waitSeconds, cut);
      stop();
    });
  };
}
