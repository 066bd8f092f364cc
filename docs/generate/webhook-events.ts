import type { NewEvent, OrderOutcome } from '../../server-kit/engine/order/event.ts';
import { observe } from '../../server-kit/engine/order/observe.ts';
import type { Order } from '../../server-kit/engine/order/record.ts';
import { report } from '../../server-kit/engine/order/report.ts';
import { toOutcomeEvent } from '../../server-kit/engine/outbox/deliver.ts';
import type { OutcomeEvent } from '../../server-kit/engine/outbox/handlers.ts';
import { createWebhookHandlers } from '../../server-kit/serve/webhooks.ts';
import { block, code } from './markdown.ts';
import { amount, closed, open, payment, response, type Said, timeOf } from './order-situations.ts';

const paid: Said = ['succeeded', amount.value, 3];

/** An order of each outcome, and what the service says of it. The last event that follows is shown. */
const samples: Record<OrderOutcome, { order?: Order; said: readonly Said[] }> = {
  paid: { said: [paid] },
  expired: { said: [['expired', 0, 30]] },
  failed: { said: [['failed', 0, 3]] },
  amountMismatch: { said: [['succeeded', 1_150_000, 3]] },
  reversed: { said: [paid, ['reversed', 0, 90]] },
  unexpectedMoney: { said: [paid, ['succeeded', 1_350_000, 5]] },
  unexpectedMoneyReversed: { order: closed, said: [paid, ['reversed', 0, 90]] },
  otherPayment: {
    said: [
      ['charged', amount.value, 3],
      ['awaiting_charge', 0, 5, 'pay_2'],
    ],
  },
};

/** Returns what `serve` sends to the shop for each outcome. */
export async function webhookEvents(): Promise<string> {
  const outcomes = Object.keys(samples) as OrderOutcome[];
  const bodies = await Promise.all(outcomes.map(toBody));
  return bodies.map((body) => `### ${code(`${body.type}`)}\n\n${block(toJson(body), 'json')}`).join('\n\n');
}

/** Small objects stand in one line. */
const toJson = (body: object): string =>
  JSON.stringify(body, null, 2).replaceAll(/\{[^{}]{1,120}\}/g, (inner) => inner.replaceAll(/\s+/g, ' '));

async function toBody(outcome: OrderOutcome): Promise<Record<string, unknown>> {
  const { order: start = open, said } = samples[outcome];
  let order = start;
  let last: NewEvent | undefined;
  for (const [status, chargedAmount, minutes, paymentId = 'pay_1'] of said) {
    const next = { ...response, paymentId, status, chargedAmount, updatedAt: timeOf(minutes) };
    const reported = report(observe(order, payment.reference, next).record);
    order = reported.record;
    last = reported.events.at(-1) ?? last;
  }
  if (last?.outcome !== outcome)
    throw new Error(`The sample of ${outcome} is an event that is ${last?.outcome}.`);
  const { signal } = new AbortController();
  const call = { idempotencyKey: last.key, signal, transaction: undefined };
  const [, , minutes = 0] = said.at(-1) ?? [];
  return deliver({ ...toOutcomeEvent(last, order), ...call }, Date.parse(timeOf(minutes)));
}

/** Sends the event as `serve` does, and returns the body. */
async function deliver(event: OutcomeEvent, now: number): Promise<Record<string, unknown>> {
  let sent: unknown;
  const settings = { WEBHOOK_URL: 'http://127.0.0.1:8000/checkout/webhook', WEBHOOK_SECRET: [''] };
  const { onAttention } = createWebhookHandlers(settings as never, {
    now: () => now,
    post: async ({ body }) => {
      sent = body;
      return new Response();
    },
  });
  await onAttention?.(event as never);
  return sent as Record<string, unknown>;
}
