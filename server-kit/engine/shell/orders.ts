import { CheckoutError } from '../../../src/contract/index.ts';
import { within } from '../../core/time.ts';
import { countsForOrder, isEnded } from '../order/money.ts';
import { isShown, type Order, type ShownPayment } from '../order/record.ts';
import { type OrderReport, toReport } from '../telemetry/order-report.ts';
import type { Engine } from './engine.ts';

/** How long the service may take for one order, and how many orders it is asked about at once. */
const [patienceMs, mostAsked] = [8000, 5];

/**
 * Asks the service about the orders that have this id, reference or account number, and reports each, those that were changed last first.
 *
 * @throws {CheckoutError} `not_found` if there is none
 */
export async function reportOrders(engine: Engine, named: string, timeZone = 'UTC'): Promise<OrderReport[]> {
  const find = async () => {
    const found = await engine.store.findOrders(named);
    // The widget shows an account number in groups.
    return found.length > 0 ? found : engine.store.findOrders(named.replaceAll(' ', ''));
  };
  const known = await find();
  if (known.length === 0)
    throw new CheckoutError('not_found', `No order, reference or account number here is ${named}.`);
  const asked = new Map<string, boolean>();
  for (let begun = 0; begun < known.length; begun += mostAsked) {
    const some = known.slice(begun, begun + mostAsked);
    await Promise.all(some.map(async ({ record }) => asked.set(record.orderId, await ask(engine, record))));
  }
  const reports: OrderReport[] = [];
  for (const order of await find()) {
    const sharedWith = await noteSharedAccounts(engine, order.record);
    const isAsked = asked.get(order.record.orderId) ?? false;
    reports.push(toReport(order, { isAsked, sharedWith, timeZone, now: engine.client.serviceNow() }));
  }
  return reports;
}

/** Returns whether the service has responded about each payment. */
async function ask({ verifier, wait, log }: Engine, { payments }: Order): Promise<boolean> {
  const asking = payments
    .filter(isShown)
    .map(({ reference }) =>
      within(wait, patienceMs, (signal) => verifier.verifyNow(reference, signal)).catch((error: unknown) =>
        log({ type: 'verificationFailed', reference, error }),
      ),
    );
  const responses = await Promise.all(asking);
  return responses.every((response) => response !== undefined);
}

/** Returns the other orders that wait for money on an account of this one, and logs them. */
async function noteSharedAccounts({ store, log }: Engine, order: Order): Promise<string[]> {
  const shared = new Set<string>();
  for (const [accountNumber, bankName] of new Map(waitingAccounts(order))) {
    const others = (await store.findOrders(accountNumber)).filter(
      ({ record }) =>
        record.orderId !== order.orderId &&
        waitingAccounts(record).some(([number, bank]) => number === accountNumber && bank === bankName),
    );
    for (const { orderId } of others.map(({ record }) => record)) {
      shared.add(orderId);
      const orderIds = [order.orderId, orderId].sort();
      log({ type: 'accountShared', accountNumber, orderIds });
    }
  }
  return [...shared];
}

/** Returns the number and the bank of each account on which an order waits for money. */
const waitingAccounts = ({ reported, payments }: Order): (readonly [string, string])[] =>
  payments.flatMap((payment) =>
    reported.paid === null && isShown(payment) && isWaiting(payment) && payment.opened.kind === 'account'
      ? [[payment.opened.account.number, payment.opened.account.bankName] as const]
      : [],
  );

const isWaiting = (payment: ShownPayment): boolean =>
  countsForOrder(payment) && (payment.observed === null || !isEnded(payment.observed));

/**
 * Notes what a person has done about an order. It ends what the order needs a person for.
 *
 * @throws {CheckoutError} `not_found`
 */
export async function noteOrder(
  { store, records, client }: Engine,
  { orderId, text }: { orderId: string; text: string },
): Promise<void> {
  const stored = await store.find({ orderId });
  if (stored.record === null) throw new CheckoutError('not_found', `There is no order ${orderId}.`);
  const at = new Date(client.serviceNow()).toISOString();
  await records.update(stored, (order) => ({
    ...order,
    notes: [...(order.notes ?? []), { at, text, events: order.reported.events }].slice(-mostNotes),
  }));
}

/** A record is read and written as a whole. */
const mostNotes = 20;
