import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { Client, Pool } from 'pg';
import { onTestFinished } from 'vitest';

export const redisUrl = process.env.TEST_REDIS_URL ?? 'redis://127.0.0.1:6379';
export const postgresUrl = process.env.TEST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';

/** A name that no other test has: for channels, tables and connections. */
export const uniqueName = (): string => `test_${randomUUID().replaceAll('-', '')}`;

/** A client that closes with the test. */
export function connectRedis(url: string, connectionName = ''): Redis {
  const redis = new Redis(url, { connectionName });
  redis.on('error', () => {});
  onTestFinished(() => redis.disconnect());
  return redis;
}

/** A pool that closes with the test. */
export function connectPostgres(url: string, applicationName = ''): Pool {
  const pool = new Pool({ connectionString: url, application_name: applicationName });
  pool.on('error', () => {});
  onTestFinished(() => pool.end());
  return pool;
}

/**
 * Whether Redis answers. Where it does not, its tests are skipped, and one line says so.
 *
 * @throws {Error} where it does not, and `REQUIRE_SERVICES` is set: nothing is to be skipped
 */
export async function hasRedis(): Promise<boolean> {
  const redis = new Redis(redisUrl, { lazyConnect: true, retryStrategy: () => null });
  redis.on('error', () => {});
  return isReachable('Redis', redisUrl, redis.connect()).finally(() => redis.disconnect());
}

/** The same for PostgreSQL. */
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
    const silence = `${new URL(url).host} does not answer (${cause})`;
    if (process.env.REQUIRE_SERVICES) throw new Error(`${service} is required, but ${silence}.`, { cause });
    console.warn(`Tests that need ${service} are skipped: ${silence}.`);
    return false;
  }
}
