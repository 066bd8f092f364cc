import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createPostgresStore } from '../../../../server-kit/stores/postgres/store.ts';
import { freePort } from '../../../setup/reserve-port.ts';
import { price } from '../../engine/order/orders.ts';
import { createNotifiedShop } from '../../kit/notified-shop.ts';
import { connectPostgres, hasPostgres, postgresUrl } from '../../kit/services.ts';
import { readView } from '../../kit/wire-faults.ts';
import { createSchema } from './postgres-kit.ts';

const pooler = '/usr/sbin/pgbouncer';

/** So long that only callbacks cause verifications. */
const testing = { verificationIntervalMs: 60_000 };

/**
 * Whether PgBouncer is installed. If it is not, its tests are skipped with a warning.
 *
 * @throws {Error} if it is not installed and `REQUIRE_SERVICES` is set
 */
function hasPooler(): boolean {
  if (existsSync(pooler)) return true;
  if (process.env.REQUIRE_SERVICES) throw new Error(`PgBouncer is required: there is no ${pooler}.`);
  console.warn(`Tests that need PgBouncer are skipped: there is no ${pooler}.`);
  return false;
}

/** Starts a pooler in transaction mode in front of PostgreSQL, and returns its address. It ends with the test. */
async function startPooler(): Promise<string> {
  const { hostname, port, username, password } = new URL(postgresUrl);
  const folder = await mkdtemp(join(tmpdir(), 'checkout-pooler-'));
  await chmod(folder, 0o755);
  const own = await freePort();
  const settings = `[databases]
* = host=${hostname} port=${port || 5432}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
unix_socket_dir =
auth_type = trust
auth_file = ${join(folder, 'users')}
pool_mode = transaction
default_pool_size = 4
`;
  await writeFile(join(folder, 'users'), `"${username}" "${password}"\n`);
  await writeFile(join(folder, 'settings.ini'), settings);
  const asUser = process.getuid?.() === 0 ? ['-u', 'postgres'] : [];
  const child = spawn(pooler, [...asUser, join(folder, 'settings.ini')]);
  const isUp = once(child.stderr, 'data');
  onTestFinished(async () => {
    const exited = once(child, 'exit');
    child.kill('SIGINT');
    await exited;
    await rm(folder, { recursive: true });
  });
  await isUp;
  const url = new URL(postgresUrl);
  url.host = `127.0.0.1:${own}`;
  return url.href;
}

describe.skipIf(!hasPooler() || !(await hasPostgres()))(
  'behind a pooler in transaction mode, a checkout',
  () => {
    it('says that it does not hear other instances, delivers outcomes, and learns of changes within 3 seconds', async () => {
      const { schema } = await createSchema();
      const url = await startPooler();
      const storeOn = () => {
        const store = createPostgresStore({ pool: connectPostgres(url), schema });
        onTestFinished(() => store.close());
        return store;
      };
      const shop = createNotifiedShop({ store: storeOn(), testing });
      const other = shop.another({ store: storeOn(), testing });
      const session = await shop.checkout.createSession({ orderId: 'order-1', amount: price });
      const { response } = await shop.hold(session, other);
      await expect
        .poll(() => other.log.map(({ type }) => type), { timeout: 20_000 })
        .toContain('changesMissed');
      expect(other.errors).toMatchObject([
        { message: expect.stringContaining('a pooler in transaction mode') },
      ]);
      shop.pay(session.account.number, 1000);
      shop.clock.advance(2000);
      await shop.callBack({ reference: session.reference });
      expect(shop.notified).toEqual(['order-1:paid']);
      shop.clock.advance(1000);
      expect(await readView(response)).toMatchObject({ outcome: 'paid' });
    });
  },
);
