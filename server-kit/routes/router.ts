import {
  CheckoutError,
  type CheckoutErrorCode,
  contractHeaders,
  contractVersion,
} from '../../src/contract/index.ts';
import type { PlainHandler, PlainRequest, PlainResponse } from '../http/plain-http.ts';
import type { RouteName } from '../telemetry/log-event.ts';
import type { Readiness } from '../telemetry/readiness.ts';
import type { NoteClient } from './access/client-key-check.ts';
import { type DeadLetterRoutesOptions, getDeadLetters, postDeadLetterRetry } from './dead-letter-routes.ts';
import { getHealth, getReadiness } from './health-routes.ts';
import type { NoteMountPath } from './mount-path.ts';
import { toProblem, toRefusal } from './problem.ts';
import { emptyResponse } from './responses.ts';
import { postCallback, postReconcile, type ServerRoutesOptions } from './server-routes.ts';
import { getSession, postLink, postSession, type SessionRoutesOptions } from './session-routes.ts';
import { getStatus, type StatusRouteOptions } from './status-route.ts';

export type RouterOptions = SessionRoutesOptions &
  ServerRoutesOptions &
  StatusRouteOptions &
  DeadLetterRoutesOptions & { readiness: Readiness; noteMountPath: NoteMountPath; noteClient: NoteClient };

/**
 * Creates the routes below the checkout's base path (contract version 1), over plain values. The end of the path selects the
 * route, so it does not matter where the handler is mounted, or whether a framework strips the mount path.
 *
 * - `POST …/sessions`, `POST …/links` and `GET …/sessions/{reference}`: see session-routes.ts
 * - `POST …/callbacks` and `POST …/reconcile`: see server-routes.ts
 * - `GET …/dead-letters` and `POST …/dead-letters/retry`: see dead-letter-routes.ts
 * - `GET …/status`: see status-route.ts
 * - `GET …/health` and `GET …/ready`: see health-routes.ts
 * - `OPTIONS` of the routes for pages: 204 for allowed origins
 */
export function createRouter(options: RouterOptions): PlainHandler {
  const { origins } = options;
  return async (request) => {
    const response = await respond(options, request);
    const cors = origins.headersFor(request.header('origin'));
    return { ...response, headers: { ...cors, ...response.headers } };
  };
}

async function respond(options: RouterOptions, request: PlainRequest): Promise<PlainResponse> {
  let route: Route | undefined;
  try {
    route = findRoute(request);
    if (isPreflight(route, request)) return respondToPreflight(options, route, request);
    refuseOtherContract(request);
    if (!accepts(route, request.method)) throw methodNotAllowed(request, route);
    const response = await route.respond(options, request);
    // After the response, because the caller is then accepted: nobody else can cause a warning.
    if (createsPayments(route)) options.noteMountPath(request);
    if (route.isForPages) options.noteClient(request);
    return response;
  } catch (error) {
    const refusal = toRefusal(error);
    const response = toProblem(refusal);
    if (response.status === 405 && route !== undefined) response.headers.allow = route.method;
    if (refusal.code === 'origin_not_allowed') options.origins.noteRefused(request.header('origin'));
    const { status } = response;
    logFailure(options, request, { route: route?.name ?? 'none', status, code: refusal.code, error });
    return response;
  }
}

const createsPayments = ({ name }: Route): boolean => name === 'createSession' || name === 'createLink';

type Failure = { route: RouteName; status: number; code: CheckoutErrorCode; error: unknown };

/** Logs refusals and failures. A browser that has gone away is neither. */
function logFailure({ log }: RouterOptions, request: PlainRequest, { error, ...failure }: Failure): void {
  const hasGone = request.signal.aborted && error === request.signal.reason;
  if (failure.status < 500) log({ type: 'requestRefused', ...failure });
  else if (!hasGone) log({ type: 'requestFailed', ...failure, error });
}

type Route = {
  name: RouteName;
  method: 'POST' | 'GET';
  /** Whether pages call it, including those of other origins. */
  isForPages: boolean;
  respond: (options: RouterOptions, request: PlainRequest) => Promise<PlainResponse>;
};

const namedRoutes: ReadonlyMap<string, Route> = new Map([
  ['sessions', { name: 'createSession', method: 'POST', isForPages: true, respond: postSession }],
  ['links', { name: 'createLink', method: 'POST', isForPages: true, respond: postLink }],
  ['callbacks', { name: 'callbacks', method: 'POST', isForPages: false, respond: postCallback }],
  ['reconcile', { name: 'reconcile', method: 'POST', isForPages: false, respond: postReconcile }],
  ['dead-letters', { name: 'deadLetters', method: 'GET', isForPages: false, respond: getDeadLetters }],
  ['status', { name: 'status', method: 'GET', isForPages: false, respond: getStatus }],
  ['health', { name: 'health', method: 'GET', isForPages: false, respond: getHealth }],
  ['ready', { name: 'ready', method: 'GET', isForPages: false, respond: getReadiness }],
]);

const retryRoute: Route = {
  name: 'retryDeadLetters',
  method: 'POST',
  isForPages: false,
  respond: postDeadLetterRetry,
};

function findRoute({ method, header, url: { pathname } }: PlainRequest): Route {
  const [last = '', beforeLast] = pathname.replace(/\/$/, '').split('/').reverse();
  if (last === 'retry' && beforeLast === 'dead-letters') return retryRoute;
  const named = namedRoutes.get(last);
  const requestedMethod = method === 'OPTIONS' ? header('access-control-request-method') : method;
  // First for a POST, because the base path itself may end in "sessions".
  if (named !== undefined && (requestedMethod === 'POST' || beforeLast !== 'sessions')) return named;
  if (beforeLast === 'sessions') {
    const reference = decodeSegment(last);
    const respond: Route['respond'] = (options, request) => getSession(options, request, reference);
    return { name: 'readSession', method: 'GET', isForPages: true, respond };
  }
  throw new CheckoutError(
    'not_found',
    `There is nothing at ${pathname}; the routes end in /sessions, /sessions/{reference}, /links, /callbacks, /reconcile, /dead-letters, /dead-letters/retry, /status, /health or /ready.`,
  );
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    // The undecoded text is a reference that does not exist.
    return segment;
  }
}

/** Fetch standard, "CORS-preflight request". */
const isPreflight = ({ isForPages }: Route, { method, header }: PlainRequest): boolean =>
  method === 'OPTIONS' && isForPages && header('access-control-request-method') !== undefined;

function respondToPreflight(
  { origins }: RouterOptions,
  { method }: Route,
  { header }: PlainRequest,
): PlainResponse {
  const cors = origins.preflightHeadersFor(header('origin'), method);
  if (cors === undefined) {
    throw new CheckoutError(
      'origin_not_allowed',
      'Pages of this origin are not allowed; see allowedOrigins.',
    );
  }
  return emptyResponse(cors);
}

/** A request without the header counts as version 1, the first. */
function refuseOtherContract(request: PlainRequest): void {
  const version = request.header(contractHeaders.version) ?? '1';
  if (version !== String(contractVersion)) {
    const detail = `This server speaks contract ${contractVersion}, the page requested ${version}; update the older of the two.`;
    throw new CheckoutError('contract_unsupported', detail);
  }
}

/** Monitors use HEAD (RFC 9110, section 9.3.2). A payment is read only with GET, because the response may be held. */
const accepts = ({ method, isForPages }: Route, requested: string): boolean =>
  requested === method || (requested === 'HEAD' && method === 'GET' && !isForPages);

const methodNotAllowed = ({ method }: PlainRequest, { method: allowed }: Route): CheckoutError =>
  new CheckoutError('method_not_allowed', `${method} is not possible here; use ${allowed}.`);
