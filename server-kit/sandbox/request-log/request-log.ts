import type { Operation } from '../../api/endpoints.ts';
import type { ErrorEnvelope } from '../../errors/error-envelope.ts';
import { toIso } from '../clock/iso.ts';
import type { SignatureDiagnosis, SignatureFindings } from './diagnosis.ts';

/** How many requests are remembered. */
export const maxLoggedRequests = 500;

/** How much of any text is remembered, in characters. */
const maxLoggedText = 10_000;

/** How many requests may wait for a closer look at their signature; beyond, somebody sends too many to read them. */
const maxWaiting = 20;

/** A request to an endpoint, and what was answered. */
export type LoggedRequest = {
  id: string;
  /** When it came, by the sandbox's clock, in ISO 8601. */
  at: string;
  method: string;
  /** As sent, with the base path. */
  path: string;
  /** Without its question mark; empty for none. */
  query: string;
  /** `null` where no endpoint has this path and method. */
  operation: Operation | null;
  /** `null` while it is not answered yet, and where a fault left it without an answer. */
  status: number | null;
  durationMs: number | null;
  /** Of `authorization` only the scheme. */
  requestHeaders: Readonly<Record<string, string>>;
  /** As sent, at most 10,000 characters; `null` for none, and for what was refused before it was read. */
  requestBody: string | null;
  /** As answered but for the access token, at most 10,000 characters; `null` for none. */
  responseBody: string | null;
  error: { code: string; message: string; params: readonly string[] } | null;
  /** The fault that was made on purpose. */
  fault: string | null;
  /**
   * For a refused signature: what was to be signed, and what was wrong; `null` also where the body cannot be hashed. Two
   * mistakes at once are found soon after the answer.
   */
  signature: SignatureDiagnosis | null;
};

/** A response; `status` is `null` for a connection that a fault has cut. */
type LoggableResponse = { status: number | null; body?: unknown };

/** A request in progress. */
export type OpenRequest = {
  /** Adds what is found out about it on the way. */
  note: (found: Partial<Pick<LoggedRequest, 'operation' | 'requestBody' | 'fault'>>) => void;
  noteSignature: (findings: SignatureFindings) => void;
  close: (response: LoggableResponse) => void;
};

/** The last requests to endpoints, in memory only. */
export type RequestLog = {
  open: (request: Request) => OpenRequest;
  /** Newest first. */
  list: () => readonly LoggedRequest[];
};

export type RequestLogOptions = {
  /** The sandbox's clock, for the moment of a request. */
  now: () => number;
  /** The machine's clock, for its duration: the sandbox's may stand still. In milliseconds since the epoch. */
  measure: () => number;
  /** Told of every request once it is answered, and all is found out about its signature. */
  onRequest: (request: LoggedRequest) => void;
};

export function createRequestLog({ now, measure, onRequest }: RequestLogOptions): RequestLog {
  const entries: LoggedRequest[] = [];
  let opened = 0;
  let waiting = 0;
  let lastSearch = Promise.resolve();

  /** Searches one request at a time, so that other requests do not wait. */
  function searchLater({ searchPairs }: SignatureFindings, entry: LoggedRequest): Promise<void> | undefined {
    if (searchPairs === undefined || waiting >= maxWaiting) return undefined;
    waiting++;
    lastSearch = lastSearch.then(async () => {
      entry.signature = copyOf(await searchPairs());
      waiting--;
    });
    return lastSearch;
  }

  return {
    open(request) {
      const startedMs = measure();
      opened++;
      const entry = toEntry(request, `req_${opened}`, toIso(now()));
      entries.unshift(entry);
      if (entries.length > maxLoggedRequests) entries.pop();
      let search: Promise<void> | undefined;
      return {
        note: (found) => void Object.assign(entry, copyOf(found)),
        noteSignature(findings) {
          entry.signature = copyOf(findings.diagnosis);
          search = searchLater(findings, entry);
        },
        close({ status, body }) {
          const durationMs = Math.round(measure() - startedMs);
          const described = status !== null && copyOf(describeBody(status, body));
          Object.assign(entry, { status, durationMs, ...described });
          const report = (): void => onRequest({ ...entry });
          if (search === undefined) report();
          else search.then(report);
        },
      };
    },
    list: () => entries.map((entry) => ({ ...entry })),
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
  if (name === 'cookie') return [name, redacted];
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

/** With its texts cut. Written and read again, because a slice of a text keeps the whole of it in memory. */
const copyOf = <Value>(value: Value): Value =>
  JSON.parse(
    JSON.stringify(value, (_key, item) => (typeof item === 'string' ? item.slice(0, maxLoggedText) : item)),
  );
