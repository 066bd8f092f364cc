import type { Pool } from 'pg';
import { whenAborted } from '../async/wait.ts';
import { surviveLostConnections } from '../stores/postgres-pool.ts';
import type { Bus, BusOptions } from './bus.ts';
import { createConnectedBus, type OpenConnection, readChannel } from './connected.ts';

export type PostgresBusOptions = BusOptions & {
  /**
   * A pool of pg that connects to PostgreSQL itself: LISTEN does not work through a pooler in transaction mode. The
   * bus takes one connection from it until it is closed, so close the bus before the pool. It listens to the errors of the
   * pool's connections, so that a lost one does not end the process.
   */
  pool: Pool;
};

/**
 * A bus over LISTEN and NOTIFY. It is up as soon as PostgreSQL is, also when that is later. A reference has less than
 * 8,000 bytes, the longest payload of a NOTIFY.
 *
 * @throws {CheckoutError} `invalid_options` for a `channel` that cannot be one
 */
export function createPostgresBus({ pool, ...options }: PostgresBusOptions): Bus {
  const channel = readChannel(options.channel);
  surviveLostConnections(pool);
  const open: OpenConnection = async (onText, signal) => {
    const client = await pool.connect();
    const lost = new Promise<never>((_resolve, reject) => {
      client.on('error', reject);
      client.on('end', () => reject(new Error('PostgreSQL closed the connection.')));
    });
    // Not given back to the pool: whoever got it next would be listening.
    whenAborted(signal, () => client.release(true));
    client.on('notification', ({ payload = '' }) => onText(payload));
    const query = oneAtATime((text: string, values: string[]) => client.query(text, values));
    await Promise.race([query(`LISTEN "${channel}"`, []), lost]);
    return {
      lost,
      send: (text) => query('SELECT pg_notify($1, $2)', [channel, text]),
      check: () => query('SELECT 1', []),
    };
  };
  return createConnectedBus('PostgreSQL', open, options);
}

/** A client of pg takes the next query when the one before has ended. */
function oneAtATime<Args extends unknown[]>(
  run: (...args: Args) => Promise<unknown>,
): (...args: Args) => Promise<unknown> {
  let last: Promise<unknown> = Promise.resolve();
  return (...args) => {
    last = last.catch(() => {}).then(() => run(...args));
    return last;
  };
}
