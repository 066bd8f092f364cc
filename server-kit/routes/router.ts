import {
  CheckoutError,
  type CheckoutErrorCode,
  contractHeaders,
  contractVersion,
} from '../../src/contract/index.ts';
import type { PlainHandler, PlainRequest, PlainResponse } from '../http/plain-http.ts';
import type { RouteName } from '../telemetry/log-event.ts';
import type { Readiness } from '../telemetry/readiness.ts';
import { type DeadLetterRoutesOptions, getDeadLetters, postDeadLetterRetry } from './dead-letter-routes.ts';
import { getHealth, getReadiness } from './health-routes.ts';
import { toProblem, toRefusal } from './problem.ts';
import { answerHeaders } from './response-headers.ts';
import { postCallback, postReconcile, type ServerRoutesOptions } from './server-routes.ts';
import { getSession, postLink, postSession, type SessionRoutesOptions } from './session-routes.ts';

export type RouterOptions = SessionRoutesOptions &
  ServerRoutesOptions &
  DeadLetterRoutesOptions & { readiness: Readiness };

/**
 * The routes below the checkout's base path (contract version 1), over plain values. A route is known by the end of
 * the path, so that it does not matter where the handler is mounted, or whether a framework strips the mount.
 *
 * - `POST …/sessions`, `POST …/links` and `GET …/sessions/{reference}`: see session-routes.ts
 * - `POST …/callbacks` and `POST …/reconcile`: see server-routes.ts
 * - `GET …/dead-letters` and `POST …/dead-letters/retry`: see dead-letter-routes.ts
 * - `GET …/health` and `GET …/ready`: see guard/health-routes.ts
 * - `OPTIONS` of what pages ask: 204 for allowed origins
 */
export function createRouter(options: RouterOptions): PlainHandler {
  const { origins } = options;
  return async (request) => {
    const answer = await answerRequest(options, request);
    return { ...answer, headers: { ...origins.headersFor(request.header('origin')), ...answer.headers } };
  };
}

async function answerRequest(options: RouterOptions, request: PlainRequest): Promise<PlainResponse> {
  let route: Route | undefined;
  try {
    route = findRoute(request);
    if (isPreflight(route, request)) return answerPreflight(options, route, request);
    refuseOtherContract(request);
    if (!takes(route, request.method)) throw methodNotAllowed(request, route);
    return await route.answer(options, request);
  } catch (error) {
    const refusal = toRefusal(error);
    const answer = toProblem(refusal);
    if (answer.status === 405 && route !== undefined) answer.headers.allow = route.method;
    const { status } = answer;
    tell(options, request, { route: route?.name ?? 'none', status, code: refusal.code, error });
    return answer;
  }
}

type Told = { route: RouteName; status: number; code: CheckoutErrorCode; error: unknown };

/**
 * Refusals are the browser's affair. What the merchant's server or the service did wrong is the merchant's; a browser
 * that has gone away is neither.
 */
function tell({ log }: RouterOptions, request: PlainRequest, { error, ...told }: Told): void {
  const hasGone = request.signal.aborted && error === request.signal.reason;
  if (told.status < 500) log({ type: 'requestRefused', ...told });
  else if (!hasGone) log({ type: 'requestFailed', ...told, error });
}

type Route = {
  name: RouteName;
  method: 'POST' | 'GET';
  /** Whether pages ask it, also those of other origins. */
  isForPages: boolean;
  answer: (options: RouterOptions, request: PlainRequest) => Promise<PlainResponse>;
};

const namedRoutes: ReadonlyMap<string, Route> = new Map([
  ['sessions', { name: 'createSession', method: 'POST', isForPages: true, answer: postSession }],
  ['links', { name: 'createLink', method: 'POST', isForPages: true, answer: postLink }],
  ['callbacks', { name: 'callbacks', method: 'POST', isForPages: false, answer: postCallback }],
  ['reconcile', { name: 'reconcile', method: 'POST', isForPages: false, answer: postReconcile }],
  ['dead-letters', { name: 'deadLetters', method: 'GET', isForPages: false, answer: getDeadLetters }],
  ['health', { name: 'health', method: 'GET', isForPages: false, answer: getHealth }],
  ['ready', { name: 'ready', method: 'GET', isForPages: false, answer: getReadiness }],
]);

const retryRoute: Route = {
  name: 'retryDeadLetters',
  method: 'POST',
  isForPages: false,
  answer: postDeadLetterRetry,
};

function findRoute({ method, header, url: { pathname } }: PlainRequest): Route {
  const [last = '', beforeLast] = pathname.replace(/\/$/, '').split('/').reverse();
  if (last === 'retry' && beforeLast === 'dead-letters') return retryRoute;
  const named = namedRoutes.get(last);
  const asked = method === 'OPTIONS' ? header('access-control-request-method') : method;
  // Asked first for a POST, because the base path itself may end in "sessions".
  if (named !== undefined && (asked === 'POST' || beforeLast !== 'sessions')) return named;
  if (beforeLast === 'sessions') {
    const reference = decodeSegment(last);
    const answer: Route['answer'] = (options, request) => getSession(options, request, reference);
    return { name: 'readSession', method: 'GET', isForPages: true, answer };
  }
  throw new CheckoutError(
    'not_found',
    `There is nothing at ${pathname}; the routes end in /sessions, /sessions/{reference}, /links, /callbacks, /reconcile, /dead-letters, /dead-letters/retry, /health or /ready.`,
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

/** A browser's question whether a page of another origin may ask (Fetch standard, "CORS-preflight request"). */
const isPreflight = ({ isForPages }: Route, { method, header }: PlainRequest): boolean =>
  method === 'OPTIONS' && isForPages && header('access-control-request-method') !== undefined;

function answerPreflight(
  { origins }: RouterOptions,
  { method }: Route,
  { header }: PlainRequest,
): PlainResponse {
  const cors = origins.preflightHeadersFor(header('origin'), method);
  if (cors === undefined) {
    throw new CheckoutError('origin_not_allowed', 'Pages of this origin may not ask; see allowedOrigins.');
  }
  return { status: 204, headers: { ...answerHeaders, ...cors }, body: undefined };
}

/** A request without the header is taken for version 1: it was the first. */
function refuseOtherContract(request: PlainRequest): void {
  const version = request.header(contractHeaders.version) ?? '1';
  if (version !== String(contractVersion)) {
    const detail = `This server speaks contract ${contractVersion}, the page asked for ${version}; update the older of the two.`;
    throw new CheckoutError('contract_unsupported', detail);
  }
}

/** Monitors like to ask with HEAD (RFC 9110, section 9.3.2). A payment is read with GET alone: it may be waited for. */
const takes = ({ method, isForPages }: Route, asked: string): boolean =>
  asked === method || (asked === 'HEAD' && method === 'GET' && !isForPages);

const methodNotAllowed = ({ method }: PlainRequest, { method: allowed }: Route): CheckoutError =>
  new CheckoutError('method_not_allowed', `${method} is not possible here; use ${allowed}.`);
