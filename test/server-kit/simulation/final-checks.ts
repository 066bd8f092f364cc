import type { Sandbox } from '../../../server-kit/sandbox/index.ts';
import { overtakenByPaid } from '../../../server-kit/stores/outbox-event.ts';
import type { PaymentRecord } from '../../../server-kit/stores/payment-record.ts';
import type { StoreMeasures } from '../../../server-kit/stores/store.ts';
import type { Bank } from './service/bank.ts';
import type { Observer } from './service/observer.ts';
import type { Ledger } from './shop/ledger.ts';
import type { Shoppers } from './shoppers/shoppers.ts';
import type { StoreLog } from './store/watched-store.ts';
import type { World } from './world/settings.ts';

export type FinalParts = {
  world: World;
  sandbox: Sandbox;
  bank: Bank;
  observer: Observer;
  ledger: Ledger;
  log: StoreLog;
  shoppers: Pick<Shoppers, 'given'>;
  measures: StoreMeasures;
  /** The keys of what was committed in a database of the merchant's, where there is one. */
  committed: readonly string[] | undefined;
  /** Whether handlers have run in transactions. */
  isExactlyOnce: boolean;
};

/** What must be true when everything is over: nothing is lost, nothing is done twice, and nothing is left to do. */
export function checkAtTheEnd(parts: FinalParts): void {
  checkNothingIsLeft(parts);
  checkRecords(parts);
  checkLinks(parts);
  checkDeeds(parts);
  checkOrders(parts);
}

function checkNothingIsLeft({ world, measures, observer, shoppers, log }: FinalParts): void {
  const { violate } = world;
  const { pendingOutboxEvents, deadLetters } = measures;
  if (pendingOutboxEvents + deadLetters > 0)
    violate(
      'nothing is left to report',
      undefined,
      `${pendingOutboxEvents} wait, ${deadLetters} are set aside`,
    );
  if (measures.oldestConfirmingMs !== null)
    violate('nothing is left to be confirmed', undefined, `for ${measures.oldestConfirmingMs} ms`);
  // An account that nobody was shown holds no money, and needs no verification.
  for (const reference of observer.callbacksWithoutVerification())
    if (log.records.get(reference)?.opened != null)
      violate(
        'a callback leads to a verification',
        reference,
        `no verification has followed the callback about ${reference}`,
      );
  for (const reference of shoppers.given())
    if (log.records.get(reference)?.opened == null)
      violate('what is given out is recorded', reference, `the account or link of ${reference} was`);
}

/** What the service says last within the watched time is what is recorded. */
function checkRecords(parts: FinalParts): void {
  const { world, sandbox, log, shoppers } = parts;
  const { times, count, violate } = world;
  const given = new Set(shoppers.given());
  for (const payment of sandbox.control.listPayments()) {
    const { reference, status, chargedAmount, updatedAt, expiresAt } = payment;
    count('payments at the service');
    count(`payments ${status}`);
    const record = log.records.get(reference);
    if (record === undefined) {
      violate('each payment is recorded', undefined, `${reference} is not`);
      continue;
    }
    if (!given.has(reference) && (record.opened === null || record.outcome === 'replaced')) {
      checkClosed(parts, record, status);
      continue;
    }
    if (!isWatched(record, { updatedAt, expiresAt }, times)) {
      count('payments that changed after their watch');
      continue;
    }
    const { observed } = record;
    if (observed?.status !== status || observed.chargedAmount !== chargedAmount) {
      const known = `${observed?.status} with ${observed?.chargedAmount}`;
      violate(
        'no money is lost',
        record.orderId,
        `${reference} is ${status} with ${chargedAmount}, and recorded as ${known}`,
      );
    }
  }
}

/**
 * The shop gave this payment to nobody, and closed it. Somebody may have paid all the same: by a link that the service has
 * mailed, say. It is not verified again, unless a callback names it.
 */
function checkClosed(
  { world, bank, observer, ledger }: FinalParts,
  { reference, orderId }: PaymentRecord,
  status: string,
): void {
  const truth = bank.truthOf(reference);
  if (truth === undefined || truth.charged === 0 || status === 'reversed') return;
  if (observer.calledBackAt(reference) < truth.lastMoneyAtMs) {
    world.count('money on closed payments that no callback named');
    return;
  }
  world.count('money on closed payments');
  const deeds = ledger.deeds();
  const isPaid = deeds.get(`${orderId}:paid`)?.reference === reference;
  if (!isPaid && !deeds.has(`${orderId}:unexpectedMoney:${reference}`))
    world.violate(
      'money on a closed payment is reported',
      orderId,
      `${reference} was closed before it was opened, and holds ${truth.charged}`,
    );
}

/** A link that nobody has opened is reported as expired, although the service does not say so. */
function checkLinks({ world, sandbox, log }: FinalParts): void {
  const { count, violate } = world;
  for (const { reference, isOpened } of sandbox.control.listCheckoutLinks()) {
    const record = log.records.get(reference);
    if (record === undefined) violate('each link is recorded', undefined, `${reference} is not`);
    if (isOpened) continue;
    count('links that nobody has opened');
    if (record?.outcome === 'pending') violate('a link ends', record.orderId, `${reference} waits still`);
  }
}

/** How far clocks differ, and nodes of the service lag, at the end of a watch. */
const slackMs = 10_000;

function isWatched(
  { outcome, observed, opened }: PaymentRecord,
  { updatedAt, expiresAt }: { updatedAt: string; expiresAt: string },
  { lateWatchSeconds, reversalWatchSeconds }: World['times'],
): boolean {
  const changedMs = Date.parse(updatedAt) + slackMs;
  // An expiry that cannot be is taken for the moment of opening at the earliest.
  const { openedAt = expiresAt, expiresAt: statedExpiresAt = expiresAt } = opened ?? {};
  const statedMs = Math.max(Date.parse(statedExpiresAt), Date.parse(openedAt));
  if (changedMs <= Math.min(Date.parse(expiresAt), statedMs) + lateWatchSeconds * 1000) return true;
  if (outcome !== 'paid' && outcome !== 'reversed') return false;
  return changedMs <= Date.parse(observed?.updatedAt ?? '') + reversalWatchSeconds * 1000;
}

/** What counts as done was done, and what was done counts. */
function checkDeeds({ world, ledger, log, committed, isExactlyOnce }: FinalParts): void {
  const { violate, count } = world;
  for (const { key, outcome, orderId, completions } of ledger.deeds().values()) {
    count(`reported ${outcome}`);
    count('handlers that ended well', completions);
    // The work was done, and its end came too late: the event was withdrawn when the order was paid.
    const isWithdrawn = overtakenByPaid.includes(outcome) && log.done.has(`${orderId}:paid`);
    if (!log.done.has(key) && !isWithdrawn)
      violate('what is done counts as done', orderId, `${key} was carried out, and is not done`);
  }
  for (const { key, orderId, completions } of ledger.deeds().values())
    if (isExactlyOnce && completions !== 1)
      violate('in a transaction once is once', orderId, `${key} was committed ${completions} times`);
  const keys = [...ledger.deeds().keys()].sort();
  if (committed !== undefined && JSON.stringify([...committed].sort()) !== JSON.stringify(keys))
    violate('what is committed counts as done', undefined, `${committed.length} for ${keys.length} keys`);
  for (const key of log.done)
    if (!ledger.deeds().has(key)) violate('what counts as done was done', log.claimed.get(key)?.orderId, key);
}

/** Each record's outcome was reported once. */
function checkOrders({ world, bank, ledger, log }: FinalParts): void {
  const { violate } = world;
  const deeds = ledger.deeds();
  const isReported = (outcome: string, { orderId, reference }: PaymentRecord): boolean =>
    deeds.get(`${orderId}:${outcome}`)?.reference === reference ||
    deeds.has(`${orderId}:unexpectedMoney:${reference}`);
  const paidOrders = new Set(
    [...deeds.values()].flatMap(({ outcome, orderId }) => (outcome === 'paid' ? orderId : [])),
  );
  for (const record of log.records.values()) {
    const { orderId, reference, outcome, observed } = record;
    const missing = (what: string): void => violate('nothing is missing', orderId, `${what} of ${reference}`);
    const truth = bank.truthOf(reference);
    const hasItsMoney = observed?.status === 'succeeded' && observed.chargedAmount >= record.amount.value;
    if (hasItsMoney && outcome !== 'replaced' && !(isReported('paid', record) && paidOrders.has(orderId)))
      missing('paid');
    switch (outcome) {
      case 'paid':
        if (!isReported('paid', record)) missing('paid');
        break;
      case 'reversed':
        if (deeds.get(`${orderId}:paid`)?.reference === reference && !deeds.has(`${orderId}:reversed`))
          missing('reversed');
        break;
      case 'expired':
      case 'failed':
      case 'amountMismatch':
        if (!deeds.has(`${orderId}:${outcome}`) && !(outcome !== 'amountMismatch' && paidOrders.has(orderId)))
          missing(outcome);
        break;
      case 'replaced':
        if (
          (observed?.chargedAmount ?? 0) > 0 &&
          truth?.reversedAtMs === undefined &&
          !isReported('unexpectedMoney', record)
        )
          missing('unexpectedMoney');
        break;
    }
  }
}
