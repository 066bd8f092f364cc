import {
  CheckoutError,
  contractHeaders,
  type PaymentView,
  type Session,
} from '../../../src/contract/index.ts';
import { etagOf } from '../../client/http/etag.ts';
import { referenceIn } from '../../client/http/page-request.ts';
import type { PlainRequest, PlainResponse } from '../../client/http/plain-http.ts';
import { commonHeaders } from '../../client/http/responses.ts';
import { secretOf, unauthorized } from '../../client/http/secret-header.ts';
import type { ClientSecretClaims } from '../../client/signing/client-secret.ts';
import type { ShownPayment } from '../order/record.ts';
import { isSettled, view } from '../order/view.ts';
import type { PaymentKind } from '../shell/open-payment.ts';
import { getOrCreateSession, toLink } from '../shell/session.ts';
import { type Hold, pollPayment } from './long-poll.ts';
import type { RouteParts } from './parts.ts';
import { readSessionRequest } from './session-request.ts';

/** Expired and settled payments rarely change. */
const rarePollMs = 15_000;

/** The least pause of a browser whose response could not be held as requested; up to twice this, to spread them. */
const crowdedPollMs = 5000;

/**
 * `POST …/sessions`: 201 with a session, 200 if the order had one; 404 if the page prefers an existing one and knows none. `POST …/links`:
 * the same with a link.
 */
export const postOrder =
  (kind: PaymentKind) =>
  async (parts: RouteParts, request: PlainRequest): Promise<PlainResponse> => {
    const { origins, limits, opening } = parts;
    if (!origins.isAllowed(request.header('origin'), request.url)) {
      throw new CheckoutError(
        'origin_not_allowed',
        'Payments are made from the pages of the shop only; check publicUrl and allowedOrigins.',
      );
    }
    const caller = limits.clientOf(request);
    limits.take('sessions', caller);
    const asked = await readSessionRequest(parts, request);
    const choice = { ...asked.choice, kind };
    const free = opening.take(caller);
    if (free === undefined) throw crowded();
    const { session, order, payment, created } = await getOrCreateSession(parts, asked.order, choice).finally(
      free,
    );
    return sessionResponse(parts, session.outcome, {
      status: created ? 201 : 200,
      body: kind === 'link' ? toLink(session, asked.order.returnUrl ?? parts.returnUrl) : session,
      etag: await etagOf(view(order, payment)),
      hold: 'notRequested',
    });
  };

const crowded = (): CheckoutError =>
  new CheckoutError('service_unavailable', 'Many payments are being opened; try again.', {
    retryAfterSeconds: 3,
  });

/** `GET …/sessions/{reference}`: 200 with the view, or 304. */
export async function getSession(parts: RouteParts, request: PlainRequest): Promise<PlainResponse> {
  const { limits, secrets, now } = parts;
  const reference = referenceIn(request.url);
  const client = limits.clientOf(request);
  // Wrong secrets count too, before the store is read.
  limits.take('reads', client);
  const secret = secretOf(request);
  const claims = await secrets.verify(secret, reference, now());
  if (claims === undefined) {
    const refusal = unauthorized(secret);
    if (secret === '') parts.log({ type: 'secretMissing', message: refusal.message });
    throw refusal;
  }
  const polled = await pollPayment(parts, { reference, client, request });
  if (polled === undefined || !isOfMode(polled.payment, claims)) throw unauthorized(secret);
  const { view: shown, etag, isNew, hold } = polled;
  return sessionResponse(parts, shown.outcome, {
    status: isNew ? 200 : 304,
    body: isNew ? shown : undefined,
    etag,
    hold,
  });
}

/** The mode of a link may turn out to be another than its secret says. */
const isOfMode = ({ opened }: ShownPayment, { liveMode }: ClientSecretClaims): boolean =>
  opened.liveMode === liveMode || (opened.kind === 'link' && opened.isModeAssumed === true);

type SessionResponse = { status: number; body: PaymentView | Session | undefined; etag: string; hold: Hold };

function sessionResponse(
  parts: RouteParts,
  outcome: PaymentView['outcome'],
  { status, body, etag, hold }: SessionResponse,
): PlainResponse {
  const wasHeld = hold === 'held' || hold === 'cutShort';
  const headers = {
    ...commonHeaders,
    etag,
    [contractHeaders.serviceTime]: String(Math.round(parts.client.serviceNow())),
    [contractHeaders.nextPoll]: String(Math.round(nextPollMs(parts, outcome, hold))),
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(wasHeld && { 'preference-applied': 'wait' }),
  };
  return { status, headers, body: body && JSON.stringify(body) };
}

/** A browser whose request was held may poll again at once; the others keep the pace of our verifications. */
function nextPollMs(
  { verificationIntervalMs, random }: RouteParts,
  outcome: PaymentView['outcome'],
  hold: Hold,
): number {
  if (hold === 'held') return 0;
  if (outcome === 'expired' || isSettled(outcome)) return rarePollMs;
  return hold === 'notRequested' ? verificationIntervalMs : crowdedPollMs * (1 + random());
}
