import { referencesOf } from '../../../../server-kit/engine/order/record.ts';
import type { Delivery } from '../../../../server-kit/engine/outbox/deliver.ts';
import type {
  HandlerCall,
  OutcomeEvent,
  OutcomeHandlers,
} from '../../../../server-kit/engine/outbox/handlers.ts';
import { createOutboxRunner } from '../../../../server-kit/engine/outbox/runner.ts';
import type { ClaimedOutboxEvent, Store } from '../../../../server-kit/engine/store.ts';
import type { LogEvent } from '../../../../server-kit/engine/telemetry/log-event.ts';
import { createMemoryStore } from '../../../../server-kit/stores/memory.ts';
import { createGate } from '../../kit/gate.ts';
import { createTestClock, nextTurn } from '../../kit/test-clock.ts';
import { orderWrite } from '../../stores/conformance/store-kit.ts';
import { follow, orderOf, paidOrder, shown } from '../order/orders.ts';

export const leaseMs = 30_000;

/** A promise that never settles: a handler that hangs. */
export const hang = (): Promise<never> => new Promise(() => {});

/** A handler that waits for a gate, and the signals that it gets. */
export function createSlowHandler() {
  const { open, opened } = createGate();
  const signals: AbortSignal[] = [];
  const onPaid = ({ signal }: OutcomeEvent) => {
    signals.push(signal);
    return opened;
  };
  return { open, signals, onPaid };
}

export function notingHandlers() {
  const notified: string[] = [];
  const note = ({ idempotencyKey }: HandlerCall) => void notified.push(idempotencyKey);
  return { notified, handlers: { onPaid: note, onExpired: note, onFailed: note } };
}

async function writeOrder(store: Store, { order, events }: ReturnType<typeof follow>): Promise<void> {
  const references = referencesOf(order);
  await store.write(orderWrite({ id: order.orderId, record: order, references, events }));
}

export type Change = (store: Store) => Partial<Store>;

/** Runs transactions as a database does: a failure of `work`, or of the signal, rolls back at once. */
export const withTransactions =
  (maxTransactions?: number): Change =>
  (store) => ({
    ...(maxTransactions !== undefined && { maxTransactions }),
    async transact(run, work, signal) {
      const cut = new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
      await Promise.race([work('the transaction'), cut]);
      return store.updateOutboxEvent(run, { state: 'done' });
    },
  });

export const editClaims =
  (edit: (event: ClaimedOutboxEvent) => unknown): Change =>
  (store) => ({
    async claimOutboxEvent(options) {
      const event = await store.claimOutboxEvent(options);
      return event && Object.assign(event, await edit(event));
    },
  });

/** A runner on a store in memory that may be changed, and a clock that the test moves. */
export function createOutbox(
  handlers: OutcomeHandlers,
  change: Change = () => ({}),
  options: Partial<Delivery> = {},
) {
  const clock = createTestClock();
  const inner = createMemoryStore({ now: clock.now });
  const log: LogEvent[] = [];
  const foregroundWaits: number[] = [];
  const runner = createOutboxRunner({
    store: { ...inner, ...change(inner) },
    wait(ms, signal, isInBackground) {
      if (!isInBackground) foregroundWaits.push(ms);
      return clock.wait(ms, signal);
    },
    leaseMs,
    handlers,
    random: () => 0,
    log: (event) => void log.push(event),
    ...options,
  });
  /** Advances the clock from wait to wait, and lets everything run that is ready. */
  const pass = async (ms: number): Promise<void> => {
    const endMs = clock.now() + ms;
    await nextTurn();
    while (clock.now() < endMs) {
      clock.advance(Math.min(clock.nextDueMs(), endMs) - clock.now());
      await nextTurn();
    }
  };
  /** Writes a paid order of each name, and delivers what is due. */
  const bring = async (...orderIds: string[]): Promise<void> => {
    for (const orderId of orderIds) await writeOrder(inner, paidOrder(orderId));
    runner.runSoon();
    await nextTurn();
  };
  const types = () => log.map(({ type }) => type);
  const status = () => inner.readStatus({ mostWaiting: 100 });
  const pending = async () => (await status()).pendingOutboxEvents;
  const waiting = async () => (await status()).waiting;
  /** Writes what is known after this history, and delivers what is due. */
  const follows = async (history: string): Promise<void> => {
    await writeOrder(inner, follow(orderOf(shown()), history));
    runner.runSoon();
    await runner.settled();
  };
  const facts = { log, types, status, pending, waiting, foregroundWaits };
  return { ...runner, ...facts, clock, inner, pass, bring, follows };
}
