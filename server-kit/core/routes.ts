import type { PaymentPreference, PaymentView, Session } from '../../src/contract/index.ts';
import {
  CheckoutError,
  contractHeaders,
  contractVersion,
  maxWaitSeconds,
  parseStoredPaymentsToken,
} from '../../src/contract/index.ts';
import type { PaymentsClient } from './client.ts';
import { toCheckoutError } from './errors.ts';
import type { FetchHandler, PlainHandler, PlainRequest, PlainResponse } from './http.ts';
import * as http from './http.ts';
import { type ClientSecrets, resemblesClientSecret } from './secrets.ts';
import { signatureHeaders } from './signature.ts';
import type { Wait } from './time.ts';

/** A page's request for the payment of its order. */
export type PageRequest = {
  /** `link`: the page wants a payment page of the service instead of an account. */
  kind: 'account' | 'link';
  /** The JSON that the page sent: the widget's `body` option. Anybody can send anything. */
  body: unknown;
  /** Without the secrets of the widget. Any other `Authorization` is left in place. */
  headers: Headers;
  /** `new`: the shopper wants another account, because the payment has ended. `existing`: a payment must not be opened. */
  preference: PaymentPreference | undefined;
  /** The references of the payments that the browser has stored, the last used first. */
  named: readonly string[];
  /** Those of them whose secrets are right and have not expired. */
  proven: readonly string[];
  request: PlainRequest;
};

/** A page's poll for a payment whose secret it has. */
export type PollRequest = {
  reference: string;
  /** The mode of the secret. */
  liveMode: boolean;
  /** Whether the page has this view already. */
  isKnown: (view: PaymentView) => Promise<boolean>;
  /** How long to hold the response until the view is new; 0 for not at all. */
  waitMs: number;
  request: PlainRequest;
};

/** `wasHeld`: the response was held as requested. */
export type PageResponse = { view: PaymentView; nextPollMs: number; wasHeld?: boolean };
export type SignedCallback = {
  rawBody: string;
  signature: string | undefined;
  timestamp: string | undefined;
  request: PlainRequest;
};

/** What the routes ask: the engine, or a shop that stores its own payments. */
export type PaymentSource = {
  /** Finds or opens the payment of the page's order. `more` is added to its session. */
  open: (request: PageRequest) => Promise<PageResponse & { isNew?: boolean; more?: Partial<Session> }>;
  /** Returns the view of a payment; `undefined` if there is none, or none of this mode. */
  read: (request: PollRequest) => Promise<PageResponse | undefined>;
  /** Receives a callback. Throws a `SignatureError` for one that the service has not signed. */
  receiveCallback?: (callback: SignedCallback) => Promise<void>;
};

type SessionRoutesOptions = {
  source: PaymentSource;
  client: Pick<PaymentsClient, 'serviceNow'>;
  secrets: ClientSecrets;
  now: () => number;
  wait: Wait;
};

/** A route below the path where the handler is mounted. `isForPages`: pages call it, including those of other origins. */
export type Route = { method: 'GET' | 'POST'; isForPages: boolean; respond: PlainHandler };

/** Creates the routes of the widget and of the service, named by the end of their paths. */
export function createSessionRoutes(options: SessionRoutesOptions): Record<string, Route> {
  const post = { method: 'POST', isForPages: true } as const;
  return {
    sessions: { ...post, respond: postSession(options, 'account') },
    links: { ...post, respond: postSession(options, 'link') },
    'sessions/{reference}': { method: 'GET', isForPages: true, respond: getSession(options) },
    ...(options.source.receiveCallback && {
      callbacks: { method: 'POST', isForPages: false, respond: postCallback(options) },
    }),
  };
}

const postSession =
  (options: SessionRoutesOptions, kind: PageRequest['kind']) => async (request: PlainRequest) => {
    const { source, secrets, now, wait } = options;
    const body = await http.readJson(request, wait);
    const token = parseStoredPaymentsToken(secretOf(request));
    const stored = token.filter(({ clientSecret }) => resemblesClientSecret(clientSecret));
    const proofs = await Promise.all(
      stored.map((one) => secrets.verify(one.clientSecret, one.reference, now())),
    );
    // A copy, because the headers of a web `Request` are the caller's.
    const headers = new Headers(request.headers());
    if (stored.length > 0 && !headers.get(contractHeaders.secret)) headers.delete('authorization');
    headers.delete(contractHeaders.secret);
    const named = stored.map(({ reference }) => reference);
    const proven = named.filter((_, index) => proofs[index] !== undefined);
    const preference = http.preferOf(request, 'payment', 'new|existing') as PaymentPreference | undefined;
    const opened = await source.open({ kind, body, headers, preference, named, proven, request });
    const clientSecret = await secrets.issue(opened.view);
    const session = { ...opened.view, clientSecret, ...opened.more };
    return http.respond(opened.isNew ? 201 : 200, session, await viewHeaders(options, opened));
  };

const getSession = (options: SessionRoutesOptions) => async (request: PlainRequest) => {
  const { source, secrets, now } = options;
  const reference = http.decodeSegment(http.lastSegments(request.url)[0]);
  const ifNoneMatch = request.header('if-none-match');
  const secret = secretOf(request);
  const claims = await secrets.verify(secret, reference, now());
  const isKnown = async (view: PaymentView) => http.matchesEtag(ifNoneMatch, await http.etagOf(view));
  const waitMs = ifNoneMatch === undefined ? 0 : waitMsOf(request);
  const read = claims && (await source.read({ ...claims, isKnown, waitMs, request }));
  if (read === undefined) {
    const missing = 'is missing: the header Checkout-Secret did not arrive. A proxy may remove it.';
    const wrong = 'is wrong or too old, or the payment is gone; ask the server for the session again.';
    const message = `The client secret ${secret === '' ? missing : wrong}`;
    throw new CheckoutError('session_unauthorized', message);
  }
  const headers = await viewHeaders(options, read);
  if (await isKnown(read.view)) return http.respond(304, undefined, headers);
  return http.respond(200, read.view, headers);
};

const postCallback =
  ({ source, wait }: SessionRoutesOptions) =>
  async (request: PlainRequest) => {
    const rawBody = await http.readBody(request, wait);
    const signature = request.header(signatureHeaders.signature);
    const timestamp = request.header(signatureHeaders.timestamp);
    await source.receiveCallback?.({ rawBody, signature, timestamp, request });
    return http.respond(204);
  };

const viewHeaders = async ({ client }: SessionRoutesOptions, page: PageResponse) => ({
  etag: await http.etagOf(page.view),
  [contractHeaders.serviceTime]: String(Math.round(client.serviceNow())),
  [contractHeaders.nextPoll]: String(Math.round(page.nextPollMs)),
  ...(page.wasHeld && { 'preference-applied': 'wait' }),
});

/** Returns the bearer token (RFC 6750, section 2.1), or an empty string. */
export const bearerToken = ({ header }: PlainRequest): string =>
  /^Bearer +([\w.~+/-]+=*)$/i.exec(header('authorization') ?? '')?.[1] ?? '';
/** Returns the client secret, or the stored payments, of a page. Older widgets send them as a bearer token. */
export const secretOf = (request: PlainRequest): string =>
  request.header(contractHeaders.secret) || bearerToken(request);

const waitMsOf = (request: PlainRequest): number =>
  Math.min(Number(http.preferOf(request, 'wait', '\\d{1,6}') ?? 0), maxWaitSeconds) * 1000;

type RouterOptions = {
  /** Returns the CORS headers of a response, and, for `method`, of a preflight request; `undefined` refuses the latter. */
  corsHeaders?: (origin: string | undefined, method?: string) => Record<string, string> | undefined;
  /** Called before a route; may throw a refusal. What it returns is called after the route, unless that has failed. */
  guard?: ((route: Route, request: PlainRequest) => () => void) | undefined;
  /** Called with each error that a caller gets, for the log. */
  onRefusal?: (refusal: CheckoutError, route: string, request: PlainRequest, error: unknown) => void;
};

/** Creates the handler of routes, mounted at any path: the end of the path selects the route. */
export function createRouter(
  routes: Record<string, Route>,
  { corsHeaders = () => http.exposeHeaders, guard, onRefusal }: RouterOptions = {},
): { respond: PlainHandler; handler: FetchHandler } {
  const respond: PlainHandler = async (request) => {
    const name = findRoute(routes, request);
    const route = routes[name];
    let response: PlainResponse;
    try {
      if (route === undefined) throw notFound(routes, request);
      response = await respondTo(route, request, { corsHeaders, guard });
    } catch (error) {
      const refusal = toCheckoutError(error);
      onRefusal?.(refusal, name, request, error);
      response = http.toProblem(refusal);
      if (response.status === 405) response.headers.allow = route?.method ?? '';
    }
    return { ...response, headers: { ...corsHeaders(request.header('origin')), ...response.headers } };
  };
  return { respond, handler: http.toFetchHandler(respond) };
}

const notFound = (routes: Record<string, Route>, { url }: PlainRequest) => {
  const ends = Object.keys(routes).join(', /');
  return new CheckoutError('not_found', `There is nothing at ${url.pathname}; the routes end in /${ends}.`);
};

async function respondTo(route: Route, request: PlainRequest, { corsHeaders, guard }: RouterOptions) {
  const { method, header } = request;
  if (method === 'OPTIONS' && route.isForPages && header('access-control-request-method') !== undefined) {
    const headers = corsHeaders?.(header('origin'), route.method);
    if (headers !== undefined) return http.respond(204, undefined, headers);
    const message = 'Pages of this origin are not allowed; see allowedOrigins.';
    throw new CheckoutError('origin_not_allowed', message);
  }
  // A request without the header counts as version 1, the first.
  const version = header(contractHeaders.version) ?? '1';
  if (version !== String(contractVersion)) {
    const message = `This server speaks contract ${contractVersion}, the page requested ${version}; update the older of the two.`;
    throw new CheckoutError('contract_unsupported', message);
  }
  // Monitors use HEAD (RFC 9110, section 9.3.2), but the response of a poll may be held.
  const isHead = method === 'HEAD' && route.method === 'GET' && !route.isForPages;
  if (method !== route.method && !isHead)
    throw new CheckoutError('method_not_allowed', `${method} is not possible here; use ${route.method}.`);
  const done = guard?.(route, request);
  const response = await route.respond(request);
  done?.();
  return response;
}

/** The path of the mount may itself end in `sessions` or `orders`, so a POST, and for operators a name, go by the last segment. */
function findRoute(routes: Record<string, Route>, { method, url, header }: PlainRequest): string {
  const [last, beforeLast] = http.lastSegments(url);
  const requested = method === 'OPTIONS' ? header('access-control-request-method') : method;
  const pattern = Object.keys(routes).find((path) => path.startsWith(`${beforeLast}/{`));
  const isForOperators = pattern !== undefined && routes[pattern]?.isForPages === false;
  const isFirst = requested === 'POST' || pattern === undefined || isForOperators;
  const isNamed = Object.hasOwn(routes, last) && isFirst;
  return isNamed ? last : (pattern ?? last);
}
