import type { Client, Pool, PoolClient } from 'pg';

/** What an operation has cost. */
export type Cost = {
  /** Each statement that was sent, `BEGIN` and `COMMIT` included. */
  statements: number;
  /** Requests to the database: a request may have several statements. */
  roundTrips: number;
  /** Those that were begun explicitly. */
  transactions: number;
  buffers: number;
  /** Updated rows, and those of them for which no index had to change. */
  updates: number;
  hotUpdates: number;
  /** Written ahead, without the images of full pages that follow a checkpoint. */
  walBytes: number;
};

/** Records what the connections of one pool send, and what it costs. */
export type Recorder = {
  record: (work: () => Promise<unknown>) => Promise<Cost>;
};

/**
 * The settings of the recorded connections: PostgreSQL returns each statement's plan with it, so that the very statement that is sent
 * is measured, however it is written.
 */
export const recordedSettings = [
  'session_preload_libraries=auto_explain',
  'auto_explain.log_min_duration=0',
  'auto_explain.log_analyze=on',
  'auto_explain.log_buffers=on',
  'auto_explain.log_timing=off',
  'auto_explain.log_format=json',
  'auto_explain.log_level=notice',
]
  .map((setting) => `-c ${setting}`)
  .join(' ');

/** What `pg` emits for each message of the server. */
type Messages = {
  connection: { on: (event: string, listener: (message: { text?: string }) => void) => void };
};

/** @param monitor another connection to the same database */
export function createRecorder(pool: Pool, monitor: Client): Recorder {
  let commands: string[] = [];
  let roundTrips = 0;
  let buffers = 0;

  pool.on('connect', (client: PoolClient) => {
    const { connection } = client as unknown as Messages;
    connection.on('commandComplete', ({ text = '' }) => void commands.push(text));
    connection.on('readyForQuery', () => void roundTrips++);
    client.on('notice', ({ message = '' }) => {
      const json = /plan:\n([\s\S]*)$/.exec(message)?.[1];
      if (json === undefined) return;
      buffers += buffersOf((JSON.parse(json) as { Plan: PlanNode }).Plan);
    });
  });

  return {
    async record(work) {
      const [from] = (await monitor.query('SELECT pg_current_wal_insert_lsn() AS lsn')).rows;
      [commands, roundTrips, buffers] = [[], 0, 0];
      await work();
      const transactions = commands.filter((command) => command === 'BEGIN').length;
      const counted = { statements: commands.length, roundTrips, transactions, buffers };
      return { ...counted, ...(await readWal(monitor, from.lsn)) };
    },
  };
}

/** A node of a plan, as PostgreSQL's JSON has it. Its blocks include those of its children. */
type PlanNode = {
  'Node Type': string;
  'Subplan Name'?: string;
  'CTE Name'?: string;
  'Shared Hit Blocks'?: number;
  'Shared Read Blocks'?: number;
  Plans?: readonly PlanNode[];
};

/** Returns how many pages a statement has read, from memory or disk: its buffers. */
function buffersOf(plan: PlanNode): number {
  const nodes = flatten(plan);
  const scanned = new Set(nodes.map((node) => node['CTE Name']));
  // A change that no other part reads runs after the rest of the statement, and is not counted there.
  const last = nodes.filter((node) => {
    const [, name] = /^CTE (.*)$/.exec(node['Subplan Name'] ?? '') ?? [];
    return name !== undefined && node['Node Type'] === 'ModifyTable' && !scanned.has(name);
  });
  return [plan, ...last].reduce((sum, node) => sum + blocksOf(node), 0);
}

const blocksOf = (node: PlanNode): number =>
  (node['Shared Hit Blocks'] ?? 0) + (node['Shared Read Blocks'] ?? 0);

const flatten = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(flatten)];

type WalCost = Pick<Cost, 'walBytes' | 'updates' | 'hotUpdates'>;

/** Reads what the transactions of this database have written. Others may write to the same log. */
async function readWal(monitor: Client, from: string): Promise<WalCost> {
  // So that there is something to read, whatever the work was.
  await monitor.query("SELECT pg_logical_emit_message(true, 'scale', '')");
  const { rows } = await monitor.query(
    `WITH records AS MATERIALIZED (
        SELECT xid, resource_manager || ' ' || record_type AS kind, record_length - fpi_length AS bytes, block_ref
        FROM pg_get_wal_records_info($1, pg_current_wal_flush_lsn()) WHERE xid <> 0
      )
      SELECT coalesce(sum(bytes), 0)::integer AS bytes,
        count(*) FILTER (WHERE kind ~ '^Heap (HOT_)?UPDATE')::integer AS updates,
        count(*) FILTER (WHERE kind ~ '^Heap HOT_UPDATE')::integer AS hot
      FROM records WHERE xid IN (SELECT xid FROM records
        WHERE block_ref LIKE '%/' || (SELECT oid FROM pg_database WHERE datname = current_database()) || '/%')`,
    [from],
  );
  const { bytes, updates, hot } = rows[0];
  return { walBytes: bytes, updates, hotUpdates: hot };
}
