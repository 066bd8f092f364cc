import { type CheckoutError, maxWaitSeconds, type PaymentView } from '../../contract/index.ts';
import { canFollow, type PaymentOutcome } from '../machine/outcome.ts';
import { detectSleep } from '../page/device-sleep.ts';
import type { Environment } from '../page/environment.ts';
import type { CheckoutResponse } from '../session/send-request.ts';
import type { RetrieveOptions } from '../session/session-client.ts';
import type { Activity } from './activity.ts';
import { createPollDelay } from './poll-delay.ts';
import { maxHeldMs, type Schedule } from './schedule.ts';
import { toSharedResponse } from './shared-response.ts';

export type ViewResponse = CheckoutResponse<PaymentView | undefined>;

export type CheckOptions = {
  readonly environment: Environment;
  readonly retrieve: (options: RetrieveOptions) => Promise<ViewResponse>;
  /** How long polls stay frequent after the payment was first seen expired or decided, in milliseconds. */
  readonly lateWatchMs: number;
  readonly onError: (error: CheckoutError) => void;
};

type CheckTools = {
  readonly activity: Activity;
  readonly schedule: Schedule;
  readonly known: {
    readonly view: PaymentOutcome;
    readonly etag: string | undefined;
    readonly serviceTimeMs: number;
  };
  readonly onResponse: (response: ViewResponse) => void;
  readonly share: (message: unknown) => void;
};

/** Returns the known outcome after a response. */
export const outcomeAfter = (known: PaymentOutcome, { value }: ViewResponse): PaymentOutcome =>
  value && canFollow(known, value) ? value : known;

/** Returns true where the server sent the response before the last known one. */
export const isOlder = (
  { serviceTimeMs }: ViewResponse,
  known: { readonly serviceTimeMs: number },
): boolean => serviceTimeMs !== undefined && serviceTimeMs < known.serviceTimeMs;

/** Creates a function that checks the payment once, shares the response with other tabs, and schedules the next check. */
export function createCheck(options: CheckOptions, tools: CheckTools): () => Promise<void> {
  const { environment, retrieve, onError } = options;
  const { activity, schedule, known, onResponse, share } = tools;
  const delay = createPollDelay(environment, options.lateWatchMs);

  const check = async (waitSeconds: number, signal: AbortSignal): Promise<void> => {
    const beganAtMs = environment.now();
    const { etag } = known;
    try {
      const response = await retrieve({ etag, waitSeconds, signal });
      if (signal.aborted) return;
      const delayMs = delay.afterResponse(response, outcomeAfter(known.view, response).outcome, {
        elapsedMs: environment.now() - beganAtMs,
        isNextHeld: waitSeconds === 0 && (response.etag ?? etag) !== undefined,
      });
      schedule.end(delayMs, false);
      // Another tab has shared a newer view since this check began.
      if (known.etag !== etag && isOlder(response, known)) return;
      share(toSharedResponse(response, delayMs + maxHeldMs));
      onResponse(response);
    } catch (cause) {
      if (signal.aborted) return;
      const error = cause as CheckoutError;
      schedule.end(delay.afterError(error), error.retryAfterSeconds !== undefined);
      onError(error);
    }
  };

  return () => {
    const isImmediate = schedule.begin() || known.etag === undefined;
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
