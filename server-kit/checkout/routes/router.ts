import {
  CheckoutError,
  type CheckoutErrorCode,
  contractHeaders,
  contractVersion,
} from '../../../src/contract/index.ts';
import type { PlainHandler, PlainRequest, PlainResponse } from '../../http/plain-http.ts';
import type { Log } from '../telemetry/log.ts';
import type { RouteName } from '../telemetry/log-event.ts';
import type { NoteClient } from './access/client-key-check.ts';
import type { Origins } from './access/cors.ts';
import type { NoteMountPath } from './mount-path.ts';
import { emptyResponse, toProblem, toRefusal } from './responses.ts';

/** Responds to the requests of one route. `reference` is the payment in the path of `readSession`. */
export type Respond = (request: PlainRequest, reference: string) => Promise<PlainResponse>;

export type RouterOptions = {
  routes: Record<keyof typeof table, Respond>;
  origins: Origins;
  noteMountPath: NoteMountPath;
  noteClient: NoteClient;
  log: Log;
};

/** The end of each path, the method, and whether pages call it, including those of other origins. */
const table = {
  createSession: { path: 'sessions', method: 'POST', isForPages: true },
  createLink: { path: 'links', method: 'POST', isForPages: true },
  readSession: { path: 'sessions/{reference}', method: 'GET', isForPages: true },
  callbacks: { path: 'callbacks', method: 'POST', isForPages: false },
  reconcile: { path: 'reconcile', method: 'POST', isForPages: false },
  deadLetters: { path: 'dead-letters', method: 'GET', isForPages: false },
  retryDeadLetters: { path: 'dead-letters/retry', method: 'POST', isForPages: false },
  status: { path: 'status', method: 'GET', isForPages: false },
  health: { path: 'health', method: 'GET', isForPages: false },
  ready: { path: 'ready', method: 'GET', isForPages: false },
} as const satisfies { [Name in Exclude<RouteName, 'none'>]: object };

type Route = { [Name in keyof typeof table]: { name: Name } & (typeof table)[Name] }[keyof typeof table];

const routesByPath = new Map<string, Route>(
  Object.entries(table).map(([name, route]) => [route.path, { name, ...route } as Route]),
);
const readSession: Route = { name: 'readSession', ...table.readSession };

/**
 * Creates the routes below the checkout's base path (contract version 1), over plain values. The end of the path selects the
 * route, so it does not matter where the handler is mounted, or whether a framework strips the mount path. `OPTIONS` of the routes for
 * pages: 204 for allowed origins.
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
  const { origins, noteMountPath, noteClient } = options;
  let route: Route | undefined;
  try {
    const found = findRoute(request);
    route = found.route;
    const { name, method, isForPages } = route;
    if (isPreflight(route, request)) return respondToPreflight(origins, method, request);
    refuseOtherContract(request);
    if (!accepts(route, request.method)) throw methodNotAllowed(request, route);
    const response = await options.routes[name](request, found.reference);
    // After the response, because the caller is then accepted: nobody else can cause a warning.
    if (name === 'createSession' || name === 'createLink') noteMountPath(request);
    if (isForPages) noteClient(request);
    return response;
  } catch (error) {
    const refusal = toRefusal(error);
    const response = toProblem(refusal);
    if (response.status === 405 && route !== undefined) response.headers.allow = route.method;
    if (refusal.code === 'origin_not_allowed') origins.noteRefused(request.header('origin'));
    const { status } = response;
    logFailure(options.log, request, { route: route?.name ?? 'none', status, code: refusal.code, error });
    return response;
  }
}

type Failure = { route: RouteName; status: number; code: CheckoutErrorCode; error: unknown };

/** Logs refusals and failures. A browser that has gone away is neither. */
function logFailure(log: Log, request: PlainRequest, { error, ...failure }: Failure): void {
  if (failure.status < 500) return log({ type: 'requestRefused', ...failure });
  const { aborted, reason } = request.signal;
  if (!aborted || error !== reason) log({ type: 'requestFailed', ...failure, error });
}

function findRoute({ method, header, url }: PlainRequest): { route: Route; reference: string } {
  const { pathname } = url;
  const [last = '', beforeLast] = pathname.replace(/\/$/, '').split('/').reverse();
  const retry = routesByPath.get(`${beforeLast}/${last}`);
  if (retry !== undefined) return { route: retry, reference: '' };
  const named = routesByPath.get(last);
  const requestedMethod = method === 'OPTIONS' ? header('access-control-request-method') : method;
  // First for a POST, because the base path itself may end in "sessions".
  if (named !== undefined && (requestedMethod === 'POST' || beforeLast !== 'sessions')) {
    return { route: named, reference: '' };
  }
  if (beforeLast === 'sessions') return { route: readSession, reference: decodeSegment(last) };
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

function respondToPreflight(origins: Origins, method: string, { header }: PlainRequest): PlainResponse {
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
