import { convertAmounts, toWireAmount } from '../api/amount-unit.ts';
import { type Endpoint, endpoints } from '../api/endpoints.ts';
import { createClock } from './clock.ts';
import { createControl, type SandboxControl } from './control.ts';
import { type ControlCall, controlCalls } from './control-calls.ts';
import { operations, type SandboxWorld } from './operations.ts';
import { readOptions, type SandboxOptions } from './options.ts';
import { parseBody, readBodyText } from './request-body.ts';
import { checkApiKey, checkBody, checkSignature } from './request-checks.ts';
import { type Answer, answerError, toResponse } from './responses.ts';
import { createRouter } from './router.ts';
import { notFound, SandboxError } from './sandbox-error.ts';
import { createMint, createState } from './state.ts';

export type {
  ClockInput,
  ClockReading,
  PaymentUpdateInput,
  SandboxControl,
  TransferInput,
  TransferResult,
} from './control.ts';
export { type ControlCall, controlCalls } from './control-calls.ts';
export { isValidAccountNumber, mintAccountNumber } from './nuban.ts';
export type { SandboxOptions } from './options.ts';
export type { ControlPayment, ControlTransfer } from './payment-views.ts';
export { SandboxError } from './sandbox-error.ts';
export { paymentTransitions } from './sandbox-payment.ts';

/** The payments service, whole, in this process. */
export type Sandbox = {
  /**
   * Answers one request. Give it to `createPaymentsClient` as `fetch`, or serve it. Every refusal is an answer with
   * the error envelope; only what `fetch` itself rejects (no absolute URL, an aborted signal) is thrown.
   */
  fetch: (input: Request | string | URL, init?: RequestInit) => Promise<Response>;
  /** What the control calls do, for tests in the same process. */
  control: SandboxControl;
  /** The sandbox's clock, in milliseconds since the epoch. */
  now: () => number;
};

const matchEndpoint = createRouter(endpoints);
const matchControlCall = createRouter(controlCalls);

/**
 * Makes a sandbox with its own records and its own clock. Nothing in it ticks: what a payment is follows from its
 * records and the time.
 *
 * @throws {TypeError} for wrong options
 */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  const settings = readOptions(options);
  const clock = createClock(settings.now);
  const state = createState();
  const mint = createMint(settings.random, settings.bank.code, state);
  const world: SandboxWorld = { settings, clock, state, mint };
  const control = createControl(world);
  return {
    control,
    now: clock.now,
    async fetch(input, init) {
      const request = input instanceof Request && init === undefined ? input : new Request(input, init);
      request.signal.throwIfAborted();
      const answer = await answerRequest(request, world, control).catch(answerError);
      return toResponse(answer, request.method, clock.now());
    },
  };
}

async function answerRequest(
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
  return path.startsWith('/_sandbox/')
    ? answerControlCall(request, path, control)
    : answerEndpoint(request, path, world);
}

async function answerEndpoint(request: Request, path: string, world: SandboxWorld): Promise<Answer> {
  const { settings, clock } = world;
  const match = matchEndpoint(request.method, path);
  if (match.name === undefined) return { status: 204, headers: { allow: match.allow } };
  const endpoint: Endpoint = endpoints[match.name];
  const bodyText = await readBodyText(request);
  checkApiKey(request, settings.apiKey);
  await checkSignature({ request, path, bodyText, nowMs: clock.now() }, settings);
  const unit = settings.dialect.amountUnit;
  const body = endpoint.request && checkBody(endpoint, parseBody(request, bodyText), unit);
  const input = { parameters: match.parameters, body };
  // The router and the schema have checked what each handler's type asks for.
  const answer: unknown = operations[match.name](input as never, world);
  return {
    status: endpoint.successStatus,
    body: convertAmounts(answer, endpoint.amounts.response, (amount) => toWireAmount(amount, unit)),
  };
}

async function answerControlCall(request: Request, path: string, control: SandboxControl): Promise<Answer> {
  const match = matchControlCall(request.method, path);
  if (match.name === undefined) return { status: 204, headers: { allow: match.allow } };
  refuseOtherSites(request);
  const call: ControlCall = controlCalls[match.name];
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
