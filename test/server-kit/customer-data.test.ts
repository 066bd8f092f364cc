import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@libsql/client';
import { expect, it, onTestFinished } from 'vitest';
import type { Store } from '../../server-kit/engine/store.ts';
import { createSqliteStore } from '../../server-kit/stores/sqlite/store.ts';
import { createTestShop } from '../../server-kit/tools/testing/index.ts';

const customer = { name: 'Adaeze Obiora', email: 'adaeze@example.com' };

/** The name that the service gives the account of the order. */
const accountName = 'Sandbox Merchant / Adaeze Obiora';

/** An order of a customer, from its account to its reversal, and a callback about a payment of no order. */
async function liveThrough(store: Store): Promise<void> {
  const shop = createTestShop({ store });
  const session = await shop.open({ customer, metadata: { deliverTo: '7 Broad Street' } });
  expect(session.account.name).toBe(accountName);
  await shop.pay(session);
  await shop.reverse(session);
  await shop.callBack({ reference: 'by-hand', data: { customer } });
  expect(shop.errors).toEqual([]);
}

/** What the shopper has to be shown is recorded, and nothing else of the customer. */
function expectNoCustomer(rows: string): void {
  expect(rows).toContain('order-1');
  expect(rows).not.toContain('by-hand');
  expect(rows.split(accountName)).toHaveLength(2);
  expect(rows.replace(accountName, '')).not.toMatch(/adaeze|obiora|broad street|deliverTo/i);
}

it('the customer of an order, but for the name of the account, is in no row of SQLite', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'customer-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const url = `file:${join(folder, 'shop.db')}`;
  const store = createSqliteStore({ url });
  await liveThrough(store);
  await store.close();
  const client = createClient({ url });
  onTestFinished(() => client.close());
  const { rows: tables } = await client.execute("SELECT name FROM sqlite_master WHERE type = 'table'");
  const rows = await Promise.all(tables.map(({ name }) => client.execute(`SELECT * FROM "${name}"`)));
  expectNoCustomer(JSON.stringify(rows.flatMap((result) => result.rows)));
});
