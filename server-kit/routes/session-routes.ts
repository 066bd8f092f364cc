import {
  CheckoutError,
  contractHeaders,
  maxWaitSeconds,
  type PaymentView,
  type Session,
} from '../../src/contract/index.ts';
import type { PlainRequest, PlainResponse } from '../http/plain-http.ts';
import { type Order, type OrderInput, parseOrder } from '../payments/order.ts';
import { toOrderView } from '../payments/order-view.ts';
import { isSettled } from '../payments/outcome.ts';
import { etagOf, type OpenedRecord } from '../payments/payment-view.ts';
import type { ClientSecretClaims, ClientSecrets } from '../sessions/client-secret.ts';
import type { OpenedSession, Sessions } from '../sessions/sessions.ts';
import { bearerToken } from './access/bearer-token.ts';
import type { Origins } from './access/cors.ts';
import type { RequestLimits } from './access/request-limits.ts';
import { readBody } from './body.ts';
import { type Hold, type LongPollOptions, pollPayment } from './long-poll.ts';
import { commonHeaders } from './responses.ts';

/** Expired and settled payments rarely change. */
const rarePollMs = 15_000;

/** The least pause of a browser whose response could not be held as requested; up to twice this, to spread them. */
const crowdedPollMs = 5000;

export type SessionRoutesOptions = LongPollOptions & {
  /** The local clock decides when a secret expires: no response of the service can end one. */
  now: () => number;
  /** From 0 up to, not including, 1. */
  random: () => number;
  secrets: ClientSecrets;
  origins: Origins;
  limits: RequestLimits;
  serviceNow: () => number;
  verificationIntervalMs: number;
  /** The merchant's own: authorises the request, and returns the order to pay. */
  createPayment: (request: CreatePaymentRequest) => OrderInput | Promise<OrderInput>;
  sessions: Sessions;
};

/** The part of a browser's request that the merchant's `createPayment` gets. */
export type CreatePaymentRequest = {
  /** The JSON that the page sent: the widget's `body` option. Anybody can send anything. */
  body: unknown;
  headers: Headers;
  /** Aborts when the browser has gone. */
  signal: AbortSignal;
};

/** `POST …/sessions`: 201 with a session, 200 if the order had one. */
export const postSession = (options: SessionRoutesOptions, request: PlainRequest): Promise<PlainResponse> =>
  postOrder(options, request, options.sessions.open);

/** `POST …/links`: 201 with a link, 200 if the order had a payment. */
export const postLink = (options: SessionRoutesOptions, request: PlainRequest): Promise<PlainResponse> =>
  postOrder(options, request, options.sessions.openLink);

async function postOrder(
  options: SessionRoutesOptions,
  request: PlainRequest,
  open: (order: Order) => Promise<OpenedSession<Session>>,
): Promise<PlainResponse> {
  const { origins, limits } = options;
  if (!origins.isAllowed(request.header('origin'), request.url)) {
    throw new CheckoutError(
      'origin_not_allowed',
      'Payments are made from the pages of the shop only; check publicUrl and allowedOrigins.',
    );
  }
  await limits.take('sessionsPerClient', limits.clientOf(request));
  const { record, records, session, created } = await open(await readOrder(options, request));
  return sessionResponse(options, record, {
    status: created ? 201 : 200,
    body: session,
    etag: await etagOf(toOrderView(records, record)),
    hold: 'notRequested',
  });
}

/** Asks the merchant which order the request may pay. */
async function readOrder(options: SessionRoutesOptions, request: PlainRequest): Promise<Order> {
  const body = await readJson(options, request);
  const { signal } = request;
  const input = await options.createPayment({ body, headers: request.headers(), signal });
  const order = parseOrder(input, 'What createPayment returned');
  await options.limits.take('sessionsPerOrder', order.orderId);
  return order;
}

/** Accepts only JSON: another site can post a form without a preflight request, but not JSON (Fetch standard). */
async function readJson({ wait }: SessionRoutesOptions, request: PlainRequest): Promise<unknown> {
  const mediaType = request.header('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (mediaType !== 'application/json') {
    throw new CheckoutError('unsupported_media_type', 'Send JSON, with Content-Type: application/json.');
  }
  const text = await readBody(request, wait);
  try {
    return JSON.parse(text);
  } catch {
    // Without the cause: a SyntaxError quotes the text, which may name the shopper.
    const hint = text === '' ? 'is empty; mount the checkout before any body parser' : 'is not JSON';
    throw new CheckoutError('invalid_request', `The body ${hint}.`);
  }
}

/** `GET …/sessions/{reference}`: 200 with the view, or 304. */
export async function getSession(
  options: SessionRoutesOptions,
  request: PlainRequest,
  reference: string,
): Promise<PlainResponse> {
  const { limits, secrets, now } = options;
  const client = limits.clientOf(request);
  await limits.take('readsPerClient', client);
  const claims = await secrets.verify(bearerToken(request), reference, now());
  if (claims === undefined) {
    await limits.take('failuresPerClient', client);
    throw unauthorized();
  }
  // Only now: without the secret, nobody may use up the shopper's own requests.
  await limits.take('readsPerPayment', reference);
  const ifNoneMatch = request.header('if-none-match');
  const waitSeconds = ifNoneMatch === undefined ? 0 : preferredWaitSeconds(request.header('prefer'));
  const { signal } = request;
  const waitMs = waitSeconds * 1000;
  const polled = await pollPayment(options, { reference, client, ifNoneMatch, waitMs, signal });
  if (polled === undefined || !isOfMode(polled.record, claims)) throw unauthorized();
  const { deciding, view, etag, isNew, hold } = polled;
  return sessionResponse(options, deciding, {
    status: isNew ? 200 : 304,
    body: isNew ? view : undefined,
    etag,
    hold,
  });
}

/** The mode of a link may turn out to be another than its secret says. */
const isOfMode = ({ opened }: OpenedRecord, { liveMode }: ClientSecretClaims): boolean =>
  opened.liveMode === liveMode || opened.link?.isModeAssumed === true;

const unauthorized = (): CheckoutError =>
  new CheckoutError(
    'session_unauthorized',
    'The client secret is missing, wrong or too old; ask the server for the session again.',
  );

/** Parses `Prefer: wait=N` (RFC 7240, section 4.3), in seconds, up to the contract's maximum. */
function preferredWaitSeconds(prefer: string | undefined): number {
  const seconds = /(?:^|[,;])\s*wait\s*=\s*"?(\d{1,6})"?\s*(?:[,;]|$)/i.exec(prefer ?? '')?.[1];
  return Math.min(Number(seconds ?? 0), maxWaitSeconds);
}

type SessionResponse = { status: number; body: PaymentView | Session | undefined; etag: string; hold: Hold };

function sessionResponse(
  options: SessionRoutesOptions,
  record: OpenedRecord,
  { status, body, etag, hold }: SessionResponse,
): PlainResponse {
  const wasHeld = hold === 'held' || hold === 'cutShort';
  const headers = {
    ...commonHeaders,
    etag,
    [contractHeaders.serviceTime]: String(Math.round(options.serviceNow())),
    [contractHeaders.nextPoll]: String(Math.round(nextPollMs(options, record, hold))),
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(wasHeld && { 'preference-applied': 'wait' }),
  };
  return { status, headers, body: body && JSON.stringify(body) };
}

/** A browser whose request was held may poll again at once; the others keep the pace of our verifications. */
function nextPollMs(
  { verificationIntervalMs, random }: SessionRoutesOptions,
  record: OpenedRecord,
  hold: Hold,
): number {
  if (record.outcome === 'expired') return rarePollMs;
  if (hold === 'held') return 0;
  if (isSettled(record)) return rarePollMs;
  return hold === 'notRequested' ? verificationIntervalMs : crowdedPollMs * (1 + random());
}
