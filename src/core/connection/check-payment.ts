import { type CheckoutError, maxWaitSeconds, type PaymentView } from '../../contract/index.ts';
import type { Activity } from './activity.ts';
import { detectSleep } from './device-sleep.ts';
import type { Environment } from './environment.ts';
import { createPollDelay } from './poll-delay.ts';
import type { CheckoutResponse } from './read-response.ts';
import type { Schedule } from './schedule.ts';

export type ViewResponse = CheckoutResponse<PaymentView | undefined>;

export type RetrieveOptions = {
  /** The ETag of the known view. */
  readonly etag: string | undefined;
  /** How long the server may hold the response; 0 for an immediate response. */
  readonly waitSeconds: number;
  readonly signal: AbortSignal;
};

export type CheckOptions = {
  readonly environment: Environment;
  readonly retrieve: (options: RetrieveOptions) => Promise<ViewResponse>;
  /** The ETag of the view that is known at first. */
  readonly etag: string | undefined;
  /** How long polls stay frequent after the payment was first seen expired or decided, in milliseconds. */
  readonly lateWatchMs: number;
  /** Returns the outcome that the page shows after this response. */
  readonly onResponse: (response: ViewResponse) => PaymentView['outcome'];
  readonly onError: (error: CheckoutError) => void;
};

/** Creates a function that checks the payment once, and schedules the next check. */
export function createCheck(
  options: CheckOptions,
  { activity, schedule }: { readonly activity: Activity; readonly schedule: Schedule },
): () => Promise<void> {
  const { environment, retrieve, onResponse, onError } = options;
  const delay = createPollDelay(environment, options.lateWatchMs);
  let { etag } = options;

  const check = async (waitSeconds: number, signal: AbortSignal): Promise<void> => {
    const beganAtMs = environment.now();
    try {
      const response = await retrieve({ etag, waitSeconds, signal });
      if (signal.aborted) return;
      etag = response.etag ?? etag;
      const delayMs = delay.afterResponse(response, onResponse(response), {
        elapsedMs: environment.now() - beganAtMs,
        isNextHeld: waitSeconds === 0 && etag !== undefined,
      });
      schedule.end(delayMs, false);
    } catch (cause) {
      if (signal.aborted) return;
      const error = cause as CheckoutError;
      schedule.end(delay.afterError(error), error.retryAfterSeconds !== undefined);
      onError(error);
    }
  };

  return () => {
    const isImmediate = schedule.begin() || etag === undefined;
    return activity.run(isImmediate ? 'immediate' : 'held', async (cancelled) => {
      const stop = detectSleep(environment, () => {
        schedule.request();
        activity.cancel();
      });
      await check(isImmediate ? 0 : maxWaitSeconds, cancelled);
      stop();
    });
  };
}
