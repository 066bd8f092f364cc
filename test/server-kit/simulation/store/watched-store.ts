import type { OutboxEvent } from '../../../../server-kit/stores/outbox-event.ts';
import type { PaymentRecord } from '../../../../server-kit/stores/payment-record.ts';
import type { Store } from '../../../../server-kit/stores/store.ts';
import type { Permits } from '../../../../server-kit/verification/budget/permits.ts';
import type { Bank } from '../service/bank.ts';
import type { Observer } from '../service/observer.ts';
import type { Screens } from '../shoppers/screens.ts';
import type { SimulatedProcess } from '../world/process.ts';
import type { World } from '../world/settings.ts';

/** The writes of all processes to the store. */
export type StoreLog = {
  /** The latest version of each record, by reference. */
  records: Map<string, PaymentRecord>;
  /** The claimed outbox events as of their last claim, by key. */
  claimed: Map<string, OutboxEvent>;
  /** The keys of finished outbox events. */
  done: Set<string>;
  /** By order: its leased event, and when the lease ends by the store's clock, rounded down to milliseconds. */
  held: Map<string, { key: string; untilMs: number }>;
  /** Orders with a paid payment. */
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

/** The number of permits that a budget update granted. */
export const grantedBy = (result: unknown): number => (result as Partial<Permits>).granted ?? 0;

/** Returns the store with each write of the process checked as it is made. */
export function watchStore(parts: Parts, process: SimulatedProcess, store: Store): Store {
  const { world, log, verificationsPerSecond } = parts;
  const { storeNow, violate, note, count } = world;
  /** The earliest end of a lease requested now: the database may start to count later. */
  const untilMs = (leaseMs: number): number => Math.floor(storeNow()) + leaseMs;

  const finished = ({ key, token }: Pick<OutboxEvent, 'key' | 'token'>): void => {
    const event = log.claimed.get(key);
    note(event?.orderId, () => `${process.name}: ${key} is finished (run ${token})`);
    if (log.done.has(key)) violate('an event is finished once', event?.orderId, `${key} was finished twice`);
    if (event?.token !== token)
      violate(
        'only the last run finishes an event',
        event?.orderId,
        `${key}: run ${token}, not ${event?.token}`,
      );
    checkOrder(event);
    log.done.add(key);
    release(key);
  };
  const release = (key: string): void => {
    const orderId = log.claimed.get(key)?.orderId ?? '';
    if (log.held.get(orderId)?.key === key) log.held.delete(orderId);
  };
  const checkOrder = (event: OutboxEvent | undefined): void => {
    const paid = `${event?.orderId}:paid`;
    if (event?.outcome === 'reversed' && !log.done.has(paid))
      violate('reversed follows paid', event.orderId, 'reversed was finished before paid');
    if ((event?.outcome === 'expired' || event?.outcome === 'failed') && log.done.has(paid))
      violate('only reversed follows paid', event.orderId, `${event.outcome} was finished after paid`);
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
      note(event.orderId, () => `${process.name}: claims ${event.key} (run ${event.token})`);
      const before = log.claimed.get(event.key);
      if (log.done.has(event.key))
        violate('an event is finished once', event.orderId, `${event.key} was claimed after it was finished`);
      if ((before?.token ?? 0) >= event.token)
        violate('each run has a new token', event.orderId, `${event.key}: ${event.token} again`);
      const held = log.held.get(event.orderId);
      if (held !== undefined && held.untilMs > storeNow())
        violate(
          'one event of an order is leased at a time',
          event.orderId,
          `${event.key} was claimed during the lease of ${held.key}`,
        );
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
      if (wasOurs) release(run.key);
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
      // A call across a second boundary may count for either second.
      if (second !== Math.floor(storeNow() / 1000)) return result;
      if (log.permits.second !== second) log.permits = { second, taken: 0 };
      log.permits.taken += grantedBy(result);
      // A second has its own permits and those left over from the second before.
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

/** Checks that no open payment of the order has another price than the new one. */
function checkPrices({ world, log }: Parts, { orderId, amount }: PaymentRecord): void {
  for (const other of log.records.values()) {
    const isOpen = other.orderId === orderId && other.opened !== null && other.outcome !== 'replaced';
    if (isOpen && other.amount.value !== amount.value)
      world.violate('an order is paid at its price', orderId, `${other.reference} is open at another price`);
  }
}

/** Checks a new version of a record against the version before and against the bank. */
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
  screens.recordStored(record);
  const truth = bank.truthOf(reference);
  const was = before?.outcome ?? 'pending';
  if (before !== undefined && version !== before.version + 1)
    violate('versions increase by one', orderId, `version ${version} after ${before.version}`);
  if ((observed?.chargedAmount ?? 0) > (truth?.charged ?? 0))
    violate('no money is invented', orderId, `${reference} is recorded with ${observed?.chargedAmount}`);
  const isLegal =
    was === outcome || (was === 'paid' ? outcome === 'reversed' : was !== 'reversed' && was !== 'replaced');
  if (!isLegal) violate('a paid order stays paid', orderId, `${reference} became ${outcome} after ${was}`);
  if (outcome === 'paid' && was !== 'paid') {
    const isTrue =
      (truth?.charged ?? 0) >= record.amount.value && (truth?.succeededAtMs ?? Infinity) <= world.clock.now();
    if (!isTrue) violate('a paid record has its money', orderId, `${reference} became paid without it`);
  }
  if (outcome === 'paid') log.paidOrders.add(orderId);
  const isNewlyReplaced = outcome === 'replaced' && was !== 'replaced' && before?.opened != null;
  if (isNewlyReplaced && !log.paidOrders.has(orderId)) {
    const verification = observer.lastVerification(process, reference);
    if (verification === undefined || verification.charged > 0)
      violate(
        'an account with money is never replaced',
        orderId,
        `${reference} was replaced after a verification that saw ${verification?.charged}`,
      );
  }
}
