import type { OutboxEvent } from '../../../../server-kit/stores/outbox-event.ts';
import type { PaymentRecord } from '../../../../server-kit/stores/payment-record.ts';
import type { Store } from '../../../../server-kit/stores/store.ts';
import type { Permits } from '../../../../server-kit/verification/budget/permits.ts';
import type { Bank } from '../service/bank.ts';
import type { Observer } from '../service/observer.ts';
import type { Screens } from '../shoppers/screens.ts';
import type { SimulatedProcess } from '../world/process.ts';
import type { World } from '../world/settings.ts';

/** What has gone through the store, whichever process it was. */
export type StoreLog = {
  /** The newest of each record, by reference. */
  records: Map<string, PaymentRecord>;
  /** The events that were claimed, in their last state. */
  claimed: Map<string, OutboxEvent>;
  /** The keys that count as done. */
  done: Set<string>;
  /** By order: which of its events is leased, and until when by the store's clock, which may count whole milliseconds. */
  held: Map<string, { key: string; untilMs: number }>;
  /** Orders of which a payment has been paid. */
  paidOrders: Set<string>;
  permits: { second: number; taken: number };
};

export const createStoreLog = (): StoreLog => ({
  records: new Map(),
  claimed: new Map(),
  done: new Set(),
  held: new Map(),
  paidOrders: new Set(),
  permits: { second: 0, taken: 0 },
});

type Parts = {
  world: World;
  log: StoreLog;
  bank: Bank;
  observer: Observer;
  screens: Screens;
  verificationsPerSecond: number;
};

/** How many permits a change of the budget has granted. */
export const grantedBy = (result: unknown): number => (result as Partial<Permits>).granted ?? 0;

/** The store as it is, with each write of a process checked at the moment at which it is made. */
export function watchStore(parts: Parts, process: SimulatedProcess, store: Store): Store {
  const { world, log, verificationsPerSecond } = parts;
  const { storeNow, violate, note, count } = world;
  /** Until when a lease lasts at the least that is asked for now: a database may take its time, and counts from later on. */
  const untilMs = (leaseMs: number): number => Math.floor(storeNow()) + leaseMs;

  const finished = ({ key, token }: Pick<OutboxEvent, 'key' | 'token'>): void => {
    const event = log.claimed.get(key);
    note(event?.orderId, () => `${process.name}: ${key} counts as done (run ${token})`);
    if (log.done.has(key)) violate('an outcome is done once', event?.orderId, `${key} was done twice`);
    if (event?.token !== token)
      violate('only the last run may end it', event?.orderId, `${key}: run ${token} after ${event?.token}`);
    checkOrder(event);
    log.done.add(key);
    letGo(key);
  };
  const letGo = (key: string): void => {
    const orderId = log.claimed.get(key)?.orderId ?? '';
    if (log.held.get(orderId)?.key === key) log.held.delete(orderId);
  };
  const checkOrder = (event: OutboxEvent | undefined): void => {
    const paid = `${event?.orderId}:paid`;
    if (event?.outcome === 'reversed' && !log.done.has(paid))
      violate('reversed follows paid', event.orderId, 'reversed was done before paid');
    if ((event?.outcome === 'expired' || event?.outcome === 'failed') && log.done.has(paid))
      violate('nothing but reversed follows paid', event.orderId, `${event.outcome} was done after paid`);
  };

  return {
    ...store,
    async insert(record, change) {
      const isInserted = await store.insert(record, change);
      if (isInserted) noteRecord(parts, process, undefined, record);
      if (isInserted) checkPrices(parts, record);
      return isInserted;
    },
    async update(record, change) {
      const before = log.records.get(record.reference);
      const stored = await store.update(record, change);
      if (stored !== undefined) noteRecord(parts, process, before, stored);
      return stored;
    },
    async claimOutboxEvent(options) {
      const leaseUntilMs = untilMs(options.leaseMs);
      const event = await store.claimOutboxEvent(options);
      if (event === undefined) return undefined;
      note(event.orderId, () => `${process.name}: takes ${event.key} (run ${event.token})`);
      const before = log.claimed.get(event.key);
      if (log.done.has(event.key))
        violate('an outcome is done once', event.orderId, `${event.key} was taken after it was done`);
      if ((before?.token ?? 0) >= event.token)
        violate('each run has its token', event.orderId, `${event.key}: ${event.token} again`);
      const held = log.held.get(event.orderId);
      if (held !== undefined && held.untilMs > storeNow())
        violate('one holds it at a time', event.orderId, `${event.key} was taken while ${held.key} is held`);
      log.held.set(event.orderId, { key: event.key, untilMs: leaseUntilMs });
      log.claimed.set(event.key, { ...event });
      return event;
    },
    async renewOutboxEvent(run, options) {
      const leaseUntilMs = untilMs(options.leaseMs);
      const isOurs = await store.renewOutboxEvent(run, options);
      const held = isOurs ? log.held.get(log.claimed.get(run.key)?.orderId ?? '') : undefined;
      if (held?.key === run.key) held.untilMs = leaseUntilMs;
      return isOurs;
    },
    async failOutboxEvent(run, options) {
      const wasOurs = await store.failOutboxEvent(run, options);
      if (wasOurs) letGo(run.key);
      return wasOurs;
    },
    async finishOutboxEvent(run) {
      const isDone = await store.finishOutboxEvent(run);
      if (isDone) finished(run);
      else count('late completions refused');
      return isDone;
    },
    async updateBudget(change) {
      const second = Math.floor(storeNow() / 1000);
      const result = await store.updateBudget(change);
      // Which second it was, the store alone knows.
      if (second !== Math.floor(storeNow() / 1000)) return result;
      if (log.permits.second !== second) log.permits = { second, taken: 0 };
      log.permits.taken += grantedBy(result);
      // What one second brings, and what another has left.
      if (log.permits.taken > 2 * verificationsPerSecond)
        violate('permits stay within the budget', undefined, `${log.permits.taken} in a second`);
      return result;
    },
    ...(store.transact !== undefined && {
      async transact(run, work) {
        const isDone = await store.transact?.(run, work);
        if (isDone) finished(run);
        else count('late completions refused');
        return isDone === true;
      },
    }),
  };
}

/** Whatever an order has had at another price than its next payment can no longer pay it. */
function checkPrices({ world, log }: Parts, { orderId, amount }: PaymentRecord): void {
  for (const other of log.records.values()) {
    const isOpen = other.orderId === orderId && other.opened !== null && other.outcome !== 'replaced';
    if (isOpen && other.amount.value !== amount.value)
      world.violate('an order is paid at its price', orderId, `${other.reference} asks for another`);
  }
}

/** Checks a write of a record against the one before it, and against what is true. */
function noteRecord(
  { world, log, bank, observer, screens }: Parts,
  process: SimulatedProcess,
  before: PaymentRecord | undefined,
  record: PaymentRecord,
): void {
  const { reference, orderId, outcome, observed, version } = record;
  const { violate } = world;
  world.name(reference, orderId);
  world.note(
    orderId,
    () => `${process.name}: writes ${reference} v${version} ${outcome} ${observed?.status ?? '-'}`,
  );
  log.records.set(reference, record);
  screens.stored(record);
  const truth = bank.truthOf(reference);
  const was = before?.outcome ?? 'pending';
  if (before !== undefined && version !== before.version + 1)
    violate('writes are compare-and-set', orderId, `version ${version} after ${before.version}`);
  if ((observed?.chargedAmount ?? 0) > (truth?.charged ?? 0))
    violate('no money is made up', orderId, `${reference} is said to hold ${observed?.chargedAmount}`);
  const isLegal =
    was === outcome || (was === 'paid' ? outcome === 'reversed' : was !== 'reversed' && was !== 'replaced');
  if (!isLegal) violate('a paid order stays paid', orderId, `${reference} became ${outcome} after ${was}`);
  if (outcome === 'paid' && was !== 'paid') {
    const isTrue =
      (truth?.charged ?? 0) >= record.amount.value && (truth?.succeededAtMs ?? Infinity) <= world.clock.now();
    if (!isTrue) violate('paid means paid', orderId, `${reference} became paid without its money`);
  }
  if (outcome === 'paid') log.paidOrders.add(orderId);
  const isNews = outcome === 'replaced' && was !== 'replaced' && before?.opened != null;
  if (isNews && !log.paidOrders.has(orderId)) {
    const verification = observer.lastVerification(process, reference);
    if (verification === undefined || verification.charged > 0)
      violate(
        'an account with money is never replaced',
        orderId,
        `${reference} was replaced after a verification that saw ${verification?.charged}`,
      );
  }
}
