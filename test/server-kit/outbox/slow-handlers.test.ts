import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { OutcomeEvent } from '../../../server-kit/outbox/handlers.ts';
import { createOutboxRunner } from '../../../server-kit/outbox/runner.ts';
import { createMemoryStore } from '../../../server-kit/stores/memory.ts';
import type { PaymentRecord } from '../../../server-kit/stores/payment-record.ts';
import { createPostgresStore } from '../../../server-kit/stores/postgres.ts';
import { createSqliteStore } from '../../../server-kit/stores/sqlite.ts';
import type { Store } from '../../../server-kit/stores/store.ts';
import { hasPostgres } from '../kit/services.ts';
import { createTestClock } from '../kit/test-clock.ts';
import { createSchema } from '../stores/postgres-kit.ts';
import { record } from '../stores/store-kit.ts';

const slowAfterMs = 3000;

const account = { number: '0000014579', name: 'Shop', bankName: 'First Bank', bankCode: '011' };
const openedAt = '2026-03-01T12:00:00.000Z';
const opened = { paymentId: 'p', account, openedAt, expiresAt: '2026-03-01T13:00:00.000Z', liveMode: false };

/** A runner whose handlers hang for orders that are named so, until the gate opens. Its own clock stands still. */
function startRunner(store: Store) {
  const clock = createTestClock();
  const begun: string[] = [];
  const notified: string[] = [];
  const errors: unknown[] = [];
  const gate = new AbortController();
  const opens = new Promise<void>((resolve) => gate.signal.addEventListener('abort', () => resolve()));
  const tell = async ({ idempotencyKey }: OutcomeEvent): Promise<void> => {
    begun.push(idempotencyKey);
    if (idempotencyKey.startsWith('hung') && idempotencyKey.endsWith('amountMismatch')) await opens;
    notified.push(idempotencyKey);
  };
  const runner = createOutboxRunner({
    store,
    wait: clock.wait,
    leaseMs: 600_000,
    handlers: { onPaid: tell, onAmountMismatch: tell },
    maxTries: 3,
    random: Math.random,
    log: (event) => 'error' in event && errors.push(event.error),
  });
  /** Orders with two outcomes each, one after the other. */
  const bring = async (name: string, count: number): Promise<void> => {
    for (let n = 1; n <= count; n++) {
      const payment: PaymentRecord = {
        ...record,
        reference: `${name}-${n}`,
        orderId: `${name}-${n}`,
        opened,
      };
      await store.insert(payment, { checkAfterMs: null });
      await store.update(payment, { checkAfterMs: null, outcomes: ['amountMismatch', 'paid'] });
    }
    runner.runSoon();
  };
  const countHung = (): number => begun.filter((key) => key.startsWith('hung')).length;
  /** Lets so much time pass that each handler that runs takes long, until so many run. */
  const untilHung = async (count: number): Promise<void> => {
    for (let hung = 0; hung < count; ) {
      hung = Math.min(hung + 4, count);
      await expect.poll(countHung).toBe(hung);
      await clock.untilWaiting(slowAfterMs, hung % 4 || 4);
      clock.advance(slowAfterMs);
    }
  };
  const end = async (): Promise<void> => {
    gate.abort();
    await runner.settled();
  };
  // Before the store is closed, which waits for those who use it.
  onTestFinished(end);
  return { runner, clock, begun, notified, errors, bring, countHung, untilHung, end };
}

function createFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'checkout-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return `file:${join(folder, 'shop.db')}`;
}

const closing = <S extends Pick<Store, 'close'>>(store: S): S => {
  onTestFinished(store.close);
  return store;
};

type Kind = { name: string; hung: number; most: number; open: () => Promise<Store> };

const kinds: Kind[] = [
  { name: 'memory', hung: 20, most: 100, open: async () => createMemoryStore() },
  {
    name: 'SQLite',
    hung: 20,
    most: 100,
    open: async () => closing(createSqliteStore({ url: createFile() })),
  },
];

if (await hasPostgres()) {
  const openOnPool = async (): Promise<Store> => {
    const { connectionString } = await createSchema();
    const pool = new Pool({ connectionString, max: 7, query_timeout: 20_000 });
    onTestFinished(() => pool.end());
    return createPostgresStore({ pool });
  };
  kinds.push(
    { name: 'PostgreSQL', hung: 11, most: 12, open: async () => (await createSchema()).open() as Store },
    { name: 'PostgreSQL with a pool of seven of the merchant’s', hung: 3, most: 4, open: openOnPool },
  );
}

describe.each(kinds)('handlers that hang, on $name', ({ hung, most, open }) => {
  it('do not hold up the others, and each order’s events still run one after the other', async () => {
    const { bring, untilHung, notified, begun, errors, end, clock } = startRunner(await open());
    await bring('hung', hung);
    await untilHung(hung);
    await bring('quick', 5);
    await expect.poll(() => notified.length).toBe(10);
    for (let n = 1; n <= 5; n++) {
      const ofOrder = notified.filter((key) => key.startsWith(`quick-${n}:`));
      expect(ofOrder).toEqual([`quick-${n}:amountMismatch`, `quick-${n}:paid`]);
    }
    expect(begun.filter((key) => key.startsWith('hung') && key.endsWith('paid'))).toEqual([]);
    await end();
    await expect.poll(() => notified.length).toBe(10 + 2 * hung);
    expect(errors).toEqual([]);
    await expect.poll(clock.pending).toBe(0);
  });

  it(`are ${most} at most, and the store goes on working beside them`, async () => {
    const store = await open();
    let claims = 0;
    const claimOutboxEvent: Store['claimOutboxEvent'] = (options) => {
      claims++;
      return store.claimOutboxEvent(options);
    };
    const { bring, untilHung, countHung, notified, runner, end } = startRunner({
      ...store,
      claimOutboxEvent,
    });
    await bring('hung', most + 3);
    await untilHung(most);
    const claimsBefore = claims;
    for (let n = 0; n < 10; n++) runner.runSoon();
    await Promise.all(Array.from({ length: 10 }, () => store.findByReference('hung-1')));
    expect(await store.measure()).toMatchObject({ pendingOutboxEvents: 2 * (most + 3) });
    expect([countHung(), claims]).toEqual([most, claimsBefore]);
    await end();
    await expect.poll(() => notified.length).toBe(2 * (most + 3));
  });
});
