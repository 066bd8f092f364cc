import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { MedusaShop } from './medusa-shop.ts';

/** Statements that wait for the lock of a table. */
const waiting = `FROM pg_locks WHERE NOT granted AND relation = $1::regclass
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

/**
 * Kills Medusa when it is about to write to a table for the first time after `act`, so that it does not write, and starts it again. Waits
 * for what it does at the same time.
 */
export async function killBeforeWrite(
  { restart }: MedusaShop,
  pool: Pool,
  table: string,
  act: () => unknown,
  meanwhile: () => Promise<boolean>,
): Promise<void> {
  const client = await pool.connect();
  try {
    // Lets everybody read.
    await client.query(`BEGIN; LOCK TABLE "${table}" IN SHARE MODE`);
    await act();
    const isBlocked = async () =>
      ((await client.query(`SELECT ${waiting}`, [`"${table}"`])).rowCount ?? 0) > 0;
    await until(isBlocked, 10);
    await until(meanwhile, 10);
    await restart(async () => {
      // Otherwise the statements of the killed process would run as soon as the lock is gone.
      await client.query(`SELECT pg_terminate_backend(pid) ${waiting}`, [`"${table}"`]);
      await client.query('ROLLBACK');
    });
  } finally {
    client.release();
  }
}

/** Resolves when the condition holds; fails with the last error after a minute. */
export async function until(condition: () => Promise<boolean>, everyMs = 100): Promise<void> {
  const endsAt = Date.now() + 60_000;
  for (;;) {
    const failure = await condition().then(
      (holds) => (holds ? undefined : new Error('The condition does not hold.')),
      (error: Error) => error,
    );
    if (failure === undefined) return;
    if (Date.now() > endsAt) throw failure;
    await pause(everyMs);
  }
}
