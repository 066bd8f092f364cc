import { CheckoutError, type PaymentView } from '../../../src/contract/index.ts';
import type { PageRequest, PageResponse, PaymentSource, SignedCallback } from '../../core/routes.ts';
import { SignatureError } from '../../core/signature.ts';
import { parseOrder } from '../order/request.ts';
import { isSettled } from '../order/view.ts';
import type { Engine } from '../shell/engine.ts';
import { receiveCallback } from '../shell/receive-callback.ts';
import { getOrCreateSession } from '../shell/session.ts';
import { noteIgnored } from '../telemetry/log.ts';
import { type Hold, pollPayment } from './long-poll.ts';

/** Creates what the routes of the core ask: the payments that this engine remembers. */
export const createPaymentSource = (engine: Engine): PaymentSource => ({
  open: (page) => openForPage(engine, page),
  async read({ request, liveMode, ...poll }) {
    const client = engine.limits.clientOf(request);
    const polled = await pollPayment(engine, { ...poll, client, request });
    // The mode of a link may turn out to be another than its secret says.
    const { opened } = polled?.payment ?? {};
    const isOfMode =
      opened?.liveMode === liveMode || (opened?.kind === 'link' && opened.isModeAssumed === true);
    return polled && isOfMode ? toResponse(engine, polled.view, polled.hold) : undefined;
  },
  receiveCallback: (callback) => receive(engine, callback),
});

/** Rare: each opening is a request to the service, and ends within fifteen seconds. */
async function openForPage(engine: Engine, page: PageRequest) {
  const { getOrder, log, limits, opening } = engine;
  const { kind, body, headers, preference, request } = page;
  const storedOrderId = await findOrderId(engine, page.proven);
  const address = limits.clientOf(request);
  const input = await getOrder({
    body,
    headers,
    ...(storedOrderId !== undefined && { storedOrderId }),
    ...(address !== undefined && { address }),
    // Created only for those who use it.
    get signal() {
      return request.signal;
    },
  });
  const order = parseOrder(input, 'What getOrder returned', noteIgnored(log));
  const free = opening.take(address);
  if (free === undefined) {
    const message = 'Many payments are being opened; try again.';
    throw new CheckoutError('service_unavailable', message, { retryAfterSeconds: 3 });
  }
  const choice = { kind, preference, named: new Set(page.named) };
  const { view, more, created } = await getOrCreateSession(engine, order, choice).finally(free);
  const { authorizationUrl = order.returnUrl ?? engine.returnUrl } = view;
  const response = toResponse(engine, view, 'notRequested');
  return { ...response, isNew: created, more: { ...more, ...(kind === 'link' && { authorizationUrl }) } };
}

/** Returns the order of the first payment that is recorded; a browser may have kept one for longer than the store. */
async function findOrderId({ store }: Engine, references: readonly string[]): Promise<string | undefined> {
  for (const reference of references) {
    const { record } = await store.find({ reference });
    if (record !== null) return record.orderId;
  }
  return undefined;
}

/** Everything that the service has signed is acknowledged at once; the work follows. */
async function receive(engine: Engine, { request, ...signed }: SignedCallback): Promise<void> {
  const { limits, log } = engine;
  // Keeps forgeries away from the store. A callback signed for an earlier address is refused during a flood; the service
  // sends it again.
  const countFailure = (): void => limits.take('reads', limits.clientOf(request) ?? 'callbacks');
  const event = await receiveCallback(engine, { ...signed, countFailure }).catch((error: unknown) => {
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
function toResponse({ verificationIntervalMs, random }: Engine, view: PaymentView, hold: Hold): PageResponse {
  const isRare = view.outcome === 'expired' || isSettled(view.outcome);
  const pauseMs = hold === 'notRequested' ? verificationIntervalMs : crowdedPollMs * (1 + random());
  const nextPollMs = hold === 'held' ? 0 : isRare ? rarePollMs : pauseMs;
  return { view, nextPollMs, wasHeld: hold === 'held' || hold === 'cutShort' };
}
