import { Pool } from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import type { OutcomeEvent } from '../../../../server-kit/checkout/outbox/handlers.ts';
import type { Store } from '../../../../server-kit/checkout/ports/store.ts';
import { createPostgresStore } from '../../../../server-kit/drivers/postgres/store.ts';
import { createSchema } from '../../drivers/postgres/postgres-kit.ts';
import { createGate } from '../../kit/gate.ts';
import { hasPostgres } from '../../kit/services.ts';
import { follow, orderOf, paidOrder, shown } from '../order/orders.ts';
import { createOutbox, leaseMs, writeOrder } from './outbox-kit.ts';

async function openOnPool() {
  const { connectionString } = await createSchema();
  const pool = new Pool({ connectionString, max: 7, query_timeout: 20_000 });
  onTestFinished(() => pool.end());
  return createPostgresStore({ pool });
}

const pools: [string, number, () => unknown][] = [
  ['of its own', 12, async () => (await createSchema()).open()],
  ['of seven, the merchant’s', 4, openOnPool],
];

/** A runner whose handlers hang for orders that are named so, whatever their signal says. Its own clock is moved by the test. */
function createHungOutbox(inner: Store) {
  const hung: string[] = [];
  const done: string[] = [];
  const { open: end, opened: ended } = createGate();
  const handle = async ({ order: { orderId }, idempotencyKey }: OutcomeEvent): Promise<void> => {
    if (orderId.startsWith('hung')) {
      hung.push(orderId);
      await ended;
    }
    done.push(idempotencyKey);
  };
  const handlers = { onPaid: handle, onAmountMismatch: handle };
  // The clock of the test would not wait for renewals, and those of the database last longer than the test.
  const change = () => ({ renewOutboxEvent: async () => true });
  const outbox = createOutbox(handlers, change, { inner, maxTries: 160 });
  // Before the store is closed, which waits for those who use it.
  onTestFinished(() => {
    end();
    return outbox.stop(AbortSignal.abort());
  });
  return { ...outbox, hung, done };
}

const until = <T>(read: () => T | Promise<T>) => expect.poll(read, { interval: 5, timeout: 20_000 });
const quick = ['quick-1', 'quick-2', 'quick-3'];

it.skipIf(!(await hasPostgres())).each(pools)(
  'Handlers that hang on PostgreSQL, with a pool %s, take %i places, and make room for other orders',
  async (_name, places, open) => {
    const warnings: Error[] = [];
    const warn = (warning: Error) => void warnings.push(warning);
    process.on('warning', warn);
    onTestFinished(() => void process.off('warning', warn));
    const store = (await open()) as Store;
    const { runSoon, hung, done, clock, types, pending, pass } = createHungOutbox(store);
    for (let n = 1; n <= places; n++) await writeOrder(store, paidOrder(`hung-${n}`));
    runSoon();
    await until(() => hung.length).toBe(places);
    for (const name of quick) {
      const order = { ...orderOf(shown({ reference: name })), orderId: name };
      await writeOrder(store, follow(order, `${name} succeeded 900, ${name} succeeded 1000`));
    }
    runSoon();
    // The store goes on working beside them.
    await Promise.all(Array.from({ length: 10 }, () => store.find('hung-1')));
    expect([await pending(), done]).toEqual([places + 2 * quick.length, []]);
    await pass(leaseMs);
    await clock.untilWaiting(5000, quick.length);
    // On a busy machine, an interrupted handler is called again before the second event of an order is due, and is interrupted again.
    const pendingLater = (): Promise<number> => {
      clock.advance(5000);
      return pending();
    };
    await expect.poll(pendingLater, { interval: 50, timeout: 20_000 }).toBe(places);
    for (const name of quick) {
      expect(done.filter((key) => key.startsWith(name))).toEqual([`${name}:amountMismatch`, `${name}:paid`]);
    }
    expect([types().filter((type) => type === 'handlerFailed').length > 0, warnings]).toEqual([true, []]);
  },
);
