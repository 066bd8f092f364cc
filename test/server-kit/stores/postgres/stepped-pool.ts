import { Client, type Pool } from 'pg';
import { nextTurn } from '../../kit/test-clock.ts';

/**
 * Lets a test decide which of several connections runs its next statement. Each statement, and each commit, is one step, also in one message;
 * what a store runs by itself is a transaction of two steps.
 */
export type Steps = {
  /** A pool of one connection, whose steps wait to be chosen during `SteppedRun.start`. */
  createPool: () => Promise<Pool>;
  /** Runs once for each order in which the connections can take their steps. Returns the number of these interleavings. */
  explore: (run: SteppedRun) => Promise<number>;
  close: () => Promise<void>;
};

export type SteppedRun = {
  prepare: () => Promise<void>;
  start: () => Promise<unknown>;
  /** Called when the chosen connection has taken its step, or waits for a lock. */
  afterStep: () => Promise<void>;
  check: () => Promise<void>;
};

/** `take` takes the next step, `step` is the one under way. */
type Connection = {
  client: Client;
  pid: number;
  take: (() => void) | undefined;
  step: Promise<void> | undefined;
};

/** Most statements take less. */
const momentMs = 5;

export async function createSteps(connectionString: string): Promise<Steps> {
  const connections: Connection[] = [];
  const monitor = await connect(connectionString);
  let isStepping = false;

  const addConnection = async (): Promise<Pool> => {
    const client = await connect(connectionString);
    const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
    const connection: Connection = { client, pid: rows[0].pid, take: undefined, step: undefined };
    connections.push(connection);
    return poolOf(client, (work) =>
      isStepping
        ? new Promise((resolve, reject) => {
            connection.take = () => {
              const end = (): void => {
                connection.step = undefined;
              };
              connection.step = work().finally(end).then(resolve, reject);
            };
          })
        : work(),
    );
  };

  /** Resolves when no step is under way, except those that wait for a lock. */
  const settle = async (): Promise<void> => {
    const underWay = () => connections.flatMap(({ step, pid }) => (step === undefined ? [] : { step, pid }));
    for (;;) {
      const moment = new Promise((resolve) => setTimeout(resolve, momentMs));
      await Promise.race([Promise.all(underWay().map(({ step }) => step)), moment]);
      // What follows the step may be another one.
      await nextTurn();
      const pids = underWay().map(({ pid }) => pid);
      if (pids.length === 0) return;
      const sql = 'SELECT DISTINCT pid FROM pg_locks WHERE NOT granted AND pid = ANY($1)';
      const { rowCount } = await monitor.query(sql, [pids]);
      if (rowCount === pids.length && underWay().length === pids.length) return;
    }
  };

  /** Makes these choices, and then always the first. Returns how many there were each time. */
  const runOnce = async ({ prepare, start, afterStep, check }: SteppedRun, choices: readonly number[]) => {
    const options: number[] = [];
    await prepare();
    isStepping = true;
    let isOver = false;
    const ended = start().finally(() => {
      isOver = true;
      isStepping = false;
    });
    ended.catch(() => {});
    for (await settle(); !isOver; await settle()) {
      const ready = connections.filter(({ take }) => take !== undefined);
      // Those that one commit has unblocked run at the same time, and may then leave fewer choices than the last time.
      const chosen = ready[Math.min(choices[options.length] ?? 0, ready.length - 1)];
      if (chosen === undefined) continue;
      options.push(ready.length);
      const { take } = chosen;
      chosen.take = undefined;
      take?.();
      await settle();
      await afterStep();
    }
    await ended;
    await check();
    return options;
  };

  return {
    createPool: addConnection,
    async explore(run) {
      let count = 0;
      for (let choices: number[] | undefined = []; choices !== undefined; count++) {
        choices = nextChoices(choices, await runOnce(run, choices));
      }
      return count;
    },
    async close() {
      for (const client of [monitor, ...connections.map(({ client }) => client)]) await client.end();
    },
  };
}

async function connect(connectionString: string): Promise<Client> {
  const client = new Client({ connectionString });
  await client.connect();
  return client;
}

/** Returns the choices of the next interleaving, depth first; `undefined` after the last. */
function nextChoices(choices: readonly number[], options: readonly number[]): number[] | undefined {
  const made = options.map((_, index) => choices[index] ?? 0);
  const last = made.findLastIndex((choice, index) => choice + 1 < (options[index] ?? 0));
  return last < 0 ? undefined : [...made.slice(0, last), (made[last] ?? 0) + 1];
}

type Query = (sql: string, values?: unknown[]) => Promise<unknown>;

/** Returns a pool of this connection. `step` runs a piece of work when it is chosen. */
function poolOf(client: Client, step: <T>(work: () => Promise<T>) => Promise<T>): Pool {
  const ignore = (): void => {};
  /** To begin is part of the first step, because others cannot notice it. */
  const inTransaction = (): Query => {
    let first = 'BEGIN ISOLATION LEVEL READ COMMITTED';
    const query: Query = async (sql, values) => {
      const [last, commit] = sql.split(';');
      if (commit !== undefined) return [await query(last ?? ''), await query(commit)];
      return step(async () => {
        if (first !== '') await client.query(first);
        first = '';
        return client.query(sql, values);
      });
    };
    return async (sql, values) => (sql.startsWith('BEGIN') ? undefined : query(sql, values));
  };
  const query: Query = async (sql, values) => {
    const run = inTransaction();
    const result = await run(sql, values).catch(async (error: unknown) => {
      await client.query('ROLLBACK');
      throw error;
    });
    await run('COMMIT');
    return result;
  };
  const connectOnce = async () => ({ query: inTransaction(), on: ignore, off: ignore, release: ignore });
  return { totalCount: 1, options: { max: 10 }, on: ignore, query, connect: connectOnce } as unknown as Pool;
}
