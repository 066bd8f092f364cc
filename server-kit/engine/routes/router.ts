import { CheckoutError, checkoutErrorStatus } from '../../../src/contract/index.ts';
import { type PlainRequest, respond } from '../../core/http.ts';
import { bearerToken, createRouter, createSessionRoutes, type Route, secretOf } from '../../core/routes.ts';
import { equalInConstantTime } from '../../core/secrets.ts';
import type { Engine } from '../shell/engine.ts';
import type { RouteName } from '../telemetry/log-event.ts';
import { createPaymentSource } from './payment-source.ts';

/** The names of the routes in the log. */
const names: Readonly<Record<string, RouteName>> = {
  sessions: 'createSession',
  links: 'createLink',
  'sessions/{reference}': 'readSession',
  callbacks: 'callbacks',
  reconcile: 'reconcile',
  status: 'status',
  'orders/{id}': 'orders',
  notes: 'notes',
  health: 'health',
  ready: 'ready',
};

/** Creates the routes below the checkout's base path: those of the core over what the engine remembers, and those of operators. */
export function createCheckoutRouter(engine: Engine) {
  const { origins } = engine;
  const source = createPaymentSource(engine);
  const routes = { ...createSessionRoutes({ ...engine, source }), ...createOperatorRoutes(engine) };
  return createRouter(routes, {
    corsHeaders: (origin, method) =>
      method === undefined ? origins.headersFor(origin) : origins.preflightHeadersFor(origin, method),
    guard: (route, request) => guard(engine, route, request),
    onRefusal: ({ code, message }, path, request, error) => {
      const route = names[path] ?? 'none';
      if (route === 'readSession' && code === 'session_unauthorized' && secretOf(request) === '')
        engine.log({ type: 'secretMissing', message });
      logFailure(engine, code, route, request, error);
    },
  });
}

/** Checks the origin and the limits of a page before anything else. Only a request that is accepted can cause a warning. */
function guard(engine: Engine, { method, isForPages }: Route, request: PlainRequest): () => void {
  const { origins, limits, background } = engine;
  if (!isForPages) return background.noteRequest;
  const isPost = method === 'POST';
  if (isPost && !origins.isAllowed(request.header('origin'), request.url)) {
    const message = 'Payments are made from the pages of the shop only; check publicUrl and allowedOrigins.';
    throw new CheckoutError('origin_not_allowed', message);
  }
  // Wrong secrets count too, before the store is read.
  limits.take(isPost ? 'sessions' : 'reads', limits.clientOf(request));
  return () => {
    if (isPost) engine.noteMountPath(request);
    engine.noteClient(request);
    background.noteRequest();
  };
}

/** Logs refusals and failures. A browser that has gone away is neither. */
function logFailure(
  { log, origins }: Engine,
  code: CheckoutError['code'],
  route: RouteName,
  request: PlainRequest,
  error: unknown,
): void {
  if (code === 'origin_not_allowed') origins.noteRefused(request.header('origin'));
  const status = checkoutErrorStatus[code] ?? 500;
  if (status < 500) return log({ type: 'requestRefused', route, status, code });
  const { aborted, reason } = request.signal;
  if (!aborted || error !== reason) log({ type: 'requestFailed', route, status, code, error });
}

// Loaded when an operator asks: no shopper waits for them.
const orderRoutes = () => import('./order-routes.ts');
const statusPage = () => import('../telemetry/status.ts');

/** Creates the routes that are not for pages. */
function createOperatorRoutes(engine: Engine): Record<string, Route> {
  const withKey = (method: Route['method'], respondTo: Route['respond']): Route => ({
    method,
    isForPages: false,
    async respond(request) {
      await requireOperatorKey(engine, request);
      return respondTo(request);
    },
  });
  return {
    reconcile: withKey('POST', async () => respond(200, await engine.background.runRound())),
    status: withKey('GET', async () => respond(200, await (await statusPage()).readStatus(engine))),
    'orders/{id}': withKey('GET', async (request) => (await orderRoutes()).getOrders(engine, request)),
    notes: withKey('POST', async (request) => (await orderRoutes()).postNote(engine, request)),
    // A store that is down is not a reason to restart the process.
    health: { method: 'GET', isForPages: false, respond: async () => respond(200, { status: 'up' }) },
    ready: {
      method: 'GET',
      isForPages: false,
      async respond() {
        const report = await engine.readiness();
        return respond(report.status === 'ready' ? 200 : 503, report);
      },
    },
  };
}

/**
 * Requires the operatorKey, compared in constant time. A wrong key counts as a failure of its client.
 *
 * @throws {CheckoutError} `not_found` if no key is configured, `session_unauthorized` for a wrong one, `rate_limited` after many
 */
export async function requireOperatorKey(
  { operatorKey, limits }: Pick<Engine, 'operatorKey' | 'limits'>,
  request: PlainRequest,
): Promise<void> {
  if (operatorKey === undefined)
    throw new CheckoutError('not_found', 'There is nothing here; createCheckout has no operatorKey.');
  if (await equalInConstantTime(bearerToken(request), operatorKey)) return;
  limits.take('reads', limits.clientOf(request));
  throw new CheckoutError('session_unauthorized', 'Send the operatorKey as Authorization: Bearer.');
}
