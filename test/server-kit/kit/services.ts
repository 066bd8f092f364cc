import { randomUUID } from 'node:crypto';
import { Client, Pool } from 'pg';
import { onTestFinished } from 'vitest';

export const postgresUrl = process.env.TEST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';

export const uniqueName = (): string => `test_${randomUUID().replaceAll('-', '')}`;

/** A pool that closes with the test. */
export function connectPostgres(url: string, applicationName = ''): Pool {
  const pool = new Pool({ connectionString: url, application_name: applicationName });
  pool.on('error', () => {});
  onTestFinished(() => pool.end());
  return pool;
}

/**
 * Whether PostgreSQL is reachable. If it is not, its tests are skipped with a warning.
 *
 * @throws {Error} if it is not reachable and `REQUIRE_SERVICES` is set
 */
export async function hasPostgres(): Promise<boolean> {
  const client = new Client({ connectionString: postgresUrl, connectionTimeoutMillis: 30_000 });
  client.on('error', () => {});
  return isReachable('PostgreSQL', postgresUrl, client.connect()).finally(() => client.end());
}

async function isReachable(service: string, url: string, connecting: Promise<unknown>): Promise<boolean> {
  try {
    await connecting;
    return true;
  } catch (cause) {
    const silence = `${new URL(url).host} does not respond (${cause})`;
    if (process.env.REQUIRE_SERVICES) throw new Error(`${service} is required, but ${silence}.`, { cause });
    console.warn(`Tests that need ${service} are skipped: ${silence}.`);
    return false;
  }
}
