import type { Client, InValue } from '@libsql/client/sqlite3';
import * as v from 'valibot';
import { CheckoutError } from '../../../src/contract/index.ts';
import { aFunction, parseOptions } from '../../core/options.ts';
import { type Wait, waitWithTimer } from '../../core/time.ts';
import { type Database, type Row, type Run, type Statement, toText } from '../sql/database.ts';

const SqliteStoreOptions = v.strictObject({
  /** The file: `file:shop.db`, or `file:/var/lib/shop/shop.db`. It is created if it does not exist; its folder is not. */
  url: v.custom<string>(
    (url) => typeof url === 'string' && url.startsWith('file:') && !url.includes(':memory:'),
    'must be a file, such as file:shop.db',
  ),
  /** The store's clock, in milliseconds since the epoch. Default: `Date.now`, the same for all processes of a machine. */
  now: v.optional(aFunction<() => number>(), () => Date.now),
  /** Waits while another process writes. Default: a timer. */
  wait: v.optional(aFunction<Wait>(), () => waitWithTimer),
});
export type SqliteStoreOptions = v.InferInput<typeof SqliteStoreOptions>;

/** Waits for another process's write: a moment on this thread, then pauses of growing length. */
const busyThreadMs = 20;
const firstPauseMs = 10;
const longestPauseMs = 200;
const patienceMs = 5000;

export function createSqliteDatabase(options: SqliteStoreOptions): Database {
  const { url, now, wait } = parseOptions(SqliteStoreOptions, options, 'createSqliteStore');
  const { use, close } = createConnection(url, wait);
  const inTransaction = <T>(work: (run: Run) => Promise<T>): Promise<T> =>
    use(async (client) => {
      const transaction = await client.transaction('write');
      try {
        const result = await work((statement) => runParts(transaction, statement));
        await transaction.commit();
        return result;
      } finally {
        transaction.close();
      }
    });
  return {
    sql: {
      prefix: 'transfer_checkout_',
      json: 'text',
      now: () => String(Math.floor(now())),
      // A write transaction is exclusive from its start.
      skipLocked: '',
      lockTables: null,
      updatedOften: () => '',
      findVersions: "SELECT 1 FROM sqlite_master WHERE name = 'transfer_checkout_versions'",
    },
    run: (statement) =>
      isSingle(statement)
        ? use(async (client) => (await execute(client, statement)).rows)
        : inTransaction((run) => run(statement)),
    transaction: inTransaction,
    close,
  };
}

type Target = Pick<Client, 'execute'>;

/** Whether one statement of SQLite is enough: its parts may select rows, but change none. */
const isSingle = ({ parts = {} }: Statement): boolean =>
  Object.values(parts).every((part) => part.startsWith('SELECT'));

/** SQLite has no parts that change rows: each runs by itself, and its rows are values of the statements after it. */
async function runParts(target: Target, { sql, values = [], parts = {} }: Statement): Promise<Row[]> {
  const done: Record<string, string> = {};
  const all = [...values];
  for (const [name, part] of Object.entries(parts)) {
    const { columns, rows } = await execute(target, { sql: part, values: all, parts: done });
    if (columns.length === 0) continue;
    const selected = columns.map((column) => `value ->> '${column}' AS ${column}`);
    done[name] = `SELECT ${selected.join(', ')} FROM json_each(?${all.push(JSON.stringify(rows))})`;
  }
  return (await execute(target, { sql, values: all, parts: done })).rows;
}

function execute(target: Target, { values = [], ...statement }: Statement) {
  const args: InValue[] = [];
  const positional = toText(statement).replace(/\?(\d+)/g, (_, place) => {
    args.push(values[Number(place) - 1] ?? null);
    return '?';
  });
  return target.execute({ sql: positional, args });
}

type Use = <T>(work: (client: Client) => Promise<T>) => Promise<T>;

/**
 * Creates a connection that is opened when needed, and runs one piece of work after the other. Work that conflicts with
 * another process's write is run again from its start, up to `patienceMs`.
 */
function createConnection(url: string, wait: Wait): { use: Use; close: () => Promise<void> } {
  let client: Client | undefined;
  let last: Promise<unknown> = Promise.resolve();

  const disconnect = (): void => {
    client?.close();
    client = undefined;
  };
  const useOnce: Use = async (work) => {
    try {
      client ??= await connect(url);
      return await work(client);
    } catch (error) {
      // libsql leaves a failed statement open, and the connection could then commit nothing more.
      disconnect();
      throw error;
    }
  };
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = last.then(work);
    last = result.catch(() => {});
    return result;
  };
  const use: Use = async (work) => {
    for (let waitedMs = 0; ; ) {
      try {
        return await inTurn(() => useOnce(work));
      } catch (error) {
        if (!isBusy(error) || waitedMs >= patienceMs) throw error;
      }
      const pauseMs = Math.min(firstPauseMs + waitedMs, longestPauseMs);
      await wait(pauseMs);
      waitedMs += pauseMs;
    }
  };
  return { use, close: () => inTurn(async () => disconnect()) };
}

/** Loaded when needed, because npm may have left out an optional dependency. */
async function loadLibsql() {
  try {
    return await import('@libsql/client/sqlite3');
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    const message = `createSqliteStore needs @libsql/client, which cannot be loaded; run: npm install @libsql/client@^0.18.0 (${why})`;
    throw new CheckoutError('internal_error', message, { cause });
  }
}

/** @throws {CheckoutError} `internal_error` without `@libsql/client` */
async function connect(url: string): Promise<Client> {
  const { createClient } = await loadLibsql();
  const client = createClient({ url, concurrency: 1, timeout: busyThreadMs });
  try {
    await client.execute('PRAGMA journal_mode = WAL');
    await client.execute('PRAGMA synchronous = FULL');
    return client;
  } catch (error) {
    client.close();
    throw error;
  }
}

const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'SQLITE_BUSY';
