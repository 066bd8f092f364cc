import type { OrderOutcome } from '../../../../server-kit/engine/order/event.ts';
import type { OutcomeEvent, OutcomeHandlers } from '../../../../server-kit/engine/outbox/handlers.ts';
import type { Bank, Truth } from '../service/bank.ts';
import type { SimulatedProcess } from '../world/process.ts';
import type { World } from '../world/world.ts';

/** The event that the merchant handled under one idempotency key, and how often a handler completed. */
type LedgerEntry = {
  key: string;
  outcome: OrderOutcome;
  orderId: string;
  reference: string;
  completions: number;
};

export type Ledger = ReturnType<typeof createLedger>;

export function createLedger(world: World, bank: Bank) {
  const entries = new Map<string, LedgerEntry>();
  const { violate, clock } = world;

  function checkTrue(outcome: OrderOutcome, { order, payment }: OutcomeEvent): void {
    const { reference } = payment;
    const truth: Partial<Truth> = bank.truthOf(reference) ?? {};
    const { charged = 0, succeededAtMs = Infinity } = truth;
    const isReversed = truth.reversedAtMs !== undefined;
    const isTrue: Record<OrderOutcome, () => boolean> = {
      paid: () => succeededAtMs <= clock.now() && charged >= order.amount.value,
      failed: () => truth.failedAtMs !== undefined,
      expired: () => (bank.endsAtMs(reference) ?? Infinity) <= clock.now(),
      reversed: () => isReversed,
      amountMismatch: () => succeededAtMs < Infinity && charged < order.amount.value,
      unexpectedMoney: () => charged > 0,
      unexpectedMoneyReversed: () => isReversed,
      otherPayment: () => true,
    };
    if (!isTrue[outcome]())
      violate('what is reported is true', order.orderId, `${outcome} was reported for ${reference}`);
  }

  return {
    entries: (): ReadonlyMap<string, LedgerEntry> => entries,
    /** Records that a handler completed, and checks its event against the bank. */
    complete(outcome: OrderOutcome, event: OutcomeEvent): void {
      const { idempotencyKey: key, order, payment } = event;
      checkTrue(outcome, event);
      const entry = entries.get(key) ?? {
        key,
        outcome,
        orderId: order.orderId,
        reference: payment.reference,
        completions: 0,
      };
      const { orderId, reference } = entry;
      if (entry.outcome !== outcome || orderId !== order.orderId || reference !== payment.reference)
        violate('a key belongs to one event', orderId, `${key} reported ${payment.reference} as ${outcome}`);
      entry.completions++;
      entries.set(key, entry);
      if (outcome === 'paid' && key !== `${order.orderId}:paid`)
        violate('an order is paid once', order.orderId, `paid under ${key}`);
      world.note(order.orderId, () => `a handler completed ${key} (${entry.completions})`);
    },
  };
}

/** A transaction of the merchant's database. `record` runs when it commits. */
export type LedgerTransaction = { add: (key: string, record: () => void) => void };

/** Creates the merchant's handlers in one process: they throw before or after their work, stall, or never end. */
export function createHandlers(world: World, process: SimulatedProcess, ledger: Ledger): OutcomeHandlers {
  const { clock, count, faults, times } = world;
  const { random } = process;

  const work = async (event: OutcomeEvent): Promise<void> => {
    const transaction = event.transaction as LedgerTransaction | undefined;
    await clock.wait(random.between(5, 300));
    if (random.chance(faults())) {
      count('handlers that threw');
      throw new Error('Simulated failure before the work.');
    }
    if (random.chance(faults())) {
      count('handlers that stalled');
      // Not in a transaction, which would block its lane forever.
      if (transaction === undefined && random.chance(0.05)) await new Promise(() => {});
      await clock.wait(times.leaseMs * random.between(0.5, 14));
    }
    if (event.signal.aborted) count('handlers that outlived their lease');
    const record = (): void => ledger.complete(event.outcome, event);
    if (transaction === undefined) record();
    else transaction.add(event.idempotencyKey, record);
    if (random.chance(faults() / 4)) throw new Error('Simulated failure after the work.');
  };

  const handle = (event: OutcomeEvent) => {
    count('handlers called');
    return process.port(() => work(event));
  };
  return { onPaid: handle, onExpired: handle, onFailed: handle, onAttention: handle };
}
