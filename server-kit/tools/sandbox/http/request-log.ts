import type { ErrorEnvelope } from '../../../core/errors.ts';
import type { Operation } from '../../../service/endpoints.ts';
import { toIso } from '../state/clock.ts';
import type { SignatureDiagnosis } from './diagnosis.ts';

/** The number of requests in the log. */
export const maxLoggedRequests = 500;

/** The longest text in the log, in characters. */
const maxLoggedText = 10_000;

/** A request to an endpoint and its response. */
export type LoggedRequest = {
  id: string;
  /** When it arrived, by the sandbox's clock, in ISO 8601. */
  at: string;
  method: string;
  /** As sent, with the base path. */
  path: string;
  /** Without the question mark; empty for none. */
  query: string;
  /** `null` for a path and method of no endpoint. */
  operation: Operation | null;
  /** `null` before the response, and when a fault prevented one. */
  status: number | null;
  durationMs: number | null;
  /** `authorization` shows only its scheme; client secrets and cookies are redacted. */
  requestHeaders: Readonly<Record<string, string>>;
  /** At most 10,000 characters as sent; `null` for none, and when the request was refused before the body was read. */
  requestBody: string | null;
  /** At most 10,000 characters, without the access token; `null` for none. */
  responseBody: string | null;
  error: { code: string; message: string; params: readonly string[] } | null;
  /** The injected fault that affected the request. */
  fault: string | null;
  /** Explains a refused signature; `null` also for a body that cannot be hashed. */
  signature: SignatureDiagnosis | null;
};

export type OpenRequest = ReturnType<ReturnType<typeof createRequestLog>['open']>;

/** The latest requests to endpoints, in memory. `measure` is the machine's clock, because the sandbox's, `now`, can be frozen. */
export function createRequestLog(
  now: () => number,
  measure: () => number,
  onRequest: (request: LoggedRequest) => void,
) {
  const entries: LoggedRequest[] = [];
  let opened = 0;
  return {
    open(request: Request) {
      const startedMs = measure();
      opened++;
      const entry = toEntry(request, `req_${opened}`, toIso(now()));
      entries.unshift(entry);
      if (entries.length > maxLoggedRequests) entries.pop();
      return {
        /** Adds details while the request is processed. */
        note: (found: Partial<LoggedRequest>): void => void Object.assign(entry, copyOf(found)),
        /** `status` is `null` for a connection that a fault has cut. */
        close({ status, body }: { status: number | null; body?: unknown }): void {
          const durationMs = Math.round(measure() - startedMs);
          const described = status !== null && copyOf(describeBody(status, body));
          Object.assign(entry, { status, durationMs, ...described });
          onRequest({ ...entry });
        },
      };
    },
    /** Newest first. */
    list: (): readonly LoggedRequest[] => entries.map((entry) => ({ ...entry })),
  };
}

function toEntry(request: Request, id: string, at: string): LoggedRequest {
  const { pathname, search } = new URL(request.url);
  return copyOf({
    id,
    at,
    method: request.method,
    path: pathname,
    query: search.slice(1),
    operation: null,
    status: null,
    durationMs: null,
    requestHeaders: Object.fromEntries([...request.headers].map(redactHeader)),
    requestBody: null,
    responseBody: null,
    error: null,
    fault: null,
    signature: null,
  });
}

const redacted = '[redacted]';

function redactHeader([name, value]: [string, string]): [string, string] {
  if (name === 'cookie' || name === 'checkout-secret') return [name, redacted];
  if (name !== 'authorization') return [name, value];
  const scheme = /^([\w-]+) /.exec(value)?.[1];
  return [name, scheme === undefined ? redacted : `${scheme} ${redacted}`];
}

function describeBody(status: number, body: unknown): Pick<LoggedRequest, 'responseBody' | 'error'> {
  const text = JSON.stringify(body, (key, value) => (key === 'accessToken' ? redacted : value));
  const error = status >= 400 ? (body as ErrorEnvelope | undefined)?.error : undefined;
  return {
    responseBody: text ?? null,
    error: error === undefined ? null : { code: error.code, message: error.message, params: error.params },
  };
}

/** Returns a copy with shortened texts. It goes through JSON, because a slice of a string keeps all of it in memory. */
const copyOf = <Value>(value: Value): Value =>
  JSON.parse(
    JSON.stringify(value, (_key, item) => (typeof item === 'string' ? item.slice(0, maxLoggedText) : item)),
  );
