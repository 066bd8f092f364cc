import type { OutcomeEvent } from '../../../../server-kit/outbox/handlers.ts';
import type { OutboxOutcome } from '../../../../server-kit/stores/outbox-event.ts';
import type { Bank } from '../service/bank.ts';
import type { World } from '../world/settings.ts';

/** What the merchant has done about one idempotency key. */
export type Deed = {
  key: string;
  outcome: OutboxOutcome;
  orderId: string;
  reference: string;
  /** How often a handler has ended well. */
  completions: number;
};

/** The merchant's own books, in which each idempotency key counts once. */
export type Ledger = {
  /** Records that a handler has succeeded, and checks that its event is true. */
  complete: (outcome: OutboxOutcome, event: OutcomeEvent) => void;
  deeds: () => ReadonlyMap<string, Deed>;
};

export function createLedger(world: World, bank: Bank): Ledger {
  const deeds = new Map<string, Deed>();
  const { violate, clock } = world;

  function checkTrue(outcome: OutboxOutcome, { order, payment }: OutcomeEvent): void {
    const { reference } = payment;
    const truth = bank.truthOf(reference);
    const now = clock.now();
    const isPaid =
      truth?.succeededAtMs !== undefined && truth.succeededAtMs <= now && truth.charged >= order.amount.value;
    const isTrue: Record<OutboxOutcome, () => boolean> = {
      paid: () => isPaid,
      failed: () => truth?.failedAtMs !== undefined,
      expired: () => (bank.endsAtMs(reference) ?? Infinity) <= now,
      reversed: () => truth?.reversedAtMs !== undefined && deeds.has(`${order.orderId}:paid`),
      amountMismatch: () => truth?.succeededAtMs !== undefined && truth.charged < order.amount.value,
      unexpectedMoney: () => (truth?.charged ?? 0) > 0,
    };
    if (!isTrue[outcome]())
      violate('what is reported is true', order.orderId, `${outcome} was reported for ${reference}`);
  }

  return {
    deeds: () => deeds,
    complete(outcome, event) {
      const { idempotencyKey: key, order, payment } = event;
      checkTrue(outcome, event);
      const deed = deeds.get(key) ?? {
        ...{ key, outcome, orderId: order.orderId, reference: payment.reference },
        completions: 0,
      };
      if (deed.outcome !== outcome || deed.orderId !== order.orderId || deed.reference !== payment.reference)
        violate('a key means one thing', order.orderId, `${key} reported ${payment.reference} as ${outcome}`);
      deed.completions++;
      deeds.set(key, deed);
      if (outcome === 'paid' && key !== `${order.orderId}:paid`)
        violate('an order is paid once', order.orderId, `paid under ${key}`);
      world.note(order.orderId, () => `a handler has done ${key} (${deed.completions})`);
    },
  };
}
