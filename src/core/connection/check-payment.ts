import { type CheckoutError, maxWaitSeconds, type PaymentView } from '../../contract/index.ts';
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

/** One check of the payment at a time. */
export type Check = {
  /** Begins a check; returns whether it needs an immediate response, and is not held. */
  readonly begin: () => boolean;
  /** Retrieves the payment, and schedules the next check. `onWake` is called after the device has slept. */
  readonly run: (isImmediate: boolean, signal: AbortSignal, onWake: () => void) => Promise<void>;
};

export function createCheck(options: CheckOptions, schedule: Schedule): Check {
  const { environment, retrieve, onResponse, onError } = options;
  const delay = createPollDelay(environment, options.lateWatchMs);
  let { etag } = options;
  return {
    begin: () => schedule.begin() || etag === undefined,
    async run(isImmediate, signal, onWake) {
      const stop = detectSleep(environment, onWake);
      const beganAtMs = environment.now();
      try {
        const response = await retrieve({ etag, waitSeconds: isImmediate ? 0 : maxWaitSeconds, signal });
        if (signal.aborted) return;
        // A view without an ETag has none, not that of the view before.
        etag = response.etag ?? (response.value ? undefined : etag);
        const delayMs = delay.afterResponse(response, onResponse(response), {
          elapsedMs: environment.now() - beganAtMs,
          isNextHeld: isImmediate && etag !== undefined,
        });
        schedule.end(delayMs, false);
      } catch (cause) {
        if (signal.aborted) return;
        const error = cause as CheckoutError;
        schedule.end(delay.afterError(error), error.retryAfterSeconds !== undefined);
        onError(error);
      } finally {
        stop();
      }
    },
  };
}
