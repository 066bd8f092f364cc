import { convertAmounts, toWireAmount } from '../../api/amount-unit.ts';
import { type Endpoint, endpoints, type Operation } from '../../api/endpoints.ts';
import { isSameOrigin } from '../../http/same-origin.ts';
import { controlCalls, type SandboxControl } from '../control/control.ts';
import type { ControlCall } from '../control/control-call.ts';
import { SandboxError } from '../errors/sandbox-error.ts';
import { operations } from '../operations/operations.ts';
import { compareSignature } from '../request-log/diagnosis.ts';
import type { OpenRequest } from '../request-log/request-log.ts';
import type { SandboxWorld } from '../world/world.ts';
import { answerPageCall, pageCalls } from './checkout-page.ts';
import { answerWithFaults } from './injected-faults.ts';
import { parseBody, readBodyText } from './request-body.ts';
import { checkAuthorization, checkBody, checkQuery, isSignatureRefusal } from './request-checks.ts';
import { type Answer, answerError, type BrokenOff } from './responses.ts';
import { createRouter } from './router.ts';

const matchRoute = createRouter({
  ...endpoints,
  ...controlCalls,
  ...pageCalls,
  openApi: { method: 'GET', path: '/openapi.json' },
});

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
  const { basePath, publicUrl } = world.settings;
  if (!pathname.startsWith(`${basePath}/`)) {
    throw new SandboxError(
      'route_not_found',
      `Nothing is at ${pathname}; all paths begin with ${basePath}/.`,
    );
  }
  const path = pathname.slice(basePath.length);
  const match = matchRoute(request.method, path);
  if (match.name === undefined) return { status: 204, headers: { allow: match.allow } };
  const { name, parameters } = match;
  if (name === 'openApi') return answerDocument(world);
  if (isPageCall(name)) {
    refuseOtherSites(request, publicUrl);
    return answerPageCall(name, parameters, request, world);
  }
  if (!isOperation(name)) {
    return answerControlCall(request, controlCalls[name], parameters, { control, publicUrl });
  }
  return answerEndpoint(request, { path, operation: name, parameters }, world, entry);
}

const isPageCall = (name: string): name is keyof typeof pageCalls => Object.hasOwn(pageCalls, name);

const isOperation = (name: string): name is Operation => Object.hasOwn(endpoints, name);

async function answerDocument({ settings }: SandboxWorld): Promise<Answer> {
  // Loaded when somebody asks: nothing else needs what writes schemas as JSON Schema.
  const { createOpenApi } = await import('../open-api/open-api.ts');
  return { status: 200, body: createOpenApi(settings) };
}

type MatchedOperation = { path: string; operation: Operation; parameters: Readonly<Record<string, string>> };

async function answerEndpoint(
  request: Request,
  matched: MatchedOperation,
  world: SandboxWorld,
  entry: OpenRequest | undefined,
): Promise<Answer | BrokenOff> {
  const { operation } = matched;
  entry?.note({ operation });
  const answer = (): Promise<Answer> => answerOperation(request, matched, world, entry);
  // A look ahead must not use up what was meant for the request that follows.
  if (request.method === 'HEAD') return answer();
  const faulty = {
    operation,
    signal: request.signal,
    onFault: (fault: string) => entry?.note({ fault }),
  };
  return answerWithFaults(faulty, world, answer);
}

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
    const findings = isSignatureRefusal(error) ? await compareSignature(signed, settings) : undefined;
    if (findings !== undefined) entry?.noteSignature(findings);
    throw error;
  });
  const input = {
    parameters,
    query: checkQuery(endpoint, new URL(request.url).searchParams, settings),
    body: checkBody(endpoint, signed, settings),
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

async function answerControlCall(
  request: Request,
  { request: schema, answer }: ControlCall<SandboxControl>,
  parameters: Readonly<Record<string, string>>,
  { control, publicUrl }: { control: SandboxControl; publicUrl: string },
): Promise<Answer> {
  refuseOtherSites(request, publicUrl);
  const body = schema && parseBody(request, await readBodyText(request));
  return { status: 200, body: answer(control, parameters, body) };
}

/** A page of another site must not move money here, even where its request needs no preflight. */
function refuseOtherSites({ headers, url }: Request, publicUrl: string): void {
  const isSame = isSameOrigin(headers.get('origin') ?? undefined, new URL(url), new URL(publicUrl));
  if (isSame && headers.get('sec-fetch-site') !== 'cross-site') return;
  throw new SandboxError(
    'cross_site_refused',
    'Control calls are not open to pages of other sites; call them from a server.',
  );
}
