import {
  CheckoutError,
  contractHeaders,
  maxWaitSeconds,
  type PaymentView,
  type Session,
} from '../../src/contract/index.ts';
import type { PlainRequest, PlainResponse } from '../http/plain-http.ts';
import { toOrderView } from '../payments/order-view.ts';
import { isSettled } from '../payments/outcome.ts';
import { etagOf, type OpenedRecord } from '../payments/payment-view.ts';
import type { ClientSecretClaims, ClientSecrets } from '../sessions/client-secret.ts';
import type { OrderPayment, PaymentLink } from '../sessions/session.ts';
import { bearerToken } from './access/bearer-token.ts';
import type { Origins } from './access/cors.ts';
import type { RequestLimits } from './access/request-limits.ts';
import { readBody } from './body.ts';
import { type Hold, type LongPollOptions, pollPayment } from './long-poll.ts';
import { answerHeaders } from './response-headers.ts';

/** After expiry money seldom comes, but it does. */
const expiredPollMs = 15_000;

/** Where an answer could not be held for as long as was asked, up to twice this, so that not all come back at once. */
const crowdedPollMs = 5000;

export type SessionRoutesOptions = LongPollOptions & {
  /** The local clock: it tells when a secret ends, and nothing that the service says can end one. */
  now: () => number;
  /** From 0 up to, not including, 1. */
  random: () => number;
  secrets: ClientSecrets;
  origins: Origins;
  limits: RequestLimits;
  serviceNow: () => number;
  verificationIntervalMs: number;
  /** Asks the merchant for the order of this request, and gives its session. */
  openSession: (request: OrderRequest) => Promise<OpenedOrder<Session>>;
  /** The same with a page of the service to pay on. */
  openLink: (request: OrderRequest) => Promise<OpenedOrder<PaymentLink>>;
};

type OrderRequest = { body: unknown; headers: Headers; signal: AbortSignal };
type OpenedOrder<Answer> = OrderPayment & { answer: Answer; created: boolean };

/** `POST …/sessions`: 201 with a session, 200 where the order has one. */
export const postSession = (options: SessionRoutesOptions, request: PlainRequest): Promise<PlainResponse> =>
  postOrder(options, request, options.openSession);

/** `POST …/links`: 201 with a link, 200 where the order has a payment. */
export const postLink = (options: SessionRoutesOptions, request: PlainRequest): Promise<PlainResponse> =>
  postOrder(options, request, options.openLink);

async function postOrder(
  options: SessionRoutesOptions,
  request: PlainRequest,
  open: (request: OrderRequest) => Promise<OpenedOrder<Session>>,
): Promise<PlainResponse> {
  const { origins, limits } = options;
  if (!origins.isAllowed(request.header('origin'), request.url)) {
    throw new CheckoutError(
      'origin_not_allowed',
      'Payments are made from the pages of the shop only; check publicUrl and allowedOrigins.',
    );
  }
  await limits.take('sessionsPerClient', limits.clientOf(request));
  const body = await readJson(options, request);
  const { record, records, answer, created } = await open({
    body,
    headers: request.headers(),
    signal: request.signal,
  });
  return answerJson(options, record, {
    status: created ? 201 : 200,
    body: answer,
    etag: await etagOf(toOrderView(records, record)),
    hold: 'notAsked',
  });
}

/** Only JSON: a form of another site can be sent without asking, JSON cannot (Fetch standard, CORS-safelisted types). */
async function readJson({ wait }: SessionRoutesOptions, request: PlainRequest): Promise<unknown> {
  const mediaType = request.header('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (mediaType !== 'application/json') {
    throw new CheckoutError('unsupported_media_type', 'Send JSON, with Content-Type: application/json.');
  }
  const text = await readBody(request, wait);
  try {
    return JSON.parse(text);
  } catch (cause) {
    const hint = text === '' ? 'is empty; mount the checkout before any body parser' : 'is not JSON';
    throw new CheckoutError('invalid_request', `The body ${hint}.`, { cause });
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
  // Not before: whoever knows a reference and no secret must not use up the shopper's own requests.
  await limits.take('readsPerPayment', reference);
  const ifNoneMatch = request.header('if-none-match');
  const waitSeconds = ifNoneMatch === undefined ? 0 : preferredWaitSeconds(request.header('prefer'));
  const { signal } = request;
  const answer = await pollPayment(options, { reference, ifNoneMatch, waitMs: waitSeconds * 1000, signal });
  if (answer === undefined || !isOfMode(answer.record, claims)) throw unauthorized();
  const { deciding, view, etag, isNew, hold } = answer;
  return answerJson(options, deciding, {
    status: isNew ? 200 : 304,
    body: isNew ? view : undefined,
    etag,
    hold,
  });
}

/** A link may turn out to be of another mode than it was taken for, after its secret was made. */
const isOfMode = ({ opened }: OpenedRecord, { liveMode }: ClientSecretClaims): boolean =>
  opened.liveMode === liveMode || opened.link?.isModeAssumed === true;

const unauthorized = (): CheckoutError =>
  new CheckoutError(
    'session_unauthorized',
    'The client secret is missing, wrong or too old; ask the server for the session again.',
  );

/** `Prefer: wait=N` (RFC 7240, section 4.3), in seconds, no longer than the contract allows. */
function preferredWaitSeconds(prefer: string | undefined): number {
  const seconds = /(?:^|[,;])\s*wait\s*=\s*"?(\d{1,6})"?\s*(?:[,;]|$)/i.exec(prefer ?? '')?.[1];
  return Math.min(Number(seconds ?? 0), maxWaitSeconds);
}

type JsonAnswer = { status: number; body: PaymentView | Session | undefined; etag: string; hold: Hold };

function answerJson(
  options: SessionRoutesOptions,
  record: OpenedRecord,
  { status, body, etag, hold }: JsonAnswer,
): PlainResponse {
  const wasHeld = hold === 'held' || hold === 'cutShort';
  const headers = {
    ...answerHeaders,
    etag,
    [contractHeaders.serviceTime]: String(Math.round(options.serviceNow())),
    [contractHeaders.nextPoll]: String(Math.round(nextPollMs(options, record, hold))),
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(wasHeld && { 'preference-applied': 'wait' }),
  };
  return { status, headers, body: body && JSON.stringify(body) };
}

/** A browser whose request was held may come back at once; the others keep the pace of our own looks. */
function nextPollMs(
  { verificationIntervalMs, random }: SessionRoutesOptions,
  record: OpenedRecord,
  hold: Hold,
): number {
  if (isSettled(record) || record.outcome === 'expired') return expiredPollMs;
  if (hold === 'held') return 0;
  return hold === 'notAsked' ? verificationIntervalMs : crowdedPollMs * (1 + random());
}
