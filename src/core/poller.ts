import { type CheckoutError, maxWaitSeconds, type Outcome, type PaymentView } from '../contract/index.ts';
import type { Environment } from './environment.ts';
import { isFinal } from './machine.ts';
import { createPace, type Delay } from './pace.ts';
import { follow, pause } from './pause.ts';
import type { Look } from './retrieve-view.ts';
import type { Answer } from './session-client.ts';

export type WatchOptions = {
  readonly environment: Environment;
  readonly retrieve: (look: Look) => Promise<Answer<PaymentView | undefined>>;
  /** What is known of the payment already. */
  readonly outcome: Outcome;
  readonly etag: string | undefined;
  /** How long to go on looking after the payment was first seen expired, in milliseconds. */
  readonly lateWatchMs: number;
  readonly onAnswer: (answer: Answer<PaymentView | undefined>) => void;
  readonly onError: (error: CheckoutError) => void;
  readonly signal: AbortSignal;
};

export type Watch = {
  /** Looks at once, and does not let the server hold the answer. Several calls make one look. */
  readonly lookNow: () => void;
  /** Resolves when the watch is over, for whatever reason. */
  readonly done: Promise<void>;
};

/**
 * Follows one payment by long poll until its outcome is final, the late watch is over, or an error comes that looking
 * again cannot mend. One request at a time. Nothing is asked while the page is hidden; coming back is a reason to
 * look now.
 */
export function watchPayment(options: WatchOptions): Watch {
  const { environment, signal } = options;
  const pace = createPace(environment, options.lateWatchMs);
  let { outcome, etag } = options;
  let isUrgent = false;
  /** What the loop waits for. Only what is patient may be cut short by a wish to look now. */
  let current: { cut: () => void; isPatient: boolean } | undefined;

  const lookNow = (): void => {
    // A look that the server does not hold is under way, or the server has asked us to stay away.
    if (current?.isPatient === false) return;
    isUrgent = true;
    current?.cut();
  };

  const step = async (isPatient: boolean, work: (cut: AbortSignal) => Promise<unknown>): Promise<void> => {
    const { controller, release } = follow(signal);
    current = { cut: () => controller.abort(), isPatient };
    await work(controller.signal);
    current = undefined;
    release();
  };

  const look = async (): Promise<Delay | undefined> => {
    const waitSeconds = isUrgent || etag === undefined ? 0 : maxWaitSeconds;
    const askedAt = environment.now();
    let next: Delay | undefined = { delayMs: 0, isPatient: true };
    isUrgent = false;
    await step(waitSeconds > 0, async (cut) => {
      try {
        const answer = await options.retrieve({ etag, waitSeconds, signal: cut });
        if (cut.aborted) return;
        etag = answer.etag ?? etag;
        outcome = answer.value?.outcome ?? outcome;
        next = pace.afterAnswer(answer, outcome, environment.now() - askedAt);
        options.onAnswer(answer);
      } catch (error) {
        if (cut.aborted) return;
        next = pace.afterError(error as CheckoutError);
        options.onError(error as CheckoutError);
      }
    });
    return next;
  };

  const run = async (): Promise<void> => {
    while (!signal.aborted && !isFinal(outcome)) {
      if (environment.isHidden()) {
        await step(true, (cut) => pause(environment, cut));
        continue;
      }
      const next = await look();
      if (!next) {
        // Nothing more to be expected by itself; a shopper who comes back is a reason to look once more.
        if (!isUrgent && !isFinal(outcome)) await step(true, (cut) => pause(environment, cut));
        continue;
      }
      if (next.delayMs > 0 && !isUrgent && !isFinal(outcome)) {
        await step(next.isPatient, (cut) => pause(environment, cut, next.delayMs));
      }
    }
  };

  const stop = environment.observe((event) => (event === 'wake' ? lookNow() : current?.cut()));
  return { lookNow, done: run().finally(stop) };
}
