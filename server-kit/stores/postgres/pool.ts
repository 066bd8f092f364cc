import type { Pool, PoolClient } from 'pg';
import { objectWith } from '../../core/options.ts';

export const aPool = objectWith<Pool>('totalCount', 'must be a pool of pg');

const guardedPools = new WeakSet<Pool>();
const guardedClients = new WeakSet<PoolClient>();

/** The running query rejects with the cause, and the pool drops the connection. */
const ignoreLoss = (): void => {};

/**
 * Keeps a lost connection of the pool from ending the process: PostgreSQL ends connections at a restart, a failover and
 * `pg_terminate_backend`, and an `error` event without a listener is thrown.
 *
 * It listens to the pool, because a listener that is attached after `await pool.connect()` is a microtask late if "ready" and
 * the error arrive in one chunk. `acquire` is emitted before the pool removes its own listener, also for connections that
 * are older than this call. Each connection gets one listener, however often it is acquired and however many stores share the
 * pool; other listeners are not affected.
 */
export function surviveLostConnections(pool: Pool): void {
  if (guardedPools.has(pool)) return;
  guardedPools.add(pool);
  // For idle connections. The pool opens another when it needs one.
  pool.on('error', ignoreLoss);
  pool.on('acquire', (client) => {
    if (guardedClients.has(client)) return;
    guardedClients.add(client);
    client.on('error', ignoreLoss);
  });
}
