import type { Sandbox } from '../../../server-kit/tools/sandbox/index.ts';
import type { CallLine } from './shop-process.ts';
import type { Visit } from './shoppers.ts';

type Payment = ReturnType<Sandbox['control']['listPayments']>[number];

const hasMoney = ({ status }: Payment): boolean => status === 'succeeded' || status === 'reversed';

/**
 * Compares the merchant's ledger with the payments at the service and the shoppers' visits, independently of the checkout.
 *
 * @param ledger all its idempotency keys in their order, including repeated ones
 */
export function findLedgerFaults(
  ledger: readonly string[],
  visits: readonly Visit[],
  payments: readonly Payment[],
): string[] {
  const keysOf = groupBy(ledger, (key) => key.split(':')[0] ?? '');
  const paymentsOf = groupBy(payments, ({ metadata }) => String(metadata.orderId));
  const orders = new Set(visits.map(({ orderId }) => orderId));
  const unknownKeys = ledger.filter((key) => !orders.has(key.split(':')[0] ?? ''));
  return [
    ...unknownKeys.map((key) => `${key} belongs to no order`),
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
  // In these tests, excess money always arrives after the shop has verified the full amount.
  const excess = funded.filter(({ amount, chargedAmount }) => chargedAmount > amount.value);
  const unexpected = funded.flatMap(({ reference }) =>
    [1, 2].map((movement) => `${orderId}:unexpectedMoney:${reference}:${movement}`),
  );
  const faults = new Set<string>();
  const expect = (outcome: string, least: number, most = least): void => {
    const found = count(outcome);
    if (found < least || found > most)
      faults.add(`${orderId}: ${outcome} ${found} times instead of ${least}`);
  };
  expect('paid', Number(isPaid));
  expect('unexpectedMoney', funded.length - Number(isPaid) + excess.length);
  expect('reversed', Number(isReversed));
  // A paid order may or may not have reported the expiry of an account before.
  expect('expired', Number(!isPaid), 1);
  expect('failed', 0);
  expect('amountMismatch', 0);
  if (new Set(keys).size < keys.length) faults.add(`${orderId} has a repeated key`);
  for (const key of keys)
    if (key.includes(':unexpectedMoney:') && !unexpected.includes(key)) faults.add(`${key} has no money`);
  const known = ['expired', 'paid', 'reversed'].map((outcome) => `${orderId}:${outcome}`);
  const inOrder = known.filter((key) => keys.includes(key));
  const found = keys.filter((key) => known.includes(key));
  if (inOrder.join() !== [...new Set(found)].join()) faults.add(`${keys}: wrong order`);
  return [...faults];
}

/**
 * Returns the faults of handler calls: a handler failed, was called again although its process was not killed, or left no entry in
 * the ledger.
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
    if (!written.has(key) && !isOvertaken) faults.push(`${key} was called, but is not in the ledger`);
  }
  for (const key of written)
    if (!begun.has(key)) faults.push(`${key} is in the ledger, but was never called`);
  return faults;
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}
