import { confirmedAmount } from '../../../server-kit/engine/order/money.ts';
import type { StoreMeasures } from '../../../server-kit/engine/store.ts';
import type { Sandbox } from '../../../server-kit/tools/sandbox/index.ts';
import type { PaymentFacts } from '../kit/payment-facts.ts';
import type { Bank } from './service/bank.ts';
import type { Observer } from './service/observer.ts';
import type { Ledger } from './shop/ledger.ts';
import type { Shoppers } from './shoppers/shoppers.ts';
import type { StoreLog } from './store/watched-store.ts';
import type { World } from './world/world.ts';

type FinalParts = {
  world: World;
  sandbox: Sandbox;
  bank: Bank;
  observer: Observer;
  ledger: Ledger;
  log: StoreLog;
  shoppers: Pick<Shoppers, 'received'>;
  measures: StoreMeasures;
  isExactlyOnce: boolean;
};

/** Checks at the end of a run that nothing was lost, nothing was done twice, and nothing is pending. */
export function checkAtTheEnd(parts: FinalParts): void {
  checkNothingPending(parts);
  checkRecords(parts);
  checkLinks(parts);
  checkLedger(parts);
  checkOrders(parts);
}

function checkNothingPending({ world: { violate }, measures, observer, shoppers, log }: FinalParts): void {
  const { pendingOutboxEvents: pending, parkedEvents: parked, oldestConfirmingMs } = measures;
  const isOpened = (reference: string): boolean => log.records.get(reference)?.opened != null;
  if (pending + parked > 0)
    violate('every outcome was reported', undefined, `${pending} events are pending, ${parked} parked`);
  if (oldestConfirmingMs !== null)
    violate('no payment is still confirming', undefined, `one has for ${oldestConfirmingMs} ms`);
  // A payment that was never opened needs no verification.
  for (const reference of observer.callbacksWithoutVerification())
    if (isOpened(reference)) violate('a callback leads to a verification', reference, `not for ${reference}`);
  for (const reference of shoppers.received())
    if (!isOpened(reference))
      violate('each session that a shopper received is recorded', reference, reference);
}

/** Checks that each record shows the last state that its payment had at the service while it was watched. */
function checkRecords(parts: FinalParts): void {
  const { world, sandbox, log, shoppers } = parts;
  const { times, count, violate } = world;
  const received = new Set(shoppers.received());
  for (const payment of sandbox.control.listPayments()) {
    const { reference, status, chargedAmount } = payment;
    count('payments at the service');
    count(`payments ${status}`);
    const record = log.records.get(reference);
    if (record === undefined) violate('each payment is recorded', undefined, `${reference} is not`);
    else if (!received.has(reference) && (record.opened === null || record.outcome === 'replaced'))
      checkClosed(parts, record, status);
    else if (!isWatched(record, payment, times)) count('payments that changed after their watch');
    else if (record.observed?.status !== status || record.observed.chargedAmount !== chargedAmount) {
      const recorded = `${record.observed?.status} with ${record.observed?.chargedAmount}`;
      const text = `${reference} is ${status} with ${chargedAmount}, but recorded as ${recorded}`;
      violate('no money is lost', record.orderId, text);
    }
  }
}

/**
 * Checks a payment that the shop closed before issuing it. A shopper may still have paid it, for example by a mailed link, but
 * the shop only learns of this from a callback.
 */
function checkClosed(
  { world, bank, observer, ledger }: FinalParts,
  { reference, orderId }: PaymentFacts,
  status: string,
): void {
  const truth = bank.truthOf(reference);
  const isConfirmed = status === 'succeeded' || status === 'expired';
  if (truth === undefined || truth.charged === 0 || !isConfirmed) return;
  if (observer.calledBackAt(reference) < truth.lastMoneyAtMs) {
    world.count('money on closed payments that no callback named');
    return;
  }
  world.count('money on closed payments');
  const entries = ledger.entries();
  const hasPaidOrder = entries.get(`${orderId}:paid`)?.reference === reference;
  if (!hasPaidOrder && !entries.has(`${orderId}:unexpectedMoney:${reference}:1`))
    world.violate('money on a closed payment is reported', orderId, `${reference} holds ${truth.charged}`);
}

/** Checks that links that were never opened have ended, although the service never says so. */
function checkLinks({ world, sandbox, log }: FinalParts): void {
  const { count, violate } = world;
  for (const { reference, isOpened } of sandbox.control.listCheckoutLinks()) {
    const record = log.records.get(reference);
    if (record === undefined) violate('each link is recorded', undefined, `${reference} is not`);
    if (isOpened) continue;
    count('links never opened');
    if (record?.outcome === 'pending') violate('each link ends', record.orderId, `${reference} is pending`);
  }
}

/** Allowance at the end of a watch for clock differences and lagging service nodes. */
const slackMs = 10_000;

function isWatched(
  { outcome, observed, opened }: PaymentFacts,
  { updatedAt, expiresAt }: { updatedAt: string; expiresAt: string },
  { lateWatchSeconds, reversalWatchSeconds }: World['times'],
): boolean {
  const changedMs = Date.parse(updatedAt) + slackMs;
  // A payment cannot expire before it was opened, whatever the service states.
  const { openedAt = expiresAt, expiresAt: statedExpiresAt = expiresAt } = opened ?? {};
  const statedMs = Math.max(Date.parse(statedExpiresAt), Date.parse(openedAt));
  if (changedMs <= Math.min(Date.parse(expiresAt), statedMs) + lateWatchSeconds * 1000) return true;
  if (outcome !== 'paid' && outcome !== 'reversed') return false;
  return changedMs <= Date.parse(observed?.updatedAt ?? '') + reversalWatchSeconds * 1000;
}

function checkLedger({ world, ledger, log, isExactlyOnce }: FinalParts): void {
  const { violate, count } = world;
  for (const { key, outcome, orderId, completions } of ledger.entries().values()) {
    count(`reported ${outcome}`);
    count('handlers completed', completions);
    // The order was paid and the event withdrawn before the handler finished.
    const isWithdrawn = (outcome === 'expired' || outcome === 'failed') && log.done.has(`${orderId}:paid`);
    if (!log.done.has(key) && !isWithdrawn)
      violate('each handled event is finished', orderId, `${key} was handled, but is not finished`);
    if (isExactlyOnce && completions !== 1)
      violate('a transaction commits each key once', orderId, `${key} was committed ${completions} times`);
  }
  for (const key of log.done)
    if (!ledger.entries().has(key))
      violate('each finished event was handled', log.claimed.get(key)?.orderId ?? undefined, key);
}

/** Checks that what was reported of each payment is what the service has confirmed, and that the ends of orders were reported. */
function checkOrders({ world, ledger, log }: FinalParts): void {
  const entries = ledger.entries();
  for (const { orderId, reference, outcome, observed, reported } of log.records.values()) {
    const check = (isRight: boolean, rule: string, text: string): void => {
      if (!isRight) world.violate(rule, orderId, `${reference}: ${text}`);
    };
    const confirmed = observed === null ? 0 : confirmedAmount(observed);
    const isConfirmed = confirmed === null || confirmed === reported;
    check(isConfirmed, 'what is reported is what is confirmed', `${reported}, not ${confirmed}`);
    const isReported = reported === 0 || [...entries.values()].some((entry) => entry.reference === reference);
    check(isReported, 'no report is missing', 'money was not reported');
    const isEnd = outcome === 'expired' || outcome === 'failed';
    const isEndReported = !isEnd || entries.has(`${orderId}:${outcome}`) || log.paidOrders.has(orderId);
    check(isEndReported, 'no report is missing', `${outcome} was not reported`);
  }
}
