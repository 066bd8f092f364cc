import * as v from 'valibot';
import {
  CheckoutError,
  type CheckoutErrorCode,
  checkoutErrorStatus,
  contractHeaders,
  contractVersion,
  isCheckoutErrorCode,
  PaymentView,
  Problem,
  routes,
  Session,
} from '../contract/index.ts';
import type { Environment } from './environment.ts';
import { follow } from './pause.ts';

/** How long an answer may take beyond the wait that was asked for. */
const marginMs = 15_000;
const checkBaseUrl = 'check that baseUrl leads to the checkout handler.';

/** One answer of the checkout server. `value` is undefined when the server says that nothing has changed (304). */
export type Answer<T> = {
  readonly value: T;
  readonly etag: string | undefined;
  /** The service's clock when it answered, in milliseconds since the epoch. */
  readonly serviceTimeMs: number | undefined;
  /** When to look next, in milliseconds. */
  readonly nextPollMs: number | undefined;
};

export type Look = {
  /** The ETag of the view that is known already. */
  readonly etag: string | undefined;
  /** How long the server may hold the answer; 0 to be answered at once. */
  readonly waitSeconds: number;
  readonly signal: AbortSignal;
};

/**
 * The two requests of the contract. Both refuse with a `CheckoutError` whose code is of the closed list; neither puts
 * the client secret anywhere but into the `Authorization` header.
 */
export type SessionClient = {
  readonly create: (body: unknown, signal: AbortSignal) => Promise<Answer<Session>>;
  readonly retrieve: (
    session: Pick<Session, 'reference' | 'clientSecret'>,
    look: Look,
  ) => Promise<Answer<PaymentView | undefined>>;
};

/** A client of the checkout server at `baseUrl` (without a slash at its end). */
export function createSessionClient(environment: Environment, baseUrl: string): SessionClient {
  return {
    create: (body, signal) =>
      request(environment, baseUrl + routes.sessions, marginMs, signal, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body ?? {}),
        read: async (response) => parse(Session, await readJson(response)),
      }),
    retrieve: ({ reference, clientSecret }, { etag, waitSeconds, signal }) =>
      request(environment, baseUrl + routes.session(reference), marginMs + waitSeconds * 1000, signal, {
        headers: {
          authorization: `Bearer ${clientSecret}`,
          ...(etag !== undefined && { 'if-none-match': etag }),
          ...(waitSeconds > 0 && { prefer: `wait=${waitSeconds}` }),
        },
        read: async (response) =>
          response.status === 304 ? undefined : parseViewOf(reference, await readJson(response)),
      }),
  };
}

type RequestOptions<T> = {
  method?: string;
  headers: Record<string, string>;
  body?: string;
  read: (response: Response) => Promise<T>;
};

async function request<T>(
  environment: Environment,
  url: string,
  timeoutMs: number,
  signal: AbortSignal,
  { read, headers, ...init }: RequestOptions<T>,
): Promise<Answer<T>> {
  // The timer runs until the body is read: a body that never ends is no answer.
  const { controller, release } = follow(signal);
  const cancel = environment.setTimer(() => controller.abort(), timeoutMs);
  try {
    const response = await environment.fetch(url, {
      ...init,
      headers: { ...headers, accept: 'application/json', [contractHeaders.version]: `${contractVersion}` },
      credentials: 'same-origin',
      cache: 'no-store',
      redirect: 'error',
      signal: controller.signal,
    });
    if (!response.ok && response.status !== 304) throw await toError(response);
    return { value: await read(response), ...readHeaders(response.headers) };
  } catch (cause) {
    if (cause instanceof CheckoutError) throw cause;
    const why = controller.signal.aborted ? `no answer within ${timeoutMs / 1000} s` : 'no connection';
    throw new CheckoutError('network_error', `${url} cannot be reached: ${why}.`, { cause });
  } finally {
    cancel();
    release();
  }
}

function readHeaders(headers: Headers): Omit<Answer<unknown>, 'value'> {
  return {
    etag: headers.get('etag') ?? undefined,
    serviceTimeMs: readNumber(headers.get(contractHeaders.serviceTime)),
    nextPollMs: readNumber(headers.get(contractHeaders.nextPoll)),
  };
}

function readNumber(text: string | null): number | undefined {
  return text !== null && /^\d{1,16}$/.test(text) ? Number(text) : undefined;
}

async function readJson(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw invalidResponse('is not JSON', cause);
  }
}

function parse<const T extends v.GenericSchema>(schema: T, value: unknown): v.InferOutput<T> {
  const result = v.safeParse(schema, value);
  if (result.success) return result.output;
  // The path only: an issue's own message quotes what was received.
  throw invalidResponse(`has no valid "${v.getDotPath(result.issues[0])}"`);
}

function parseViewOf(reference: string, value: unknown): PaymentView {
  const view = parse(PaymentView, value);
  if (view.reference !== reference) throw invalidResponse('is about another payment');
  return view;
}

function invalidResponse(what: string, cause?: unknown): CheckoutError {
  return new CheckoutError('invalid_response', `The answer ${what}; ${checkBaseUrl}`, { cause });
}

async function toError(response: Response): Promise<CheckoutError> {
  const { status, headers } = response;
  const retryAfterSeconds = readNumber(headers.get('retry-after'));
  const options = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
  const problem = v.safeParse(Problem, await readJson(response).catch(() => undefined));
  const { code, detail } = problem.success ? problem.output : {};
  if (isCheckoutErrorCode(code)) return new CheckoutError(code, detail, options);
  return new CheckoutError(codeOfStatus(status), `The answer has status ${status}; ${checkBaseUrl}`, options);
}

/** For answers of something between us and the checkout server, or of a newer one. */
function codeOfStatus(status: number): CheckoutErrorCode {
  const codes = Object.keys(checkoutErrorStatus) as CheckoutErrorCode[];
  if (status >= 500) return 'service_unavailable';
  return codes.find((code) => checkoutErrorStatus[code] === status) ?? 'invalid_request';
}
