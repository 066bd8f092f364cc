import type { Pool, PoolClient } from 'pg';

const guardedPools = new WeakSet<Pool>();
const guardedClients = new WeakSet<PoolClient>();

/** What was running on the connection rejects with the cause, and the pool drops the connection. */
const ignoreLoss = (): void => {};

/**
 * Keeps the loss of a pooled connection from ending the process: PostgreSQL ends connections at a restart, a failover and
 * `pg_terminate_backend`, and an `error` event without a listener is thrown.
 *
 * The pool's own events are heard, because a listener that is attached after `await pool.connect()` comes a microtask late: when
 * "ready" and the error arrive in one chunk, the event is over by then. `acquire` is emitted before the pool takes its own
 * listener away, for a connection that was there before this call too. Each connection gets one listener, however often it is
 * acquired and however many share the pool; listeners of others stay, and hear the same events.
 */
export function surviveLostConnections(pool: Pool): void {
  if (guardedPools.has(pool)) return;
  guardedPools.add(pool);
  // An idle connection was lost. The pool opens another when one is needed.
  pool.on('error', ignoreLoss);
  pool.on('acquire', (client) => {
    if (guardedClients.has(client)) return;
    guardedClients.add(client);
    client.on('error', ignoreLoss);
  });
}
