import * as v from 'valibot';
import {
  CheckoutError,
  type CheckoutErrorCode,
  checkoutErrorStatus,
  contractHeaders,
  isCheckoutErrorCode,
  type Problem,
  routes,
  Session,
} from '../../contract/index.ts';
import type { Environment } from '../page/environment.ts';
import { follow } from '../page/pause.ts';
import { commonInit, type EarlyRequest, sessionPost, versionHeader } from './session-request.ts';

/** How long an answer may take beyond the wait that was asked for. */
const marginMs = 15_000;
const checkBaseUrl = 'check that baseUrl leads to the checkout handler.';

/** One answer of the checkout server. */
export type Answer<T> = {
  readonly value: T;
  readonly etag: string | undefined;
  /** The service's clock when it answered, in milliseconds since the epoch. */
  readonly serviceTimeMs: number | undefined;
  /** When to look next, in milliseconds. */
  readonly nextPollMs: number | undefined;
  /** When it arrived, on the monotonic clock, where that was before it was read. */
  readonly arrivedAtMs?: number | undefined;
};

export type AskOptions = {
  readonly method?: 'POST';
  readonly headers: Record<string, string>;
  readonly body?: string;
  /** How long the server may hold the answer. */
  readonly waitSeconds?: number;
  readonly signal: AbortSignal;
  /** This very request, where it was sent before. */
  readonly sent?: EarlyRequest | undefined;
};

/**
 * One request of the contract to the checkout server; `read` gets an answer with a status of 2xx or 304.
 *
 * @throws {CheckoutError} with a code of the closed list, whatever goes wrong. Headers never get into a message.
 */
export type Ask = <T>(
  path: string,
  options: AskOptions,
  read: (response: Response) => Promise<T>,
) => Promise<Answer<T>>;

/** Where the checkout server is, and how it is asked. */
export type ServerOptions = {
  readonly environment: Environment;
  /** Without a slash at its end. */
  readonly baseUrl: string;
  /** Whether cookies go along, in fetch's own term; `same-origin` when left out. */
  readonly credentials?: RequestCredentials | undefined;
};

/** Asks the checkout server. */
export function createAsk({ environment, baseUrl, credentials = 'same-origin' }: ServerOptions): Ask {
  return async (path, { headers, waitSeconds = 0, signal, sent, ...init }, read) => {
    // The timer runs until the body is read: a body that never ends is no answer.
    const { controller, release } = follow(signal);
    const cancel = environment.setTimer(() => controller.abort(), marginMs + waitSeconds * 1000);
    try {
      controller.signal.addEventListener('abort', () => sent?.abort());
      const request = {
        ...init,
        ...commonInit,
        headers: { ...headers, ...versionHeader },
        credentials,
        signal: controller.signal,
      };
      const { response, arrivedAtMs } = sent
        ? await sent.response
        : { response: await environment.fetch(baseUrl + path, request) };
      if (!response.ok && response.status !== 304) throw await toError(response);
      const answer = { value: await read(response), ...readHeaders(response.headers) };
      return { ...answer, arrivedAtMs };
    } catch (cause) {
      if (cause instanceof CheckoutError) throw cause;
      throw new CheckoutError('network_error', `No answer from ${baseUrl + path}.`, { cause });
    } finally {
      cancel();
      release();
    }
  };
}

/** Asks for the session of an order; `body` is JSON for the merchant's `createPayment`. Takes the response of a request that was sent before. */
export function createSession(
  ask: Ask,
  body: string,
  signal: AbortSignal,
  sent?: EarlyRequest,
): Promise<Answer<Session>> {
  return ask(routes.sessions, { ...sessionPost, body, signal, sent }, (response) =>
    readAs(Session, response),
  );
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

/** The body of an answer, checked; `invalid_response` says which part is wrong, and never what it holds. */
export async function readAs<const T extends v.GenericSchema>(
  schema: T,
  response: Response,
): Promise<v.InferOutput<T>> {
  const text = await response.text();
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    refuse('is not JSON');
  }
  const result = v.safeParse(schema, json);
  // An issue's own message would quote what was received.
  return result.success
    ? result.output
    : refuse(`has no valid "${result.issues[0].path?.map(({ key }) => key).join('.')}"`);
}

/** Ends in `invalid_response`. */
export function refuse(what: string): never {
  throw new CheckoutError('invalid_response', `The answer ${what}; ${checkBaseUrl}`);
}

async function toError(response: Response): Promise<CheckoutError> {
  const { status, headers } = response;
  const options = { retryAfterSeconds: readNumber(headers.get('retry-after')) };
  // The code is checked against the closed list, and nothing else of the problem is relied upon.
  const { code, detail }: Partial<Problem> = Object(await response.json().catch(() => 0));
  if (isCheckoutErrorCode(code)) return new CheckoutError(code, `${detail ?? code}`, options);
  return new CheckoutError(codeOfStatus(status), `The answer has status ${status}; ${checkBaseUrl}`, options);
}

/** For answers of something between us and the checkout server, or of a newer one. */
function codeOfStatus(status: number): CheckoutErrorCode {
  const codes = Object.keys(checkoutErrorStatus) as CheckoutErrorCode[];
  if (status >= 500) return 'service_unavailable';
  return codes.find((code) => checkoutErrorStatus[code] === status) ?? 'invalid_request';
}
