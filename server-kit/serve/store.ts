import { CheckoutError } from '../../src/contract/index.ts';
import type { SqlStore } from '../stores/sql/store.ts';

/**
 * Opens the database of `DATABASE_URL`, and creates its tables. Loads only the driver that it needs.
 *
 * @throws {CheckoutError} `invalid_options` if it cannot be used, without its password
 */
export async function openStore(url: string): Promise<SqlStore> {
  try {
    const store = await open(url);
    // The first use connects, and creates the tables.
    await store.find({ orderId: '' });
    return store;
  } catch (cause) {
    throw new CheckoutError('invalid_options', `DATABASE_URL cannot be used: ${reasonOf(cause)}.`, { cause });
  }
}

async function open(url: string): Promise<SqlStore> {
  if (url.startsWith('file:')) return (await import('../stores/sqlite/store.ts')).createSqliteStore({ url });
  const { createPostgresStore } = await import('../stores/postgres/store.ts');
  return createPostgresStore({ connectionString: url }) as unknown as SqlStore;
}

/** Some connection errors have their reason only in a code or in nested errors. */
function reasonOf(error: unknown): string {
  const { message, code, errors = [] } = error as Error & { code?: string; errors?: Error[] };
  const isPackage = code === 'ERR_MODULE_NOT_FOUND';
  if (isPackage)
    return 'its driver is not installed; add it with `npm install pg` or `npm install @libsql/client`';
  return (message || errors[0]?.message || code || String(error)).replace(/\.$/, '');
}
