import type { Pool } from 'pg';
import { type RateLimiterAbstract, RateLimiterPostgres } from 'rate-limiter-flexible';
import * as v from 'valibot';
import type { Limiter } from '../../checkout/ports/limiter.ts';
import { parseOptions } from '../../client/options/parse-options.ts';
import {
  type CounterOptions,
  createSharedLimiter,
  SharedLimiterOptions,
} from '../connected/shared-limiter.ts';
import { aPool, surviveLostConnections } from './postgres-pool.ts';
import { updatedOften } from './updated-often.ts';

const PostgresLimiterOptions = v.strictObject({
  ...SharedLimiterOptions.entries,
  /**
   * A pg pool. You close it. The limiter handles the errors of its connections, so that a lost one does not end the
   * process.
   */
  pool: aPool,
});
export type PostgresLimiterOptions = v.InferInput<typeof PostgresLimiterOptions>;

const tableName = 'transfer_checkout_limits';

/** The columns that rate-limiter-flexible uses. */
const createTable = `CREATE TABLE IF NOT EXISTS ${tableName} (
  key varchar(255) PRIMARY KEY,
  points integer NOT NULL DEFAULT 0,
  expire bigint
)${updatedOften(20)}`;

/**
 * Creates a limiter whose counts all instances share in PostgreSQL, in the table `transfer_checkout_limits`. The first
 * request creates a missing table; rows are deleted an hour after they have expired.
 *
 * @throws {CheckoutError} `invalid_options`, naming each invalid option
 */
export function createPostgresLimiter(options: PostgresLimiterOptions): Limiter {
  const { pool, ...settings } = parseOptions(PostgresLimiterOptions, options, 'createPostgresLimiter');
  surviveLostConnections(pool);
  return createSharedLimiter('PostgreSQL', (counter) => openCounter(pool, counter), settings);
}

async function openCounter(pool: Pool, counter: CounterOptions): Promise<RateLimiterAbstract> {
  if (!(await isTableThere(pool))) {
    await pool.query(createTable).catch(async (error) => {
      // Another instance may have created it at the same moment.
      if (!(await isTableThere(pool))) throw error;
    });
  }
  const options = { storeClient: pool, storeType: 'pool', tableName, tableCreated: true };
  return new RateLimiterPostgres({ ...counter, ...options });
}

/** Checked first, because even CREATE TABLE IF NOT EXISTS needs a privilege that the server's role may not have. */
async function isTableThere(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query('SELECT to_regclass($1) IS NOT NULL AS "isThere"', [tableName]);
  return rows[0]?.isThere === true;
}
