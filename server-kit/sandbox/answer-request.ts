import { convertAmounts, toWireAmount } from '../api/amount-unit.ts';
import { type Endpoint, endpoints, type Operation } from '../api/endpoints.ts';
import { controlCalls, type SandboxControl } from './control.ts';
import type { ControlCall } from './control-call.ts';
import { answerWithFaults } from './faults/answer-with-faults.ts';
import { parseBody, readBodyText } from './http/request-body.ts';
import { checkAuthorization, checkBody, checkQuery, isSignatureRefusal } from './http/request-checks.ts';
import { type Answer, answerError, type BrokenOff } from './http/responses.ts';
import { createRouter } from './http/router.ts';
import { SandboxError } from './http/sandbox-error.ts';
import { operations } from './operations.ts';
import { diagnoseSignature } from './request-log/diagnosis.ts';
import type { OpenRequest } from './request-log/request-log.ts';
import type { SandboxWorld } from './world.ts';

const matchEndpoint = createRouter(endpoints);
const matchControlCall = createRouter(controlCalls);
const matchDocument = createRouter({ openApi: { method: 'GET', path: '/openapi.json' } });

/** Answers one request. What it changed is kept before it is answered; where that fails, nothing is answered but that. */
export async function answerRequest(
  request: Request,
  world: SandboxWorld,
  control: SandboxControl,
): Promise<Answer | BrokenOff> {
  const entry = isCall(request, world.settings.basePath) ? world.requestLog.open(request) : undefined;
  const made = await route(request, world, control, entry).catch(answerError);
  const answer = await world.journal.commit().then(() => made, answerError);
  entry?.close(answer);
  return answer;
}

/** What somebody may have meant for an endpoint, also below another base path. */
function isCall({ url }: Request, basePath: string): boolean {
  const { pathname } = new URL(url);
  return /\/v1(\/|$)/i.test(pathname) && !pathname.startsWith(`${basePath}/_sandbox/`);
}

async function route(
  request: Request,
  world: SandboxWorld,
  control: SandboxControl,
  entry: OpenRequest | undefined,
): Promise<Answer | BrokenOff> {
  const { pathname } = new URL(request.url);
  const { basePath } = world.settings;
  if (!pathname.startsWith(`${basePath}/`)) {
    throw new SandboxError(
      'route_not_found',
      `Nothing is at ${pathname}; all paths begin with ${basePath}/.`,
    );
  }
  const path = pathname.slice(basePath.length);
  if (path.startsWith('/_sandbox/')) return answerControlCall(request, path, control);
  if (path === '/openapi.json') return answerDocument(request, path, world);
  return answerEndpoint(request, path, world, entry);
}

async function answerDocument(request: Request, path: string, { settings }: SandboxWorld): Promise<Answer> {
  const match = matchDocument(request.method, path);
  if (match.name === undefined) return { status: 204, headers: { allow: match.allow } };
  // Loaded when somebody asks: nothing else needs what writes schemas as JSON Schema.
  const { createOpenApi } = await import('./open-api/open-api.ts');
  return { status: 200, body: createOpenApi(settings) };
}

async function answerEndpoint(
  request: Request,
  path: string,
  world: SandboxWorld,
  entry: OpenRequest | undefined,
): Promise<Answer | BrokenOff> {
  const match = matchEndpoint(request.method, path);
  if (match.name === undefined) return { status: 204, headers: { allow: match.allow } };
  const operation = match.name;
  entry?.note({ operation });
  const faulty = {
    operation,
    signal: request.signal,
    onFault: (fault: string) => entry?.note({ fault }),
  };
  return answerWithFaults(faulty, world, () =>
    answerOperation(request, { path, operation, parameters: match.parameters }, world, entry),
  );
}

type MatchedOperation = { path: string; operation: Operation; parameters: Readonly<Record<string, string>> };

async function answerOperation(
  request: Request,
  { path, operation, parameters }: MatchedOperation,
  world: SandboxWorld,
  entry: OpenRequest | undefined,
): Promise<Answer> {
  const { settings, clock } = world;
  const endpoint: Endpoint = endpoints[operation];
  const bodyText = await readBodyText(request);
  entry?.note({ requestBody: bodyText ?? null });
  const signed = { request, path, bodyText, nowMs: clock.now() };
  await checkAuthorization(signed, endpoint, settings).catch(async (error: unknown) => {
    if (isSignatureRefusal(error)) entry?.note({ signature: await diagnoseSignature(signed, settings) });
    throw error;
  });
  const input = {
    parameters,
    query: checkQuery(endpoint, new URL(request.url).searchParams, settings),
    body: endpoint.request && checkBody(endpoint, parseBody(request, bodyText), settings),
  };
  // The router and the schemas have checked what each handler's type asks for.
  const answer: unknown = operations[operation](input as never, world);
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
  throw new SandboxError(
    'cross_site_refused',
    'Control calls are not open to pages of other sites; call them from a server.',
  );
}
