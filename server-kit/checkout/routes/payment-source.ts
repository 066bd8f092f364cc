import { CheckoutError, type PaymentView } from '../../../src/contract/index.ts';
import type { PageRequest, PageResponse, PaymentSource, SignedCallback } from '../../core/routes.ts';
import { SignatureError } from '../../core/signature.ts';
import { type OrderInput, parseOrder } from '../order/order-request.ts';
import { isSettled } from '../order/view.ts';
import type { OpenSessionOptions } from '../shell/open-session.ts';
import { type ReceiveCallbackOptions, receiveCallback } from '../shell/receive-callback.ts';
import { getOrCreateSession } from '../shell/session.ts';
import { type Log, noteIgnored } from '../telemetry/log.ts';
import type { RequestLimits } from './access/request-limits.ts';
import { type Hold, type LongPollParts, pollPayment } from './long-poll.ts';
import type { Places } from './places.ts';

/** The part of a browser's request that the merchant's `createPayment` gets. */
export type CreatePaymentRequest = {
  /** The JSON that the page sent: the widget's `body` option. Anybody can send anything. */
  body: unknown;
  /** Without the header with which the widget names stored payments: `Checkout-Secret`, or `Authorization` from older widgets. Any other `Authorization` is left in place. */
  headers: Headers;
  /**
   * The order of the payment that this browser last used, and whose secret it still has; otherwise left out. It proves that this
   * *browser* once held that order, not who is using it now: two people may share a phone. Return that order only after you have
   * compared it with the signed-in shopper or a signed cookie. With it, a shopper whose cart was emptied by `onPaid` can come back to
   * the finished order.
   */
  storedOrderId?: string;
  /** Aborts when the browser has gone. */
  signal: AbortSignal;
};

export type SourceParts = OpenSessionOptions &
  ReceiveCallbackOptions &
  LongPollParts & {
    limits: RequestLimits;
    opening: Places;
    random: () => number;
    verificationIntervalMs: number;
    log: Log;
    /** The merchant's own: authorises the request, and returns the order to pay. */
    createPayment: (request: CreatePaymentRequest) => OrderInput | Promise<OrderInput>;
  };

/** Creates what the routes of the core ask: the payments that this engine remembers. */
export const createPaymentSource = (parts: SourceParts): PaymentSource => ({
  open: (page) => openForPage(parts, page),
  async read({ request, liveMode, ...poll }) {
    const client = parts.limits.clientOf(request);
    const polled = await pollPayment(parts, { ...poll, client, request });
    // The mode of a link may turn out to be another than its secret says.
    const { opened } = polled?.payment ?? {};
    const isOfMode =
      opened?.liveMode === liveMode || (opened?.kind === 'link' && opened.isModeAssumed === true);
    return polled && isOfMode ? toResponse(parts, polled.view, polled.hold) : undefined;
  },
  receiveCallback: (callback) => receive(parts, callback),
});

/** Rare: each opening is a request to the service, and ends within fifteen seconds. */
async function openForPage(parts: SourceParts, page: PageRequest) {
  const { createPayment, log, limits, opening } = parts;
  const { kind, body, headers, preference, request } = page;
  const storedOrderId = await findOrderId(parts, page.proven);
  const input = await createPayment({
    body,
    headers,
    ...(storedOrderId !== undefined && { storedOrderId }),
    // Created only for those who use it.
    get signal() {
      return request.signal;
    },
  });
  const order = parseOrder(input, 'What createPayment returned', noteIgnored(log));
  const free = opening.take(limits.clientOf(request));
  if (free === undefined) {
    const message = 'Many payments are being opened; try again.';
    throw new CheckoutError('service_unavailable', message, { retryAfterSeconds: 3 });
  }
  const choice = { kind, preference, named: new Set(page.named) };
  const { view, orderAmount, created } = await getOrCreateSession(parts, order, choice).finally(free);
  const { authorizationUrl = order.returnUrl ?? parts.returnUrl } = view;
  const more = { ...(orderAmount && { orderAmount }), ...(kind === 'link' && { authorizationUrl }) };
  return { ...toResponse(parts, view, 'notRequested'), isNew: created, more };
}

/** Returns the order of the first payment that is recorded; a browser may have kept one for longer than the store. */
async function findOrderId(
  { store }: SourceParts,
  references: readonly string[],
): Promise<string | undefined> {
  for (const reference of references) {
    const { record } = await store.find({ reference });
    if (record !== null) return record.orderId;
  }
  return undefined;
}

/** Everything that the service has signed is acknowledged at once; the work follows. */
async function receive(parts: SourceParts, { request, ...signed }: SignedCallback): Promise<void> {
  const { limits, log } = parts;
  // Keeps forgeries away from the store. A callback signed for an earlier address is refused during a flood; the service
  // sends it again.
  const countFailure = (): void => limits.take('reads', limits.clientOf(request) ?? 'callbacks');
  const event = await receiveCallback(parts, { ...signed, countFailure }).catch((error: unknown) => {
    if (error instanceof SignatureError) log({ type: 'callbackRefused', reason: error.code });
    throw error;
  });
  log({ type: 'callback', ...event });
}

/** Expired and settled payments rarely change. */
const rarePollMs = 15_000;

/** The least pause of a browser whose response could not be held as requested; up to twice this, to spread them. */
const crowdedPollMs = 5000;

/** A browser whose request was held may poll again at once; the others keep the pace of our verifications. */
function toResponse(
  { verificationIntervalMs, random }: SourceParts,
  view: PaymentView,
  hold: Hold,
): PageResponse {
  const isRare = view.outcome === 'expired' || isSettled(view.outcome);
  const pauseMs = hold === 'notRequested' ? verificationIntervalMs : crowdedPollMs * (1 + random());
  const nextPollMs = hold === 'held' ? 0 : isRare ? rarePollMs : pauseMs;
  return { view, nextPollMs, wasHeld: hold === 'held' || hold === 'cutShort' };
}
