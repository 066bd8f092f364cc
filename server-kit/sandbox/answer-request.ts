import { convertAmounts, toWireAmount } from '../api/amount-unit.ts';
import { type Endpoint, endpoints } from '../api/endpoints.ts';
import { controlCalls, type SandboxControl } from './control.ts';
import type { ControlCall } from './control-call.ts';
import { parseBody, readBodyText } from './http/request-body.ts';
import { checkAuthorization, checkBody, checkQuery } from './http/request-checks.ts';
import type { Answer } from './http/responses.ts';
import { createRouter } from './http/router.ts';
import { notFound, SandboxError } from './http/sandbox-error.ts';
import { operations } from './operations.ts';
import type { SandboxWorld } from './world.ts';

const matchEndpoint = createRouter(endpoints);
const matchControlCall = createRouter(controlCalls);

/**
 * Answers one request. What it changed is kept before it is answered.
 *
 * @throws {SandboxError} for every refusal
 */
export async function answerRequest(
  request: Request,
  world: SandboxWorld,
  control: SandboxControl,
): Promise<Answer> {
  const { pathname } = new URL(request.url);
  const { basePath } = world.settings;
  if (!pathname.startsWith(`${basePath}/`)) {
    throw notFound('route_not_found', `Nothing is at ${pathname}; all paths begin with ${basePath}/.`);
  }
  const path = pathname.slice(basePath.length);
  const answer = path.startsWith('/_sandbox/')
    ? await answerControlCall(request, path, control)
    : await answerEndpoint(request, path, world);
  await world.journal.commit();
  return answer;
}

async function answerEndpoint(request: Request, path: string, world: SandboxWorld): Promise<Answer> {
  const { settings, clock } = world;
  const match = matchEndpoint(request.method, path);
  if (match.name === undefined) return { status: 204, headers: { allow: match.allow } };
  const endpoint: Endpoint = endpoints[match.name];
  const bodyText = await readBodyText(request);
  await checkAuthorization({ request, path, bodyText, nowMs: clock.now() }, endpoint, settings);
  const input = {
    parameters: match.parameters,
    query: checkQuery(endpoint, new URL(request.url).searchParams, settings),
    body: endpoint.request && checkBody(endpoint, parseBody(request, bodyText), settings),
  };
  // The router and the schemas have checked what each handler's type asks for.
  const answer: unknown = operations[match.name](input as never, world);
  return {
    status: endpoint.successStatus,
    body: convertAmounts(answer, endpoint.amounts.response, (amount) =>
      toWireAmount(amount, settings.dialect.amountUnit),
    ),
  };
}

async function answerControlCall(request: Request, path: string, control: SandboxControl): Promise<Answer> {
  const match = matchControlCall(request.method, path);
  if (match.name === undefined) return { status: 204, headers: { allow: match.allow } };
  refuseOtherSites(request);
  const call: ControlCall<SandboxControl> = controlCalls[match.name];
  const body = call.request && parseBody(request, await readBodyText(request));
  return { status: 200, body: call.answer(control, match.parameters, body) };
}

/** A page of another site must not move money here, even where its request needs no preflight. */
function refuseOtherSites(request: Request): void {
  if (request.headers.get('sec-fetch-site') !== 'cross-site') return;
  throw new SandboxError('Control calls are not open to pages of other sites; call them from a server.', {
    status: 403,
    type: 'invalid_request_error',
    code: 'cross_site_refused',
  });
}
