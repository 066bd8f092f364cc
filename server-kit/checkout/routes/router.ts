import { CheckoutError, type CheckoutErrorCode } from '../../../src/contract/index.ts';
import { lastSegments, refuseOtherContract } from '../../client/http/page-request.ts';
import type { PlainHandler, PlainRequest, PlainResponse } from '../../client/http/plain-http.ts';
import { emptyResponse, toProblem, toRefusal } from '../../client/http/responses.ts';
import type { Log } from '../telemetry/log.ts';
import type { RouteName } from '../telemetry/log-event.ts';
import type { Origins } from './access/cors.ts';
import { postCallback } from './callback-route.ts';
import { getHealth, getReady, getStatus, postReconcile } from './operator-routes.ts';
import type { RouteParts } from './parts.ts';
import { getSession, postOrder } from './session-routes.ts';

type Route = {
  /** The end of the path. */
  path: string;
  method: 'GET' | 'POST';
  /** Whether pages call it, including those of other origins. */
  isForPages: boolean;
  respond: (parts: RouteParts, request: PlainRequest) => Promise<PlainResponse>;
};

const routes: Record<Exclude<RouteName, 'none'>, Route> = {
  createSession: { path: 'sessions', method: 'POST', isForPages: true, respond: postOrder('account') },
  createLink: { path: 'links', method: 'POST', isForPages: true, respond: postOrder('link') },
  readSession: { path: 'sessions/{reference}', method: 'GET', isForPages: true, respond: getSession },
  callbacks: { path: 'callbacks', method: 'POST', isForPages: false, respond: postCallback },
  reconcile: { path: 'reconcile', method: 'POST', isForPages: false, respond: postReconcile },
  status: { path: 'status', method: 'GET', isForPages: false, respond: getStatus },
  health: { path: 'health', method: 'GET', isForPages: false, respond: getHealth },
  ready: { path: 'ready', method: 'GET', isForPages: false, respond: getReady },
};

type Name = keyof typeof routes;

const namesByPath = new Map(Object.entries(routes).map(([name, { path }]) => [path, name as Name]));

/**
 * Creates the routes below the checkout's base path (contract version 1), over plain values. The end of the path selects the
 * route, so it does not matter where the handler is mounted, or whether a framework strips the mount path. `OPTIONS` of the routes for
 * pages: 204 for allowed origins.
 */
export function createRouter(parts: RouteParts): PlainHandler {
  const { origins, background, noteMountPath, noteClient } = parts;
  return async (request) => {
    const origin = request.header('origin');
    const cors = origins.headersFor(origin);
    let name: RouteName = 'none';
    try {
      name = findRoute(request);
      const route = routes[name];
      if (isPreflight(route, request)) return emptyResponse(preflightHeaders(origins, route, origin));
      refuseOtherContract(request);
      if (!accepts(route, request.method)) throw methodNotAllowed(request, route);
      const response = await route.respond(parts, request);
      // After the response, because the caller is then accepted: nobody else can cause a warning.
      if (name === 'createSession' || name === 'createLink') noteMountPath(request);
      if (route.isForPages) noteClient(request);
      background.noteRequest();
      return { ...response, headers: { ...cors, ...response.headers } };
    } catch (error) {
      const refusal = toRefusal(error);
      const response = toProblem(refusal);
      const { status } = response;
      const { code } = refusal;
      if (code === 'origin_not_allowed') origins.noteRefused(origin);
      logFailure(parts.log, request, { route: name, status, code, error });
      const allow = status === 405 && name !== 'none' && { allow: routes[name].method };
      return { ...response, headers: { ...cors, ...response.headers, ...allow } };
    }
  };
}

type Failure = { route: RouteName; status: number; code: CheckoutErrorCode; error: unknown };

/** Logs refusals and failures. A browser that has gone away is neither. */
function logFailure(log: Log, request: PlainRequest, { error, ...failure }: Failure): void {
  if (failure.status < 500) return log({ type: 'requestRefused', ...failure });
  const { aborted, reason } = request.signal;
  if (!aborted || error !== reason) log({ type: 'requestFailed', ...failure, error });
}

function findRoute({ method, header, url }: PlainRequest): Name {
  const [last, beforeLast] = lastSegments(url);
  const name = namesByPath.get(last);
  const requestedMethod = method === 'OPTIONS' ? header('access-control-request-method') : method;
  // First for a POST, because the base path itself may end in "sessions".
  if (name !== undefined && (requestedMethod === 'POST' || beforeLast !== 'sessions')) return name;
  if (beforeLast === 'sessions') return 'readSession';
  const paths = Object.values(routes).map(({ path }) => `/${path}`);
  throw new CheckoutError(
    'not_found',
    `There is nothing at ${url.pathname}; the routes end in ${paths.join(', ')}.`,
  );
}

/** Fetch standard, "CORS-preflight request". */
const isPreflight = ({ isForPages }: Route, { method, header }: PlainRequest): boolean =>
  method === 'OPTIONS' && isForPages && header('access-control-request-method') !== undefined;

/** @throws {CheckoutError} `origin_not_allowed` */
function preflightHeaders(origins: Origins, { method }: Route, origin: string | undefined) {
  const headers = origins.preflightHeadersFor(origin, method);
  if (headers !== undefined) return headers;
  throw new CheckoutError('origin_not_allowed', 'Pages of this origin are not allowed; see allowedOrigins.');
}

/** Monitors use HEAD (RFC 9110, section 9.3.2). A payment is read only with GET, because the response may be held. */
const accepts = ({ method, isForPages }: Route, requested: string): boolean =>
  requested === method || (requested === 'HEAD' && method === 'GET' && !isForPages);

const methodNotAllowed = ({ method }: PlainRequest, { method: allowed }: Route): CheckoutError =>
  new CheckoutError('method_not_allowed', `${method} is not possible here; use ${allowed}.`);
