import { CheckoutError, checkoutErrorStatus } from '../../../src/contract/index.ts';
import type { PlainRequest } from '../../core/http.ts';
import { createRouter, createSessionRoutes, type Route, secretOf } from '../../core/routes.ts';
import type { RouteName } from '../telemetry/log-event.ts';
import { createOperatorRoutes } from './operator-routes.ts';
import type { RouteParts } from './parts.ts';
import { createPaymentSource } from './payment-source.ts';

/** The names of the routes in the log. */
const names: Readonly<Record<string, RouteName>> = {
  sessions: 'createSession',
  links: 'createLink',
  'sessions/{reference}': 'readSession',
  callbacks: 'callbacks',
  reconcile: 'reconcile',
  status: 'status',
  health: 'health',
  ready: 'ready',
};

/** Creates the routes below the checkout's base path: those of the core over what the engine remembers, and those of operators. */
export function createCheckoutRouter(parts: RouteParts) {
  const { origins, background } = parts;
  const routes = { ...createSessionRoutes({ ...parts, source: createPaymentSource(parts) }) };
  for (const [path, route] of Object.entries(routes))
    if (route.isForPages) routes[path] = guarded(parts, route);
  for (const [path, route] of Object.entries(createOperatorRoutes(parts))) routes[path] = route;
  for (const [path, route] of Object.entries(routes)) {
    const respond: Route['respond'] = async (request) => {
      const response = await route.respond(request);
      background.noteRequest();
      return response;
    };
    routes[path] = { ...route, respond };
  }
  return createRouter(routes, {
    corsHeaders: (origin, method) =>
      method === undefined ? origins.headersFor(origin) : origins.preflightHeadersFor(origin, method),
    onRefusal: (refusal, path, request, error) =>
      logFailure(parts, refusal, names[path] ?? 'none', request, error),
  });
}

/** Checks the origin and the limits of a page before anything else, and notes it once it is accepted: nobody else can cause a warning. */
function guarded({ origins, limits, noteMountPath, noteClient }: RouteParts, route: Route): Route {
  const isPost = route.method === 'POST';
  return {
    ...route,
    async respond(request) {
      if (isPost && !origins.isAllowed(request.header('origin'), request.url)) {
        const message =
          'Payments are made from the pages of the shop only; check publicUrl and allowedOrigins.';
        throw new CheckoutError('origin_not_allowed', message);
      }
      // Wrong secrets count too, before the store is read.
      limits.take(isPost ? 'sessions' : 'reads', limits.clientOf(request));
      const response = await route.respond(request);
      if (isPost) noteMountPath(request);
      noteClient(request);
      return response;
    },
  };
}

/** Logs refusals and failures. A browser that has gone away is neither. */
function logFailure(
  { log, origins }: RouteParts,
  { code, message }: CheckoutError,
  route: RouteName,
  request: PlainRequest,
  error: unknown,
): void {
  if (code === 'origin_not_allowed') origins.noteRefused(request.header('origin'));
  const isSecretMissing =
    route === 'readSession' && code === 'session_unauthorized' && secretOf(request) === '';
  if (isSecretMissing) log({ type: 'secretMissing', message });
  const status = checkoutErrorStatus[code] ?? 500;
  if (status < 500) return log({ type: 'requestRefused', route, status, code });
  const { aborted, reason } = request.signal;
  if (!aborted || error !== reason) log({ type: 'requestFailed', route, status, code, error });
}
