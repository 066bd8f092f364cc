import type { Sandbox } from '../../../server-kit/sandbox/index.ts';
import type { CallLine } from './shop-process.ts';
import type { Visit } from './shoppers.ts';

type Payment = ReturnType<Sandbox['control']['listPayments']>[number];

const hasMoney = ({ status }: Payment): boolean => status === 'succeeded' || status === 'reversed';

/**
 * What the merchant's ledger has, or has not, against what the service knows and the shoppers did. It is computed
 * without the checkout.
 *
 * @param ledger the idempotency keys in it, in their order; each as often as it is there
 */
export function findLedgerFaults(
  ledger: readonly string[],
  visits: readonly Visit[],
  payments: readonly Payment[],
): string[] {
  const keysOf = groupBy(ledger, (key) => key.split(':')[0] ?? '');
  const paymentsOf = groupBy(payments, ({ metadata }) => String(metadata.orderId));
  const orders = new Set(visits.map(({ orderId }) => orderId));
  const strangers = ledger.filter((key) => !orders.has(key.split(':')[0] ?? ''));
  return [
    ...strangers.map((key) => `${key} is of no order`),
    ...visits.flatMap((visit) =>
      findOrderFaults(visit, keysOf.get(visit.orderId) ?? [], paymentsOf.get(visit.orderId) ?? []),
    ),
  ];
}

function findOrderFaults(visit: Visit, keys: readonly string[], payments: readonly Payment[]): string[] {
  const { orderId, cost, isReversed } = visit;
  const funded = payments.filter(hasMoney);
  const isPaid = funded.some(({ amount }) => amount.value === cost);
  const count = (outcome: string): number => keys.filter((key) => key.split(':')[1] === outcome).length;
  // Nobody here pays too much before the shop has seen enough.
  const excess = funded.filter(({ amount, chargedAmount }) => chargedAmount > amount.value);
  const unexpected = [
    ...funded.map(({ reference }) => `${orderId}:unexpectedMoney:${reference}`),
    ...excess.map((one) => `${orderId}:unexpectedMoney:${one.reference}:${one.chargedAmount}`),
  ];
  const faults = new Set<string>();
  const expect = (outcome: string, least: number, most = least): void => {
    const found = count(outcome);
    if (found < least || found > most) faults.add(`${orderId}: ${found} times ${outcome}, not ${least}`);
  };
  expect('paid', Number(isPaid));
  expect('unexpectedMoney', funded.length - Number(isPaid) + excess.length);
  expect('reversed', Number(isReversed));
  // An order that is paid before its expiry was reported reports only the money.
  expect('expired', Number(!isPaid), 1);
  expect('failed', 0);
  expect('amountMismatch', 0);
  if (new Set(keys).size < keys.length) faults.add(`${orderId} has a key twice`);
  for (const key of keys) {
    if (key.includes(':unexpectedMoney:') && !unexpected.includes(key)) faults.add(`${key} has no money`);
  }
  const isInOrder = (first: string, then: string): boolean =>
    !keys.includes(`${orderId}:${then}`) ||
    keys.indexOf(`${orderId}:${first}`) <= keys.indexOf(`${orderId}:${then}`);
  if (!isInOrder('expired', 'paid') || !isInOrder('paid', 'reversed')) faults.add(`${keys}: in this order`);
  return [...faults];
}

/**
 * What handlers should not have done: failed, been called again although their process lived, or been about what the
 * ledger never had.
 */
export function findCallFaults(calls: readonly CallLine[], ledger: readonly string[]): string[] {
  const killed = new Set<number>();
  const begun = new Map<string, number>();
  const written = new Set(ledger);
  const faults: string[] = [];
  for (const call of calls) {
    if (call.at === 'killed') killed.add(call.pid);
    if (call.at === 'failed') faults.push(`${call.pid}: ${call.error}`);
    if (call.at !== 'begun') continue;
    const { key, pid } = call;
    const before = begun.get(key);
    if (before !== undefined && !killed.has(before)) faults.push(`${key} was called again for no reason`);
    begun.set(key, pid);
    const isOvertaken = key.endsWith(':expired') && written.has(key.replace(/expired$/, 'paid'));
    if (!written.has(key) && !isOvertaken) faults.push(`${key} was called, and is not in the ledger`);
  }
  for (const key of written)
    if (!begun.has(key)) faults.push(`${key} is in the ledger, and was never called`);
  return faults;
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}
