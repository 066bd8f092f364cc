import type { CheckoutError, PaymentView, Session } from '../../contract/index.ts';
import { routes } from '../../contract/index.ts';
import type { Event } from '../machine/machine.ts';
import { isNamed, type OrderOptions, storageOf } from '../session/order.ts';
import { type ResumeOptions, resumeSession } from '../session/resume.ts';
import { retrieveView } from '../session/retrieve-view.ts';
import type { Answer, Ask } from '../session/session-client.ts';
import { keepSaid } from '../session/transfer-claim.ts';
import { watchPayment } from './poller.ts';

/**
 * Ends the name by which tabs know each other. Tabs of older versions take another one: they would pass on less of a view than this
 * version shows.
 */
const tellsWholeViews = '#2';

/** Opens a checkout where something is stored; see `resumeSession`. */
export function resumeOrder(
  order: OrderOptions,
  options: Pick<ResumeOptions, 'ask' | 'failures' | 'signal' | 'post' | 'send'>,
): Promise<Answer<Session>> {
  return resumeSession({ ...options, storage: storageOf(order), isNamed: isNamed(order) });
}

export type WatchSessionOptions = {
  readonly ask: Ask;
  readonly session: Session;
  readonly etag: string | undefined;
  readonly lateWatchMs: number;
  readonly send: (event: Event, serviceTimeMs?: number) => void;
  readonly signal: AbortSignal;
};

/** A session that is kept for a reload, and followed to its end. */
export type WatchedSession = {
  /** Looks at the payment at once. */
  readonly lookNow: () => void;
  /** Keeps what the shopper has said: that the money is sent, or not after all. */
  readonly rememberSent: (isSent: boolean) => void;
};

/** Keeps a session for a reload and follows its payment. What the shopper said of it before is said again. */
export function watchSession(order: OrderOptions, options: WatchSessionOptions): WatchedSession {
  const { environment, baseUrl } = order;
  const { ask, session, send, signal } = options;
  const { reference, clientSecret } = session;
  const storage = storageOf(order);
  let view: PaymentView = session;

  const takeAnswer = (answer: Answer<PaymentView | undefined>): void => {
    view = answer.value ?? view;
    send(
      answer.value ? { type: 'viewReceived', view: answer.value } : { type: 'unchanged' },
      answer.serviceTimeMs,
    );
  };

  const takeError = (error: CheckoutError): void => {
    if (error.code === 'session_unauthorized') storage.forget(clientSecret);
    send({ type: 'lookFailed', error });
  };

  const said = keepSaid(order, { session, view: () => view, send, signal });
  said.remember(!!said.before);
  const { lookNow } = watchPayment({
    environment,
    address: baseUrl + routes.session(reference) + tellsWholeViews,
    reference,
    retrieve: (look) => retrieveView(ask, session, look),
    view: session,
    etag: options.etag,
    lateWatchMs: options.lateWatchMs,
    onAnswer: takeAnswer,
    onError: takeError,
    signal,
  });
  if (said.before) send(said.before);

  return { lookNow, rememberSent: said.remember };
}
