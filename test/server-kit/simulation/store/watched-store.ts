import type { Order } from '../../../../server-kit/engine/order/record.ts';
import type { EndedRun, OutboxEvent, OutboxEventRun, Store } from '../../../../server-kit/engine/store.ts';
import { type PaymentFacts, paymentFactsOf } from '../../kit/payment-facts.ts';
import type { Bank } from '../service/bank.ts';
import type { Observer } from '../service/observer.ts';
import type { Screens } from '../shoppers/screens.ts';
import type { SimulatedProcess } from '../world/process.ts';
import type { World } from '../world/world.ts';

export const createStoreLog = () => ({
  versions: new Map<string, number>(),
  /** The latest state of each payment, by reference. */
  records: new Map<string, PaymentFacts>(),
  /** The claimed outbox events as of their last claim, by key. */
  claimed: new Map<string, OutboxEvent>(),
  done: new Set<string>(),
  /** By order: its leased event, and when the lease ends by the store's clock, rounded down to milliseconds. */
  held: new Map<string, { key: string; untilMs: number }>(),
  paidOrders: new Set<string>(),
});
export type StoreLog = ReturnType<typeof createStoreLog>;

type Parts = { world: World; log: StoreLog; bank: Bank; observer: Observer; screens: Screens };

/** Returns the store with each write of the process checked as it is made. */
export function watchStore(parts: Parts, process: SimulatedProcess, store: Store): Store {
  const { world, log } = parts;
  const { storeNow, violate, note, count } = world;
  /** The earliest end of a lease requested now: the database may start to count later. */
  const untilMs = (leaseMs: number): number => Math.floor(storeNow()) + leaseMs;

  const heldBy = (key: string) => log.held.get(log.claimed.get(key)?.orderId ?? key);
  const release = (key: string): void => {
    if (heldBy(key)?.key === key) log.held.delete(log.claimed.get(key)?.orderId ?? key);
  };
  const noteFinish = ({ key, token }: OutboxEventRun, ended: EndedRun | undefined): void => {
    if (ended === undefined) return count('late completions refused');
    const event = log.claimed.get(key);
    const orderId = event?.orderId ?? undefined;
    note(orderId, () => `${process.name}: ${key} is finished (run ${token})`);
    if (log.done.has(key)) violate('an event is finished once', orderId, `${key} was finished twice`);
    if (event?.token !== token)
      violate('only the last run finishes an event', orderId, `${key}: run ${token}, not ${event?.token}`);
    const isPaid = log.done.has(`${orderId}:paid`);
    if (key === `${orderId}:reversed` && !isPaid) violate('reversed follows paid', orderId, key);
    if ((event?.outcome === 'expired' || event?.outcome === 'failed') && isPaid)
      violate('only reversed follows paid', orderId, `${event.outcome} was finished after paid`);
    log.done.add(key);
    release(key);
  };

  return {
    ...store,
    async write(change) {
      const { record, version } = change;
      const isWritten = await store.write(change);
      if (isWritten && 'payments' in record) noteOrder(parts, process, record, version + 1);
      return isWritten;
    },
    async claimOutboxEvent(options) {
      const leaseUntilMs = untilMs(options.leaseMs);
      const event = await store.claimOutboxEvent(options);
      if (event === undefined) return undefined;
      const { key, token } = event;
      const orderId = event.orderId ?? undefined;
      note(orderId, () => `${process.name}: claims ${key} (run ${token})`);
      if (log.done.has(key)) violate('an event is finished once', orderId, `${key} was claimed afterwards`);
      if ((log.claimed.get(key)?.token ?? 0) >= token)
        violate('each run has a new token', orderId, `${key}: ${token} again`);
      const held = log.held.get(orderId ?? key);
      if (held !== undefined && held.untilMs > storeNow())
        violate('one event of an order is leased at a time', orderId, `${key} during that of ${held.key}`);
      log.held.set(orderId ?? key, { key, untilMs: leaseUntilMs });
      log.claimed.set(key, { ...event });
      return event;
    },
    async updateOutboxEvent(run, change) {
      const leaseUntilMs = change.state === 'running' ? untilMs(change.leaseMs) : 0;
      const ended = await store.updateOutboxEvent(run, change);
      if (change.state === 'running') {
        const held = ended && heldBy(run.key);
        if (held?.key === run.key) held.untilMs = leaseUntilMs;
      } else if (change.state === 'done') noteFinish(run, ended);
      else if (ended !== undefined) release(run.key);
      return ended;
    },
    ...(store.transact !== undefined && {
      async transact(run, work) {
        const ended = await store.transact?.(run, work);
        noteFinish(run, ended);
        return ended;
      },
    }),
  };
}

/** Checks a new version of an order against the version before and against the bank. */
function noteOrder(parts: Parts, process: SimulatedProcess, order: Order, version: number): void {
  const { world, log, screens } = parts;
  const { orderId } = order;
  const known = log.versions.get(orderId) ?? 0;
  if (version !== known + 1)
    world.violate('versions increase by one', orderId, `version ${version} after ${known}`);
  log.versions.set(orderId, version);
  const payments = paymentFactsOf(order);
  for (const payment of payments) {
    const before = log.records.get(payment.reference);
    log.records.set(payment.reference, payment);
    notePayment(parts, process, before, payment);
    if (before === undefined) checkPrices(world, payment, payments);
    if (JSON.stringify(before) !== JSON.stringify(payment)) screens.recordStored(payment);
  }
}

/** Checks that no open payment of the order has another price than the new one. */
function checkPrices(
  world: World,
  { orderId, amount }: PaymentFacts,
  payments: readonly PaymentFacts[],
): void {
  for (const other of payments) {
    const isOpen = other.opened !== null && other.outcome !== 'replaced';
    if (isOpen && other.amount.value !== amount.value)
      world.violate('an order is paid at its price', orderId, `${other.reference} is open at another price`);
  }
}

function notePayment(
  { world, log, bank, observer }: Parts,
  process: SimulatedProcess,
  before: PaymentFacts | undefined,
  payment: PaymentFacts,
): void {
  const { reference, orderId, outcome, observed } = payment;
  const violate = (rule: string, text: string): void => world.violate(rule, orderId, `${reference} ${text}`);
  world.name(reference, orderId);
  world.note(orderId, () => `${process.name}: writes ${reference} ${outcome} ${observed?.status ?? '-'}`);
  const { charged = 0, succeededAtMs = Infinity } = bank.truthOf(reference) ?? {};
  const was = before?.outcome ?? 'pending';
  const most = Math.max(observed?.chargedAmount ?? 0, payment.reported);
  if (most > charged) violate('no money is invented', `is recorded or reported with ${most}`);
  const wasConfirmed = was !== 'reversed' || (before?.reported ?? 0) > 0;
  const isDecided = was === 'paid' || was === 'replaced';
  const isLegal =
    was === outcome || (isDecided ? outcome === 'reversed' : !(was === 'reversed' && wasConfirmed));
  if (!isLegal) violate('a paid order stays paid', `became ${outcome} after ${was}`);
  const hasMoney = charged >= payment.amount.value && succeededAtMs <= world.clock.now();
  if (outcome === 'paid' && was !== 'paid' && !hasMoney)
    violate('a paid record has its money', 'became paid without it');
  if (outcome === 'paid') log.paidOrders.add(orderId);
  const isNewlyReplaced = outcome === 'replaced' && was !== 'replaced' && before?.opened != null;
  if (isNewlyReplaced && !log.paidOrders.has(orderId)) {
    const seen = observer.lastVerification(process, reference)?.charged;
    if (seen !== 0)
      violate(
        'an account with money is never replaced',
        `was replaced after a verification that saw ${seen}`,
      );
  }
}
