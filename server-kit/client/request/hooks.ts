import type { PaymentsError, PaymentsErrorCode } from '../errors/payments-error.ts';
import { createErrorReporter, type OnError } from '../errors/report-error.ts';

/** Sent before each attempt of a call. Contains no header, query or body. */
export type RequestEvent = Readonly<{
  /** The endpoint, such as `payments.verify`; a good name for a span. */
  operation: string;
  method: string;
  /** The path from `/v1` on, with its ids. */
  path: string;
  /** 1 for the first attempt, 2 for the first retry. */
  attempt: number;
  /** The local clock, in milliseconds since the epoch. */
  startedAtMs: number;
}>;

/** Sent after each attempt, once for each `RequestEvent`. */
export type ResponseEvent = Readonly<{
  /** The same object that `onRequest` received, so that it can be the key of a WeakMap of open spans. */
  request: RequestEvent;
  /** The HTTP status, if there was a response. */
  status: number | undefined;
  durationMs: number;
  /** Set if the attempt failed. */
  errorCode: PaymentsErrorCode | undefined;
  /** The service's `error.code`. */
  serviceCode: string | undefined;
  /** Whether the call will be sent again, unless its caller aborts it first. */
  willRetry: boolean;
}>;

/**
 * Observes every attempt of every call, for logs, metrics and spans. Hooks run in the caller's asynchronous context and are
 * not awaited. What a hook throws or rejects with goes to `onError`.
 */
export type Hooks = {
  onRequest?: ((event: RequestEvent) => unknown) | undefined;
  onResponse?: ((event: ResponseEvent) => unknown) | undefined;
  /**
   * Receives what a hook throws, and the error of each list record that could not be read (`Page.invalid`). Default:
   * `console.error`.
   */
  onError?: OnError | undefined;
};

type AttemptEnd = { status?: number | undefined; error?: PaymentsError; willRetry?: boolean };

/** Notifies `onRequest`, and returns the function that notifies `onResponse`. */
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
