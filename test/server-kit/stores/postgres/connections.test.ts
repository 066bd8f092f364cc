import { Pool } from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createPostgresStore } from '../../../../server-kit/stores/postgres/store.ts';
import { watchProcess } from '../../kit/raw-connection.ts';
import { hasPostgres } from '../../kit/services.ts';
import { createTcpProxy } from '../../kit/tcp-proxy.ts';
import { createSchema } from './postgres-kit.ts';

/** A message of PostgreSQL's protocol: its type, its length with the length itself, and its content. */
function message(type: string, content: string): Buffer {
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(Buffer.byteLength(content) + 4, 1);
  return Buffer.concat([head, Buffer.from(content)]);
}

const readyForQuery = message('Z', 'I');
const adminShutdown = message('E', 'SFATAL\0VFATAL\0C57P01\0Mterminating connection\0\0');

describe.skipIf(!(await hasPostgres()))('connections that end in the chunk that says they are ready', () => {
  it.each(['its own pool', 'the merchant’s pool'])('are replaced, in a store on %s', async (kind) => {
    const died = watchProcess();
    const { connectionString } = await createSchema();
    const proxy = await createTcpProxy(connectionString);
    const pool = new Pool({ connectionString: proxy.url });
    const own = kind === 'its own pool';
    const store = createPostgresStore(own ? { connectionString: proxy.url } : { pool });
    onTestFinished(() => store.close().then(() => pool.end()));
    /** By the simple protocol, and by the extended one. */
    const call = async () => {
      await store.claimOutboxEvent({ leaseMs: 1000 });
      await store.find({ reference: 'tc_1' });
    };
    await call();
    let ended = 0;
    proxy.endAfter(readyForQuery, () => {
      ended++;
      return adminShutdown;
    });
    while (ended < 5) await call().catch(() => {});
    proxy.restore();
    const isUp = () =>
      call().then(
        () => true,
        () => false,
      );
    await expect.poll(isUp).toBe(true);
    expect(died).toEqual([]);
  });
});
