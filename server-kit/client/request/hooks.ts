import type { PaymentsError, PaymentsErrorCode } from '../../errors/payments-error.ts';
import { createErrorReporter, type OnError } from '../../errors/report-error.ts';

/** One attempt of a call is about to be sent. Holds no header, no query and no body. */
export type RequestEvent = Readonly<{
  /** The endpoint, such as `payments.verify`: a good name for a span. */
  operation: string;
  method: string;
  /** The path from `/v1` on, with the ids that are in it. */
  path: string;
  /** 1 for the first try, 2 for the first retry. */
  attempt: number;
  /** The local clock, in milliseconds since the epoch. */
  startedAtMs: number;
}>;

/** An attempt has ended, one way or another: each `RequestEvent` is followed by one of these. */
export type ResponseEvent = Readonly<{
  /** The very object that `onRequest` got: a key for a WeakMap of open spans. */
  request: RequestEvent;
  /** The HTTP status, where there was an answer. */
  status: number | undefined;
  durationMs: number;
  /** Of an attempt that failed. */
  errorCode: PaymentsErrorCode | undefined;
  /** The service's own word for the failure. */
  serviceCode: string | undefined;
  /** Whether the call will be sent again, unless its caller aborts it before. */
  willRetry: boolean;
}>;

/**
 * Hears each attempt of each call: enough for logs, metrics and spans. Hooks are called in the caller's own asynchronous
 * context, and nothing waits for them. What a hook throws, or rejects with, goes to `onError` and changes no call.
 */
export type Hooks = {
  onRequest?: ((event: RequestEvent) => unknown) | undefined;
  onResponse?: ((event: ResponseEvent) => unknown) | undefined;
  /** Hears what a hook throws, and of each record of a list that could not be read (`Page.invalid`). Default: `console.error`. */
  onError?: OnError | undefined;
};

type AttemptEnd = { status?: number | undefined; error?: PaymentsError; willRetry?: boolean };

/** Announces an attempt, and gives the function that announces its end. */
export type NotifyAttempt = (request: Omit<RequestEvent, 'startedAtMs'>) => (end: AttemptEnd) => void;

export function createAttemptNotifier(
  { onRequest, onResponse, onError }: Hooks,
  now: () => number,
): NotifyAttempt {
  const report = createErrorReporter(onError);
  const notify = <Event>(hook: ((event: Event) => unknown) | undefined, event: Event): void => {
    const run = async () => hook?.(event);
    run().catch(report);
  };
  return ({ operation, method, path, attempt }) => {
    const request: RequestEvent = Object.freeze({ operation, method, path, attempt, startedAtMs: now() });
    notify(onRequest, request);
    return ({ error, status = error?.status, willRetry = false }) => {
      const event: ResponseEvent = Object.freeze({
        request,
        status,
        durationMs: now() - request.startedAtMs,
        errorCode: error?.code,
        serviceCode: error?.serviceCode,
        willRetry,
      });
      notify(onResponse, event);
    };
  };
}
