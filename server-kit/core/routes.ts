import {
  CheckoutError,
  contractHeaders,
  contractVersion,
  maxWaitSeconds,
  type PaymentPreference,
  type PaymentView,
  parseStoredPaymentsToken,
  type Session,
} from '../../src/contract/index.ts';
import type { PaymentsClient } from './client.ts';
import { PaymentsError, toCheckoutError } from './errors.ts';
import {
  etagOf,
  exposedHeaders,
  type FetchHandler,
  matchesEtag,
  type PlainHandler,
  type PlainRequest,
  type PlainResponse,
  readBody,
  readJson,
  respond,
  toFetchHandler,
  toProblem,
  toRefusal,
} from './http.ts';
import type { ClientSecrets } from './secrets.ts';
import { resemblesClientSecret } from './secrets.ts';
import { SignatureError, signatureHeaders } from './signature.ts';
import type { Wait } from './time.ts';

/** A page's request for the payment of its order. */
export type PageRequest = {
  /** `link`: the page wants a payment page of the service instead of an account. */
  kind: 'account' | 'link';
  /** The JSON that the page sent: the widget's `body` option. Anybody can send anything. */
  body: unknown;
  /** Without the secrets of the widget. */
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
  /** Whether the page has this view already. */
  isKnown: (view: PaymentView) => Promise<boolean>;
  /** How long to hold the response until the view is new, in milliseconds; 0 for not at all. */
  waitMs: number;
  request: PlainRequest;
};

/** What a page gets. `wasHeld`: the response was held as requested. */
export type PageResponse = { view: PaymentView; nextPollMs: number; wasHeld?: boolean };

export type SignedCallback = {
  rawBody: string;
  signature: string | undefined;
  timestamp: string | undefined;
  request: PlainRequest;
};

/** What the routes ask: the engine, or a shop that stores its own payments. */
export type PaymentSource = {
  /** Finds or opens the payment of the page's order. `more` is added to the session. */
  open: (request: PageRequest) => Promise<PageResponse & { isNew?: boolean; more?: Partial<Session> }>;
  /** Returns the view of a payment; `undefined` if there is none, or none of this mode. */
  read: (request: PollRequest, liveMode: boolean) => Promise<PageResponse | undefined>;
  /** Receives a callback. @throws {SignatureError} for one that the service has not signed */
  receiveCallback?: (callback: SignedCallback) => Promise<void>;
};

export type RoutesOptions = {
  source: PaymentSource;
  client: Pick<PaymentsClient, 'serviceNow'>;
  secrets: ClientSecrets;
  /** How long a secret outlives the account of its payment. */
  secretLifetimeSeconds: number;
  now: () => number;
  wait: Wait;
};

/** One route below the path at which the handler is mounted. */
export type Route = {
  method: 'GET' | 'POST';
  /** Whether pages call it, including those of other origins. */
  isForPages: boolean;
  respond: (request: PlainRequest) => Promise<PlainResponse>;
};

/** The routes of the widget and of the service, by the end of their paths. */
export function createSessionRoutes(options: RoutesOptions): Record<string, Route> {
  const { source } = options;
  const open = (kind: PageRequest['kind']): Route => ({
    method: 'POST',
    isForPages: true,
    respond: (request) => postSession(options, kind, request),
  });
  return {
    sessions: open('account'),
    links: open('link'),
    'sessions/{reference}': {
      method: 'GET',
      isForPages: true,
      respond: (request) => getSession(options, request),
    },
    ...(source.receiveCallback && {
      callbacks: { method: 'POST', isForPages: false, respond: (request) => postCallback(options, request) },
    }),
  };
}

async function postSession(options: RoutesOptions, kind: PageRequest['kind'], request: PlainRequest) {
  const { source, secrets, now, wait, secretLifetimeSeconds } = options;
  const body = await readJson(request, wait);
  const stored = parseStoredPaymentsToken(secretOf(request)).filter((one) =>
    resemblesClientSecret(one.clientSecret),
  );
  const proofs = await Promise.all(
    stored.map((one) => secrets.verify(one.clientSecret, one.reference, now())),
  );
  const named = stored.map(({ reference }) => reference);
  const proven = named.filter((_, index) => proofs[index] !== undefined);
  const headers = withoutSecrets(request, named.length > 0);
  const opened = await source.open({
    kind,
    body,
    headers,
    preference: preferenceOf(request),
    named,
    proven,
    request,
  });
  const { view, isNew = false, more } = opened;
  const { reference, liveMode, expiresAt } = view;
  const expiresAtSeconds = Math.floor(Date.parse(expiresAt) / 1000) + secretLifetimeSeconds;
  const clientSecret = await secrets.issue({ reference, liveMode, expiresAtSeconds });
  return respond(isNew ? 201 : 200, { ...view, clientSecret, ...more }, await headersOf(options, opened));
}

async function getSession(options: RoutesOptions, request: PlainRequest): Promise<PlainResponse> {
  const { source, secrets, now } = options;
  const reference = decode(lastSegments(request.url)[0]);
  const ifNoneMatch = request.header('if-none-match');
  const claims = await secrets.verify(secretOf(request), reference, now());
  const isKnown = async (view: PaymentView): Promise<boolean> => matchesEtag(ifNoneMatch, await etagOf(view));
  const waitMs = ifNoneMatch === undefined ? 0 : waitMsOf(request);
  const read = claims && (await source.read({ reference, isKnown, waitMs, request }, claims.liveMode));
  if (read === undefined) throw new CheckoutError('session_unauthorized', secretAdvice(request));
  const headers = await headersOf(options, read);
  return (await isKnown(read.view)) ? respond(304, undefined, headers) : respond(200, read.view, headers);
}

const secretAdvice = (request: PlainRequest): string =>
  secretOf(request) === ''
    ? `The header ${contractHeaders.secret} did not arrive; check whether a proxy removes it.`
    : 'The client secret is wrong or too old, or the payment is gone; ask for the session again.';

async function postCallback({ source, wait }: RoutesOptions, request: PlainRequest): Promise<PlainResponse> {
  const [signature, timestamp] = [signatureHeaders.signature, signatureHeaders.timestamp].map(request.header);
  const rawBody = await readBody(request, wait);
  await source.receiveCallback?.({ rawBody, signature, timestamp, request }).catch((cause: unknown) => {
    if (!(cause instanceof SignatureError)) throw cause;
    throw new CheckoutError('callback_unauthorized', cause.message, { cause });
  });
  return respond(204);
}

async function headersOf({ client }: RoutesOptions, { view, nextPollMs, wasHeld }: PageResponse) {
  return {
    etag: await etagOf(view),
    [contractHeaders.serviceTime]: String(Math.round(client.serviceNow())),
    [contractHeaders.nextPoll]: String(Math.round(nextPollMs)),
    ...(wasHeld && { 'preference-applied': 'wait' }),
  };
}

/** Returns the client secret, or the stored payments, that a page sends. Older widgets send it as a bearer token (RFC 6750). */
export const secretOf = ({ header }: PlainRequest): string =>
  header(contractHeaders.secret) ??
  /^Bearer +([\w.~+/-]+=*)$/i.exec(header('authorization') ?? '')?.[1] ??
  '';

/** Returns the headers for the merchant's own code: without the secrets, in a copy, because those of a web `Request` are the caller's. */
function withoutSecrets(request: PlainRequest, isBearerOurs: boolean): Headers {
  const headers = new Headers(request.headers());
  if (isBearerOurs && !headers.has(contractHeaders.secret)) headers.delete('authorization');
  headers.delete(contractHeaders.secret);
  return headers;
}

/** Parses `Prefer: payment=new` or `existing`, also beside other preferences (RFC 7240, section 2). */
function preferenceOf({ header }: PlainRequest): PaymentPreference | undefined {
  const [, value] =
    /(?:^|,)\s*payment\s*=\s*"?(new|existing)"?\s*(?:[,;]|$)/i.exec(header('prefer') ?? '') ?? [];
  return value?.toLowerCase() as PaymentPreference | undefined;
}

/** Parses `Prefer: wait=N` (RFC 7240, section 4.3), in seconds, up to the contract's maximum. */
function waitMsOf({ header }: PlainRequest): number {
  const [, seconds = 0] =
    /(?:^|[,;])\s*wait\s*=\s*"?(\d{1,6})"?\s*(?:[,;]|$)/i.exec(header('prefer') ?? '') ?? [];
  return Math.min(Number(seconds), maxWaitSeconds) * 1000;
}

/** Returns the last two segments of a path, the last one first, as they are encoded. */
function lastSegments({ pathname }: URL): [string, string | undefined] {
  const [last = '', beforeLast] = pathname.replace(/\/$/, '').split('/').reverse();
  return [last, beforeLast];
}

/** An undecodable text is a reference that does not exist. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export type RouterOptions = {
  /** Returns the CORS headers of a response, and of a preflight request; `undefined` refuses the latter. */
  corsHeaders?: (
    origin: string | undefined,
    preflight?: Route['method'],
  ) => Record<string, string> | undefined;
  /** Called with each error that a caller gets, for the log. */
  onRefusal?: (refusal: CheckoutError, route: string, request: PlainRequest, error: unknown) => void;
};

/**
 * Creates the handler of routes. The end of the path selects the route, so it does not matter where the handler is mounted, or whether
 * a framework strips the mount path.
 */
export function createRouter(
  routes: Record<string, Route>,
  options: RouterOptions = {},
): { respond: PlainHandler; handler: FetchHandler } {
  const { corsHeaders = exposeOnly, onRefusal } = options;
  const handle: PlainHandler = async (request) => {
    const { method, url, header } = request;
    const origin = header('origin');
    const preflight = method === 'OPTIONS' ? header('access-control-request-method') : undefined;
    const path = findPath(routes, preflight ?? method, url);
    const route = routes[path];
    const withCors = ({ headers, ...response }: PlainResponse): PlainResponse => ({
      ...response,
      headers: { ...corsHeaders(origin), ...headers },
    });
    try {
      if (route === undefined) throw notFound(url, Object.keys(routes));
      if (preflight !== undefined && route.isForPages) {
        const headers = corsHeaders(origin, route.method);
        if (headers !== undefined) return respond(204, undefined, headers);
        throw new CheckoutError(
          'origin_not_allowed',
          'Pages of this origin are not allowed; see allowedOrigins.',
        );
      }
      refuseOtherContract(request);
      // Monitors use HEAD (RFC 9110, section 9.3.2). A payment is read only with GET, because the response may be held.
      if (method !== route.method && !(method === 'HEAD' && route.method === 'GET' && !route.isForPages)) {
        throw new CheckoutError('method_not_allowed', `${method} is not possible here; use ${route.method}.`);
      }
      return withCors(await route.respond(request));
    } catch (error) {
      const refusal = toRefusal(error instanceof PaymentsError ? toCheckoutError(error) : error);
      onRefusal?.(refusal, path, request, error);
      const response = toProblem(refusal);
      if (response.status === 405 && route) response.headers.allow = route.method;
      return withCors(response);
    }
  };
  return { respond: handle, handler: toFetchHandler(handle) };
}

const exposeOnly: NonNullable<RouterOptions['corsHeaders']> = () => ({
  'access-control-expose-headers': exposedHeaders,
});

/** A POST comes first, because the path of the mount may end in the name of a route, such as `sessions`. */
function findPath(routes: Record<string, Route>, method: string, url: URL): string {
  const [last, beforeLast] = lastSegments(url);
  const isPattern = Object.keys(routes).find(
    (path) => path.replace(/\/\{\w+\}$/, '') === beforeLast && path !== beforeLast,
  );
  return routes[last] !== undefined && (method === 'POST' || isPattern === undefined)
    ? last
    : (isPattern ?? last);
}

function notFound({ pathname }: URL, paths: readonly string[]): CheckoutError {
  const ends = paths.map((path) => `/${path}`).join(', ');
  return new CheckoutError('not_found', `There is nothing at ${pathname}; the routes end in ${ends}.`);
}

/** A request without the header counts as version 1, the first. */
function refuseOtherContract({ header }: PlainRequest): void {
  const version = header(contractHeaders.version) ?? '1';
  if (version === String(contractVersion)) return;
  const message = `This server speaks contract ${contractVersion}, the page requested ${version}; update the older of the two.`;
  throw new CheckoutError('contract_unsupported', message);
}
