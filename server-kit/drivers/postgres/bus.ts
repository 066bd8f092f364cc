import * as v from 'valibot';
import { type Bus, BusOptions } from '../../checkout/ports/bus.ts';
import { whenAborted } from '../../client/async/wait.ts';
import { parseOptions } from '../../client/options/parse-options.ts';
import { createConnectedBus, type OpenConnection } from '../connected/connected-bus.ts';
import { aPool, surviveLostConnections } from './postgres-pool.ts';

const PostgresBusOptions = v.strictObject({
  ...BusOptions.entries,
  /**
   * A pg pool that connects directly to PostgreSQL: LISTEN does not work through a pooler in transaction mode. The bus
   * holds one connection until it is closed, so close the bus before the pool. It handles the errors of the pool's
   * connections, so that a lost one does not end the process.
   */
  pool: aPool,
});
export type PostgresBusOptions = v.InferInput<typeof PostgresBusOptions>;

/**
 * Creates a bus over LISTEN and NOTIFY. It connects as soon as PostgreSQL is available. References must have less than
 * 8,000 bytes, the limit of a NOTIFY payload.
 *
 * @throws {CheckoutError} `invalid_options`, naming each invalid option
 */
export function createPostgresBus(options: PostgresBusOptions): Bus {
  const { pool, channel, ...settings } = parseOptions(PostgresBusOptions, options, 'createPostgresBus');
  surviveLostConnections(pool);
  const open: OpenConnection = async (onText, signal) => {
    const client = await pool.connect();
    const lost = new Promise<never>((_resolve, reject) => {
      client.on('error', reject);
      client.on('end', () => reject(new Error('PostgreSQL closed the connection.')));
    });
    // Not returned to the pool, because its next user would still be listening.
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
  return createConnectedBus('PostgreSQL', open, settings);
}

/** A pg client accepts a query only when the previous one has ended. */
function oneAtATime<Args extends unknown[]>(
  run: (...args: Args) => Promise<unknown>,
): (...args: Args) => Promise<unknown> {
  let last: Promise<unknown> = Promise.resolve();
  return (...args) => {
    last = last.catch(() => {}).then(() => run(...args));
    return last;
  };
}
