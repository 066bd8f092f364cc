import type { Endpoint } from '../../../core/endpoints.ts';
import { isSameOrigin } from '../../../engine/routes/access/cors.ts';
import { endpoints, type Operation } from '../../../service/endpoints.ts';
import { controlRoutes } from '../calls/control-routes.ts';
import type { ControlCall } from '../calls/handler.ts';
import { controlCalls, operations } from '../calls/registry.ts';
import { SandboxError } from '../errors.ts';
import { NoInput, parseInput } from '../input/fields.ts';
import type { SandboxWorld } from '../world/create-world.ts';
import { pageCalls, respondToPage } from './checkout-page.ts';
import { diagnoseSignature } from './diagnosis.ts';
import {
  checkAuthorization,
  checkBody,
  checkQuery,
  isSignatureRefusal,
  parseBody,
  readBodyText,
} from './request-checks.ts';
import type { OpenRequest } from './request-log.ts';
import { respondWithFaults } from './respond-with-faults.ts';
import { type BrokenConnection, type JsonResponse, toErrorResponse } from './responses.ts';
import { createRouter } from './router.ts';

type Parameters = Readonly<Record<string, string>>;

const matchRoute = createRouter({ ...endpoints, ...controlRoutes, ...pageCalls });

/** Responds to one request once its changes are stored. Where that fails, the response says only so. */
export async function respond(
  request: Request,
  world: SandboxWorld,
): Promise<JsonResponse | BrokenConnection> {
  const entry = isCall(request, world.settings.basePath) ? world.requestLog.open(request) : undefined;
  const response = await route(request, world, entry).catch(toErrorResponse);
  const sent = await world.writer.commit().then(() => response, toErrorResponse);
  entry?.close(sent);
  return sent;
}

/** Whether the request may be meant for an endpoint, also below another base path. */
function isCall({ url }: Request, basePath: string): boolean {
  const { pathname } = new URL(url);
  return /\/v1(\/|$)/i.test(pathname) && !pathname.startsWith(`${basePath}/_sandbox/`);
}

async function route(
  request: Request,
  world: SandboxWorld,
  entry: OpenRequest | undefined,
): Promise<JsonResponse | BrokenConnection> {
  const { pathname } = new URL(request.url);
  const { basePath, publicUrl } = world.settings;
  if (!pathname.startsWith(`${basePath}/`)) {
    const message = `There is nothing at ${pathname}; all paths begin with ${basePath}/.`;
    throw new SandboxError('route_not_found', message);
  }
  const path = pathname.slice(basePath.length);
  const match = matchRoute(request.method, path);
  if (match.name === undefined) return { status: 204, headers: { allow: match.allow } };
  const { name, parameters } = match;
  if (isOperation(name)) {
    entry?.note({ operation: name });
    const run = () => runOperation(request, path, name, parameters, world, entry);
    // HEAD must not use up a fault that is meant for the request after it.
    if (request.method === 'HEAD') return run();
    return respondWithFaults(name, request.signal, world, run, (fault) => entry?.note({ fault }));
  }
  refuseOtherSites(request, publicUrl);
  if (isPageCall(name)) return respondToPage(name, parameters, request, world);
  return respondToControlCall(request, controlCalls[name], parameters, world);
}

const isPageCall = (name: string): name is keyof typeof pageCalls => Object.hasOwn(pageCalls, name);

const isOperation = (name: string): name is Operation => Object.hasOwn(endpoints, name);

async function runOperation(
  request: Request,
  path: string,
  operation: Operation,
  parameters: Parameters,
  world: SandboxWorld,
  entry: OpenRequest | undefined,
): Promise<JsonResponse> {
  const { settings, clock } = world;
  const endpoint: Endpoint = endpoints[operation];
  const bodyText = await readBodyText(request);
  entry?.note({ requestBody: bodyText ?? null });
  const signed = { request, path, bodyText, nowMs: clock.now() };
  await checkAuthorization(signed, endpoint, settings).catch(async (error: unknown) => {
    if (isSignatureRefusal(error)) {
      entry?.note({ signature: (await diagnoseSignature(signed, settings)) ?? null });
    }
    throw error;
  });
  const input = {
    parameters,
    query: checkQuery(endpoint, new URL(request.url).searchParams, settings),
    body: checkBody(endpoint, signed, settings),
  };
  // The router and the schemas have checked the input that the handler's type requires.
  const result: unknown = operations[operation](input as never, world);
  return {
    status: operation === 'apps.register' ? 201 : 200,
    body: settings.dialect.toWire(result, amountsOf(endpoint)),
  };
}

/** The amounts of a list are those of its records. */
const amountsOf = (endpoint: Endpoint): readonly string[] => {
  const fields = endpoint.amounts?.response ?? [];
  return 'query' in endpoint ? fields.map((field) => `data.${field}`) : fields;
};

async function respondToControlCall(
  request: Request,
  call: ControlCall,
  parameters: Parameters,
  world: SandboxWorld,
): Promise<JsonResponse> {
  const body = call.request && parseBody(request, await readBodyText(request));
  if (call.request === NoInput) parseInput(NoInput, body);
  const hasInput = call.request !== undefined && call.request !== NoInput;
  const input = [...Object.values(parameters), ...(hasInput ? [body] : [])];
  const result = call.run(world, ...(input as never[]));
  return { status: 200, body: Array.isArray(result) ? { data: result } : result };
}

/** Refuses pages of other sites, which could otherwise move money here with a request that needs no preflight. */
function refuseOtherSites({ headers, url }: Request, publicUrl: string): void {
  const isSame = isSameOrigin(headers.get('origin') ?? undefined, new URL(url), new URL(publicUrl));
  if (isSame && headers.get('sec-fetch-site') !== 'cross-site') return;
  const message = 'Control calls are not open to pages of other sites; call them from a server.';
  throw new SandboxError('cross_site_refused', message);
}
