import {
  CheckoutError,
  contractHeaders,
  contractVersion,
  maxWaitSeconds,
  type PaymentView,
  type Session,
} from '../src/contract/index.ts';
import type { ClientSecrets } from './client-secret.ts';
import { type LongPollOptions, pollPayment } from './long-poll.ts';
import { isSettled } from './outcome.ts';
import { etagOf, type OpenedRecord } from './payment-view.ts';
import type { PlainHandler, PlainRequest, PlainResponse } from './plain-http.ts';
import { answerHeaders, bearerToken, toProblem } from './problem.ts';
import { isSameOrigin } from './same-origin.ts';
import { postCallback, postReconcile, type ServerRoutesOptions } from './server-routes.ts';

/** A cart fits many times over. */
const maxBodyBytes = 64 * 1024;

/** After expiry money seldom comes, but it does. */
const expiredPollMs = 15_000;

export type ProxyOptions = LongPollOptions &
  ServerRoutesOptions & {
    /** The local clock: it tells when a secret ends, and nothing that the service says can end one. */
    now: () => number;
    secrets: ClientSecrets;
    publicUrl: URL;
    serviceNow: () => number;
    lookIntervalMs: number;
    /** Asks the merchant for the order of this request, and gives its session. */
    openSession: (request: {
      body: unknown;
      headers: Headers;
      signal: AbortSignal;
    }) => Promise<{ record: OpenedRecord; session: Session; created: boolean }>;
  };

/**
 * The routes below the checkout's base path (contract version 1), over plain values. A route is known by the end of
 * the path, so that it does not matter where the handler is mounted, or whether a framework strips the mount.
 *
 * - `POST …/sessions`: 201 with a session, 200 where the order has one
 * - `GET …/sessions/{reference}`: 200 with the view, or 304
 * - `POST …/callbacks` and `POST …/reconcile`: see server-routes.ts
 */
export function createProxy(options: ProxyOptions): PlainHandler {
  return async (request) => {
    try {
      const route = findRoute(request);
      refuseOtherContract(request);
      if (route.method !== request.method) return methodNotAllowed(request, route.method);
      return await route.answer(options, request);
    } catch (error) {
      const answer = toProblem(error);
      // Refusals are the browser's affair. What the merchant's server or the service did wrong is the merchant's;
      // a browser that has gone away is neither.
      const hasGone = request.signal.aborted && error === request.signal.reason;
      if (answer.status >= 500 && !hasGone) options.report(error);
      return answer;
    }
  };
}

type Route = {
  method: 'POST' | 'GET';
  answer: (options: ProxyOptions, request: PlainRequest) => Promise<PlainResponse>;
};

const postRoutes: ReadonlyMap<string, Route> = new Map([
  ['sessions', { method: 'POST', answer: postSession }],
  ['callbacks', { method: 'POST', answer: postCallback }],
  ['reconcile', { method: 'POST', answer: postReconcile }],
]);

function findRoute({ method, url: { pathname } }: PlainRequest): Route {
  const [last = '', beforeLast] = pathname.replace(/\/$/, '').split('/').reverse();
  const postRoute = postRoutes.get(last);
  // Asked first for a POST, because the base path itself may end in "sessions".
  if (postRoute !== undefined && (method === 'POST' || beforeLast !== 'sessions')) return postRoute;
  if (beforeLast === 'sessions') {
    const reference = decodeSegment(last);
    return { method: 'GET', answer: (options, request) => getSession(options, request, reference) };
  }
  throw new CheckoutError(
    'not_found',
    `There is nothing at ${pathname}; the routes end in /sessions, /sessions/{reference}, /callbacks or /reconcile.`,
  );
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    // As good as any other reference that does not exist.
    return segment;
  }
}

/** A request without the header is taken for version 1: it was the first. */
function refuseOtherContract(request: PlainRequest): void {
  const version = request.header(contractHeaders.version) ?? '1';
  if (version !== String(contractVersion)) {
    const detail = `This server speaks contract ${contractVersion}, the page asked for ${version}; update the older of the two.`;
    throw new CheckoutError('contract_unsupported', detail);
  }
}

function methodNotAllowed(request: PlainRequest, allow: string): PlainResponse {
  const problem = toProblem(
    new CheckoutError('method_not_allowed', `${request.method} is not possible here; use ${allow}.`),
  );
  return { ...problem, headers: { ...problem.headers, allow } };
}

async function postSession(options: ProxyOptions, request: PlainRequest): Promise<PlainResponse> {
  if (!isSameOrigin(request.header('origin'), request.url, options.publicUrl)) {
    throw new CheckoutError(
      'origin_not_allowed',
      'Sessions are made from the pages of the shop only; check publicUrl.',
    );
  }
  const body = await readJson(request);
  const { record, session, created } = await options.openSession({
    body,
    headers: request.headers(),
    signal: request.signal,
  });
  const { clientSecret: _, ...view } = session;
  return answerJson(options, record, {
    status: created ? 201 : 200,
    body: session,
    etag: await etagOf(view),
    held: false,
  });
}

/** Only JSON: a form of another site can be sent without asking, JSON cannot (Fetch standard, CORS-safelisted types). */
async function readJson(request: PlainRequest): Promise<unknown> {
  const mediaType = request.header('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (mediaType !== 'application/json') {
    throw new CheckoutError('unsupported_media_type', 'Send JSON, with Content-Type: application/json.');
  }
  const text = await request.readText(maxBodyBytes);
  try {
    return JSON.parse(text);
  } catch (cause) {
    const hint = text === '' ? 'is empty; mount the checkout before any body parser' : 'is not JSON';
    throw new CheckoutError('invalid_request', `The body ${hint}.`, { cause });
  }
}

async function getSession(
  options: ProxyOptions,
  request: PlainRequest,
  reference: string,
): Promise<PlainResponse> {
  const claims = await options.secrets.verify(bearerToken(request), reference, options.now());
  if (claims === undefined) throw unauthorized();
  const ifNoneMatch = request.header('if-none-match');
  const waitSeconds = ifNoneMatch === undefined ? 0 : preferredWaitSeconds(request.header('prefer'));
  const answer = await pollPayment(options, {
    reference,
    ifNoneMatch,
    waitMs: waitSeconds * 1000,
    signal: request.signal,
  });
  if (answer === undefined || answer.view.liveMode !== claims.liveMode) throw unauthorized();
  const { record, view, etag, isNew } = answer;
  return answerJson(options, record, {
    status: isNew ? 200 : 304,
    body: isNew ? view : undefined,
    etag,
    held: waitSeconds > 0,
  });
}

const unauthorized = (): CheckoutError =>
  new CheckoutError(
    'session_unauthorized',
    'The client secret is missing, wrong or too old; ask the server for the session again.',
  );

/** `Prefer: wait=N` (RFC 7240, section 4.3), in seconds, no longer than the contract allows. */
function preferredWaitSeconds(prefer: string | undefined): number {
  const seconds = /(?:^|[,;])\s*wait\s*=\s*"?(\d{1,6})"?\s*(?:[,;]|$)/i.exec(prefer ?? '')?.[1];
  return Math.min(Number(seconds ?? 0), maxWaitSeconds);
}

type JsonAnswer = { status: number; body: PaymentView | Session | undefined; etag: string; held: boolean };

function answerJson(
  options: ProxyOptions,
  record: OpenedRecord,
  { status, body, etag, held }: JsonAnswer,
): PlainResponse {
  const headers = {
    ...answerHeaders,
    etag,
    [contractHeaders.serviceTime]: String(Math.round(options.serviceNow())),
    [contractHeaders.nextPoll]: String(nextPollMs(options, record, held)),
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(held && { 'preference-applied': 'wait' }),
  };
  return { status, headers, body: body && JSON.stringify(body) };
}

/** A browser whose request was held may come back at once; the others keep the pace of our own looks. */
function nextPollMs({ lookIntervalMs }: ProxyOptions, record: OpenedRecord, held: boolean): number {
  if (isSettled(record) || record.outcome === 'expired') return expiredPollMs;
  return held ? 0 : lookIntervalMs;
}
