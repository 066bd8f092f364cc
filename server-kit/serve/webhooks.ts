import type { OutcomeEvent, OutcomeHandlers } from '../engine/outbox/handlers.ts';
import type { Settings } from './settings.ts';
import type { Post } from './signed-post.ts';

/** How long the shop may take. */
const timeoutMs = 15_000;

/** How long nothing is sent after the shop has responded with 410. */
const pauseMs = 3_600_000;

/** The name of each outcome in the shop's webhook. */
const eventTypes = {
  paid: 'order.paid',
  expired: 'order.expired',
  failed: 'order.failed',
  reversed: 'order.reversed',
  amountMismatch: 'order.amount_mismatch',
  unexpectedMoney: 'order.unexpected_money',
  unexpectedMoneyReversed: 'order.unexpected_money_reversed',
  otherPayment: 'order.other_payment',
} as const satisfies Record<OutcomeEvent['outcome'], string>;

/**
 * Creates the handlers that report each outcome to `WEBHOOK_URL`. A 2xx response ends the event; after anything else the outbox tries
 * again. 410 pauses all deliveries for an hour.
 */
export function createWebhookHandlers(
  { WEBHOOK_URL: url, WEBHOOK_SECRET: secrets }: Settings,
  { post, now }: { post: Post; now: () => number },
): Required<Pick<OutcomeHandlers, 'onPaid' | 'onExpired' | 'onFailed' | 'onAttention'>> {
  let pausedUntilMs = 0;
  const deliver = async (event: OutcomeEvent): Promise<void> => {
    const { idempotencyKey: id, signal, transaction, outcome, ...data } = event;
    if (now() < pausedUntilMs) throw new Error(`${url} responded with 410; webhooks are paused for an hour.`);
    const body = { type: eventTypes[outcome], timestamp: new Date(now()).toISOString(), data };
    const response = await post({ url, secrets, id, body, timeoutMs, signal });
    // The response says nothing more: its connection is free for the next request.
    await response.body?.cancel();
    if (response.ok) return;
    if (response.status === 410) pausedUntilMs = now() + pauseMs;
    throw new Error(`${url} responded with ${response.status}; the event is sent again.`);
  };
  return { onPaid: deliver, onExpired: deliver, onFailed: deliver, onAttention: deliver };
}
