import {
  CheckoutError,
  contractHeaders,
  maxWaitSeconds,
  type PaymentView,
  type Session,
} from '../../src/contract/index.ts';
import type { PlainRequest, PlainResponse } from '../http/plain-http.ts';
import type { Order } from '../payments/order.ts';
import { decidingPayment, toOrderView } from '../payments/order-view.ts';
import { isSettled } from '../payments/outcome.ts';
import { etagOf, type OpenedRecord } from '../payments/payment-view.ts';
import type { ClientSecretClaims } from '../sessions/client-secret.ts';
import type { PaymentChoice } from '../sessions/named-payment.ts';
import type { OpenedSession, Sessions } from '../sessions/sessions.ts';
import { bearerToken } from './access/bearer-token.ts';
import type { Origins } from './access/cors.ts';
import type { NoteRefusedSecret } from './access/secret-watch.ts';
import { type Hold, type LongPollOptions, pollPayment } from './long-poll.ts';
import { commonHeaders } from './responses.ts';
import { readSessionRequest, type SessionRequestOptions } from './session-request.ts';

/** Expired and settled payments rarely change. */
const rarePollMs = 15_000;

/** The least pause of a browser whose response could not be held as requested; up to twice this, to spread them. */
const crowdedPollMs = 5000;

export type SessionRoutesOptions = LongPollOptions &
  SessionRequestOptions & {
    /** From 0 up to, not including, 1. */
    random: () => number;
    noteRefusedSecret: NoteRefusedSecret;
    origins: Origins;
    serviceNow: () => number;
    verificationIntervalMs: number;
    sessions: Sessions;
  };

/** `POST …/sessions`: 201 with a session, 200 if the order had one; 404 if the page prefers an existing one and knows none. */
export const postSession = (options: SessionRoutesOptions, request: PlainRequest): Promise<PlainResponse> =>
  postOrder(options, request, options.sessions.open);

/** `POST …/links`: 201 with a link, 200 if the order had a payment; 404 as for sessions. */
export const postLink = (options: SessionRoutesOptions, request: PlainRequest): Promise<PlainResponse> =>
  postOrder(options, request, options.sessions.openLink);

async function postOrder(
  options: SessionRoutesOptions,
  request: PlainRequest,
  open: (order: Order, choice: PaymentChoice) => Promise<OpenedSession<Session>>,
): Promise<PlainResponse> {
  const { origins, limits } = options;
  if (!origins.isAllowed(request.header('origin'), request.url)) {
    throw new CheckoutError(
      'origin_not_allowed',
      'Payments are made from the pages of the shop only; check publicUrl and allowedOrigins.',
    );
  }
  await limits.take('sessionsPerClient', limits.clientOf(request));
  const { order, choice } = await readSessionRequest(options, request);
  const { record, records, session, created } = await open(order, choice);
  return sessionResponse(options, decidingPayment(records) ?? record, {
    status: created ? 201 : 200,
    body: session,
    etag: await etagOf(toOrderView(records, record)),
    hold: 'notRequested',
  });
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
  const secret = bearerToken(request);
  const claims = await secrets.verify(secret, reference, now());
  if (claims === undefined) {
    await limits.take('failuresPerClient', client);
    options.noteRefusedSecret(secret, reference);
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
