import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { Store } from '../../../server-kit/engine/store.ts';
import { createPostgresStore } from '../../../server-kit/stores/postgres/store.ts';
import { createSqliteStore } from '../../../server-kit/stores/sqlite/store.ts';
import type { PaymentView, Problem, Session } from '../../../src/contract/index.ts';
import { connectPostgres, hasPostgres, postgresUrl, uniqueName } from '../kit/services.ts';
import { createTestClock, type TestClock } from '../kit/test-clock.ts';
import { createWiredShop, order, shopUrl } from '../kit/wired-shop.ts';

type Outage = { store: Store; clock: TestClock; begin: () => unknown; end: () => unknown };

/**
 * A shop whose database takes no writes between `begin` and `end`, while an order is paid. Expects that readiness says so, that no
 * account is shown which is not stored, that nothing is reported twice or lost, and that no restart is needed.
 */
async function expectOutageSurvived({ store, clock, begin, end }: Outage): Promise<void> {
  const notified: string[] = [];
  const note = ({ idempotencyKey }: { idempotencyKey: string }) => void notified.push(idempotencyKey);
  let orderId = 'order-1';
  const getOrder = () => ({ ...order, orderId });
  const shop = createWiredShop({ store, getOrder, onPaid: note, onAttention: note }, {}, { clock });
  const { open, get, post, checkout, sandbox } = shop;
  const pay = ({ account }: Session) =>
    sandbox.control.transfer({ accountNumber: account.number, amount: order.amount.value });
  const readiness = async (): Promise<number> => {
    clock.advance(1000);
    return (await checkout.handler(new Request(`${shopUrl}/checkout/ready`))).status;
  };
  const first = await open();
  expect(await readiness()).toBe(200);

  await begin();
  try {
    pay(first);
    clock.advance(5000);
    expect(await readiness()).toBe(503);
    // Where the record cannot be written, the shopper sees an error, or the account as before.
    const seen = await get(first);
    if (seen.status === 200) expect((await seen.json()) as PaymentView).toMatchObject({ outcome: 'pending' });
    else expect(seen.status).toBeOneOf([500, 503]);
    orderId = 'order-2';
    const refused = await post();
    expect(refused.status).toBeOneOf([500, 503]);
    expect((await refused.json()) as Problem).not.toHaveProperty('account');
    await checkout.reconcile().catch(() => {});
    expect(notified).toEqual([]);
  } finally {
    await end();
  }

  expect(await readiness()).toBe(200);
  const second = await open();
  expect(second.account.number).not.toBe(first.account.number);
  pay(second);
  for (let round = 0; round < 5; round++) {
    clock.advance(61_000);
    await checkout.reconcile();
  }
  expect(notified.sort()).toEqual(['order-1:paid', 'order-2:paid']);
  expect((await (await get(first)).json()) as PaymentView).toMatchObject({ outcome: 'paid' });
}

/** Mounts a disk of a megabyte; `undefined` where only root may. It is gone after the test. */
function mountDisk(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'transfer-checkout-disk-'));
  onTestFinished(() => rmdirSync(folder));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder], { stdio: 'pipe' });
  } catch (cause) {
    const silence = `A disk could not be mounted (${cause}), so no test fills one`;
    if (process.env.REQUIRE_SERVICES) throw new Error(`${silence}.`, { cause });
    console.warn(`${silence}.`);
    return undefined;
  }
  onTestFinished(() => void execFileSync('umount', ['-l', folder]));
  return folder;
}

function fill(folder: string, file: string): void {
  const { bavail, bsize } = statfsSync(folder);
  writeFileSync(file, Buffer.alloc(bavail * bsize));
}

it('a disk that is full for a time, under SQLite, makes the instance unready, loses nothing, and is used again at once', async ({
  skip,
}) => {
  const folder = mountDisk();
  if (folder === undefined) return skip();
  const clock = createTestClock();
  const store = createSqliteStore({ url: `file:${join(folder, 'shop.db')}`, now: clock.now });
  onTestFinished(() => store.close());
  const ballast = join(folder, 'ballast');
  const end = () => rmSync(ballast);
  await expectOutageSurvived({ store, clock, begin: () => fill(folder, ballast), end });
});

/** A database of this test alone, which its server can make read-only, as a full disk or a failover does. */
async function createDatabase(): Promise<Outage> {
  const clock = createTestClock();
  const name = uniqueName();
  const admin = connectPostgres(postgresUrl);
  await admin.query(`CREATE DATABASE ${name}`);
  const url = new URL(postgresUrl);
  url.pathname = name;
  const store = createPostgresStore({ connectionString: url.href, now: clock.now });
  onTestFinished(async () => {
    await store.close();
    await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
  });
  const setting = `ALTER DATABASE ${name} SET default_transaction_read_only`;
  const begin = async (): Promise<void> => {
    await admin.query(`${setting} = on`);
    // The setting is for new connections.
    await admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
    // As long as a pool has ended connections, these are what fails.
    while (
      await store.find({ reference: '' }).then(
        () => false,
        () => true,
      )
    );
  };
  return { store, clock, begin, end: () => admin.query(`${setting} = off`) };
}

it.skipIf(!(await hasPostgres()))(
  'a PostgreSQL that is read-only for a time makes the instance unready, loses nothing, and is used again at once, over the same pool',
  async () => expectOutageSurvived(await createDatabase()),
);
