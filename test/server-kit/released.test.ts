import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { safeParse } from 'valibot';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Store } from '../../server-kit/checkout/ports/store.ts';
import { createSqliteStore } from '../../server-kit/drivers/sqlite/store.ts';
import { PaymentView } from '../../src/contract/index.ts';
import { viewOf } from '../core/views.ts';
import * as released from '../fixtures/released/server-kit.js';
import { createSchema } from './drivers/postgres/postgres-kit.ts';
import { hasPostgres, postgresUrl } from './kit/services.ts';

/** What both versions have of a store. */
type AnyStore = Pick<Store, 'migrate' | 'close'>;
type Stores = Record<'before' | 'today', AnyStore>;

const isPostgresThere = await hasPostgres();

const openOnSqlite = (): Stores => {
  const folder = mkdtempSync(join(tmpdir(), 'transfer-checkout-released-'));
  const url = `file:${join(folder, 'shop.db')}`;
  const stores = { before: released.createSqliteStore({ url }), today: createSqliteStore({ url }) };
  onTestFinished(async () => {
    await Promise.all([stores.before.close(), stores.today.close()]);
    rmSync(folder, { recursive: true });
  });
  return stores;
};

const openOnPostgres = async (): Promise<Stores> => {
  const { schema, open } = await createSchema();
  const before = released.createPostgresStore({ connectionString: postgresUrl, schema });
  onTestFinished(() => before.close());
  return { before, today: open() };
};

describe('tables of the released version', () => {
  const refuse = async ({ before, today }: Stores): Promise<void> => {
    await before.migrate();
    await expect(today.migrate()).rejects.toMatchObject({ code: 'internal_error' });
    await before.migrate();
  };

  it('on SQLite are refused, and left as they are', () => refuse(openOnSqlite()));

  it.skipIf(!isPostgresThere)('on PostgreSQL are refused, and left as they are', async () =>
    refuse(await openOnPostgres()),
  );
});

describe('the view of a payment', () => {
  const additions = { paymentReference: 'order-1001-0', orderChargedAmount: 2_500_000 };
  const paid = viewOf({ outcome: 'paid', status: 'succeeded', chargedAmount: 1_250_000, receivedLate: true });

  it('of today is accepted by the released version, which ignores what it does not know', () => {
    expect(released.safeParse(released.PaymentView, { ...paid, ...additions })).toMatchObject({
      success: true,
      output: paid,
    });
    expect(released.safeParse(released.PaymentView, { ...paid, ...additions }).output).toEqual(paid);
  });

  it('of the released version is accepted unchanged', () => {
    expect(safeParse(PaymentView, paid).output).toEqual(paid);
  });
});
